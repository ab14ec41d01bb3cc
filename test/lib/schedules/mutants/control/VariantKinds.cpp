//===- VariantKinds.cpp - Breakage by variants of a recipe ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/VariantKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The first steps of the schedule that read nothing but `root`, and do not
/// consume it; up to `most` of them.
static Ops getHead(NamedSequenceOp entry, Value root, unsigned most) {
  Ops head;
  for (Operation *step : getOuterSteps(entry)) {
    Ops longer = head;
    longer.push_back(step);
    Values read = getReadFromOutside(longer);
    // The interpreter crashes on alternatives in alternatives.
    if (longer.size() > most || isa<transform::AlternativesOp>(step) ||
        !isa<transform::TransformOpInterface>(step) || consumes(step, root) ||
        llvm::any_of(read, [&](Value value) { return value != root; }))
      break;
    head = longer;
  }
  return head;
}

/// Makes the recipe in `body` another one. Whether that was possible.
static bool varyRecipe(Block &body, Random &random) {
  Ops tilings, handles;
  for (Operation &op : body.without_terminator()) {
    if (isa<transform::TileUsingForOp, transform::TileUsingForallOp>(op) &&
        op.getNumOperands() == 1 && countLoops(getSizes(&op)) != 0)
      tilings.push_back(&op);
    if (op.getNumResults() != 0 &&
        isa<transform::AnyOpType>(op.getResult(0).getType()))
      handles.push_back(&op);
  }
  if (!tilings.empty() && random.chance(0.6)) {
    Operation *tile = pickStep(tilings, random);
    Numbers sizes = getSizes(tile);
    for (int64_t &size : sizes)
      if (size > 0)
        size = random.oneOf(ArrayRef<int64_t>{2, 4, 8, 16, 32});
    setSizes(tile, sizes);
  }
  if (handles.empty())
    return false;
  // The other recipe has a premise, too.
  Operation *made = pickStep(handles, random);
  Operation *place = made->getNextNode();
  StringRef premise = pickText(
      random,
      {"%a, %b = transform.split_handle %h : (@) -> (@, @)",
       "%a = transform.split_handle %h : (@) -> @",
       "transform.match.operation_empty %h : @",
       "%a = transform.get_parent_op %h {op_name = \"scf.for\"} : (@) -> @",
       "%a = transform.get_producer_of_operand %h[0] : (@) -> @",
       "transform.annotate %h \"mutant.first\" : @"});
  return insertSteps(place, made->getResult(0), premise);
}

bool formwork::testing::twoRecipes(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  Value root =
      block.getNumArguments() != 0 ? Value(block.getArgument(0)) : Value();
  if (!root || !isa<transform::AnyOpType>(root.getType()))
    return false;
  Ops head = getHead(entry, root, random.between(3, 12));
  if (llvm::all_of(head, isLookup))
    return false;
  Location loc = head.front()->getLoc();
  Value scope = insertMatch(head.front(), root, "ops{[\"func.func\"]}");
  if (!scope)
    return false;
  // Ops that are not isolated cannot be the scope of alternatives.
  if (random.chance(0.06))
    scope = insertMatch(head.front(), root, "interface{LinalgOp}");
  OpBuilder builder(head.back()->getNextNode());
  OperationState state(loc, transform::AlternativesOp::getOperationName());
  state.addOperands(scope);
  Values used = moveIntoRegion(head, root, state);
  state.addTypes(ValueRange(used).getTypes());
  Region *second = state.addRegion();
  IRMapping mapping;
  state.regions.front()->cloneInto(second, mapping);
  Operation *alternatives = builder.create(state);
  Block &first = alternatives->getRegion(0).front();
  readResults(used, alternatives, first);
  if (!varyRecipe(first, random))
    return false;
  Operation *end = first.getTerminator();
  if (end->getNumOperands() > 1 && random.chance(0.12))
    swapYielded(end);
  // The alternatives consume the scope, which is easy to forget.
  if (random.chance(0.15))
    insertUse(pickPlaceBehind(alternatives, random), scope);
  return true;
}

bool formwork::testing::tableDriven(NamedSequenceOp entry, Random &random) {
  // Right behind the leading matches.
  Operation *place = &entry.getBody().front().front();
  Values ops;
  while (auto match = dyn_cast<transform::MatchOp>(place)) {
    if (isStructuredKind(guessKind(match.getResult())) &&
        isa<transform::AnyOpType>(match.getResult().getType()))
      ops.push_back(match.getResult());
    place = place->getNextNode();
  }
  if (ops.empty())
    return false;
  if (ops.size() > 1 && random.chance(0.5))
    ops = {random.oneOf(ArrayRef<Value>(ops))};
  unsigned number = ops.size(), rows = number;
  if (random.chance(0.12))
    rows += random.chance(0.5) && rows > 1 ? -1 : 1;
  std::string list, table, sizes, types, parts;
  for (unsigned i = 0; i < number; ++i) {
    list += i ? ", %h" + std::to_string(i) : "%h";
    types += i ? ", @" : "@";
    parts += (i ? ", %p" : "%p") + std::to_string(i);
  }
  for (unsigned i = 0; i < rows; ++i) {
    table += "%s" + std::to_string(i) + " = transform.param.constant " +
             pickNumbers(random, 1, {2, 4, 8, 16}) + " : i64 -> $\n";
    sizes += (i ? ", %s" : "%s") + std::to_string(i);
  }
  bool hasParallel = random.chance(0.3);
  StringRef more = pickText(random, {"", "", ", 4", ", %y"});
  bool twoLoops = !more.empty() && !hasParallel;
  std::string loops = twoLoops ? "@, @" : "@";
  std::string body = std::string("%t, %l") + (twoLoops ? ", %k" : "") +
                     " = transform.structured." +
                     (hasParallel ? "tile_using_forall" : "tile_using_for") +
                     " %x tile_sizes [%y" + more.str() + "] : (@, $" +
                     (more == ", %y" ? ", $" : "") + ") -> (@, " + loops +
                     ")\ntransform.yield %t : @\n";
  std::string text = table + "%m = transform.merge_handles " + list + " : @\n" +
                     "%n = transform.merge_handles " + sizes + " : $\n" +
                     "%r = transform.foreach %m, %n" +
                     (random.chance(0.15) ? " with_zip_shortest" : "") +
                     " : @, $ -> @ {\n^bb0(%x: @, %y: $):\n" + body + "}\n";
  bool goesOn = random.chance(0.8);
  // The loop returns the tiles in the order of the ops.
  text += goesOn
              ? parts + " = transform.split_handle %r : (@) -> (" + types + ")"
              : std::string("transform.annotate %r \"mutant.tile\" : @");
  Operation *last = insertText(place, ops, withTypes(fillIn(text, '@', anyOp)));
  if (!last)
    return false;
  if (goesOn)
    for (auto [op, part] : llvm::zip_equal(ops, last->getResults()))
      rebindBehind(last, op, part);
  return true;
}
