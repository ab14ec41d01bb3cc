//===- ScopeKinds.cpp - Breakage of what a region reaches -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/ScopeKinds.h"

#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

static bool isAnyKind(StringRef) { return true; }
static bool isInnerKind(StringRef kind) {
  return isStructuredKind(kind) || isLoopKind(kind);
}

/// A handle that has something to do with what `spot` holds, made before it:
/// the handle itself, another name for it, what is around it, or any other.
static Value insertRelated(Spot &spot, Random &random) {
  Operation *made = nullptr;
  switch (random.below(5)) {
  case 0:
    return spot.handle;
  case 1:
    made = insertText(spot.place, spot.handle,
                      "%c = transform.cast %h : " + spot.type +
                          " to !transform.any_op");
    break;
  case 2:
    made = insertText(spot.place, spot.handle,
                      "%p = transform.get_parent_op %h {isolated_from_above, "
                      "deduplicate} : (" +
                          spot.type + ") -> !transform.any_op");
    break;
  default:
    return pickVisible(spot.place, random, isAnyKind);
  }
  return made ? made->getResult(0) : Value();
}

/// Inserts a loop over what `spot` holds, with an empty body.
static Operation *insertForeach(Spot &spot) {
  return insertText(spot.place, spot.handle,
                    "transform.foreach %h : " + spot.type +
                        " {\n^bb0(%x: " + spot.type + "):\n}");
}

bool formwork::testing::outerInForeach(NamedSequenceOp entry, Random &random) {
  auto fits = random.chance(0.8) ? isStructuredKind : isInnerKind;
  std::optional<Spot> spot = pickSpotToAppend(entry, random, fits);
  if (!spot)
    return false;
  Value outer = insertRelated(*spot, random);
  Operation *loop = outer ? insertForeach(*spot) : nullptr;
  if (!loop)
    return false;
  Block &body = loop->getRegion(0).front();
  bool readsFirst = random.chance(0.3);
  if (readsFirst)
    insertUse(body.getTerminator(), outer);
  Operation *consumer =
      insertConsumer(body.getTerminator(), spot->handle, random);
  if (!consumer)
    return false;
  consumer->replaceUsesOfWith(spot->handle, body.getArgument(0));
  if (!readsFirst)
    insertUse(body.getTerminator(), outer);
  return true;
}

bool formwork::testing::parentInForeach(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isInnerKind);
  if (!spot)
    return false;
  Operation *loop = insertForeach(*spot);
  if (!loop)
    return false;
  Block &body = loop->getRegion(0).front();
  StringRef text = pickText(
      random,
      {"{isolated_from_above} : (@) -> !transform.any_op\n"
       "%c = transform.apply_registered_pass \"canonicalize\" to %p : "
       "(!transform.any_op) -> !transform.any_op",
       "{op_name = \"func.func\"} : (@) -> !transform.any_op\n"
       "%c = transform.structured.vectorize_children_and_apply_patterns %p : "
       "(!transform.any_op) -> !transform.any_op",
       "{op_name = \"scf.for\"} : (@) -> !transform.any_op\n"
       "transform.loop.unroll %p {factor = 2} : !transform.any_op",
       "{op_name = \"scf.for\"} : (@) -> !transform.any_op\n"
       "%c = transform.loop.coalesce %p : (!transform.any_op) -> "
       "!transform.any_op",
       "{op_name = \"scf.for\", allow_empty_results} : (@) -> "
       "!transform.any_op\n"
       "%a, %b = transform.loop.peel %p : (!transform.any_op) -> "
       "(!transform.any_op, !transform.any_op)"});
  auto [front, back] = text.split('@');
  if (!insertText(body.getTerminator(), body.getArgument(0),
                  "%p = transform.get_parent_op %h " + front + spot->type +
                      back))
    return false;
  if (random.chance(0.2))
    insertUse(body.getTerminator(), body.getArgument(0));
  return true;
}

bool formwork::testing::zipForeach(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  // Mostly what was made together with it.
  Values together;
  if (Operation *made = spot->handle.getDefiningOp())
    for (Value result : made->getResults())
      if (isOpHandle(result) && result != spot->handle)
        together.push_back(result);
  Value other = !together.empty() && random.chance(0.6)
                    ? random.oneOf(ArrayRef<Value>(together))
                    : pickVisible(spot->place, random, isAnyKind);
  if (!other)
    return false;
  std::string type = getTypeText(other);
  StringRef zips = pickText(random, {"", "", " with_zip_shortest"});
  static constexpr StringLiteral steps[] = {
      "transform.annotate %x \"mutant.pair\" : @\n"
      "transform.annotate %y \"mutant.pair\" : #",
      "%t, %l = transform.structured.tile_using_for %x tile_sizes [2] : (@) -> "
      "(!transform.any_op, !transform.any_op)\n"
      "transform.annotate %y \"mutant.pair\" : #",
      "%p = transform.get_producer_of_operand %x[2] : (@) -> "
      "!transform.any_op\n"
      "%f, %c = transform.structured.fuse_into_containing_op %p into %y : "
      "(!transform.any_op, #) -> (!transform.any_op, !transform.any_op)",
      "%g = transform.structured.generalize %x : (@) -> !transform.any_op\n"
      "%m = transform.merge_handles %g, %g : !transform.any_op"};
  std::string body = steps[random.below(std::size(steps))].str();
  body = fillIn(fillIn(body, '@', spot->type), '#', type);
  return insertText(spot->place, {spot->handle, other},
                    "transform.foreach %h, %h1" + zips + " : " + spot->type +
                        ", " + type + " {\n^bb0(%x: " + spot->type +
                        ", %y: " + type + "):\n" + body + "\n}");
}

bool formwork::testing::restPerFunction(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  if (block.getNumArguments() == 0 ||
      block.getTerminator()->getNumOperands() != 0)
    return false;
  Ops rest;
  for (Operation &op : block.without_terminator())
    rest.push_back(&op);
  if (rest.size() < 2)
    return false;
  // All of it, or what is behind some step.
  if (random.chance(0.6))
    rest.erase(rest.begin(), rest.begin() + random.below(rest.size() - 1));
  Value root = block.getArgument(0);
  std::string type = getTypeText(root);
  Operation *match =
      insertText(rest.front(), root,
                 "%f = transform.structured.match ops{[\"func.func\"]} in %h : "
                 "(" +
                     type + ") -> !transform.any_op");
  if (!match)
    return false;
  Block &body = moveIntoForeach(rest, match->getResult(0)).getBody().front();
  Value function = body.getArgument(0);
  // Matches in the module look in the function now; some of them may be
  // forgotten.
  double share = random.chance(0.7) ? 1.0 : 0.5;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : root.getUses())
    if (body.findAncestorOpInBlock(*use.getOwner()) &&
        root.getType() == function.getType())
      uses.push_back(&use);
  for (OpOperand *use : uses)
    if (random.chance(share))
      use->set(function);
  return true;
}

bool formwork::testing::yieldOther(NamedSequenceOp entry, Random &random) {
  Ops yields;
  auto add = [&](Region &region) {
    for (Block &block : region)
      if (block.mightHaveTerminator() &&
          isa<transform::YieldOp>(block.getTerminator()) &&
          block.getTerminator()->getNumOperands() != 0)
        yields.push_back(block.getTerminator());
  };
  for (Operation *op : getSteps(entry)) {
    if (isa<transform::SequenceOp, transform::ForeachOp,
            transform::AlternativesOp, transform::tune::AlternativesOp>(op))
      for (Region &region : op->getRegions())
        add(region);
    if (auto include = dyn_cast<transform::IncludeOp>(op))
      if (NamedSequenceOp callee = getCallee(include))
        add(callee.getBody());
  }
  Operation *yield = pickStep(yields, random);
  if (!yield || random.chance(0.3)) {
    // A region is made around steps, and hands out what they make.
    Ops run = pickRun(entry, random, 3);
    if (run.empty() || run.front()->getNumOperands() == 0 ||
        !isOpHandle(run.front()->getOperand(0)))
      return false;
    transform::ForeachOp loop =
        moveIntoForeach(run, run.front()->getOperand(0));
    if (loop.getNumResults() == 0)
      return false;
    yield = loop.getBody().front().getTerminator();
  }
  OpOperand &operand =
      yield->getOpOperand(random.below(yield->getNumOperands()));
  // Mostly one that the region itself makes, and that lives.
  Values inside, all;
  bool isLive = random.chance(0.8);
  auto isConsumed = [](Value value) {
    return llvm::any_of(value.getUsers(),
                        [&](Operation *user) { return consumes(user, value); });
  };
  for (Value value : getVisibleHandles(yield))
    if (value != operand.get() && !(isLive && isConsumed(value)) &&
        value.getType() == operand.get().getType()) {
      all.push_back(value);
      if (value.getParentBlock() == yield->getBlock())
        inside.push_back(value);
    }
  ArrayRef<Value> from = !inside.empty() && random.chance(0.7) ? inside : all;
  if (from.empty())
    return false;
  operand.set(random.oneOf(from));
  return true;
}

bool formwork::testing::argumentTwice(NamedSequenceOp entry, Random &random) {
  auto fits = random.chance(0.8) ? isStructuredKind : isInnerKind;
  std::optional<Spot> spot = pickSpotToAppend(entry, random, fits);
  if (!spot)
    return false;
  Value second = insertRelated(*spot, random);
  if (!second)
    return false;
  std::string type = getTypeText(second);
  bool readsFirst = random.chance(0.5);
  if (!insertSequences(
          entry, "transform.named_sequence @mutant_two(%a: " + spot->type +
                     " {transform.consumed}, %b: " + type +
                     " {transform.readonly}) {\n"
                     "transform.debug.emit_remark_at %b, \"use\" : " +
                     type + "\ntransform.yield\n}"))
    return false;
  auto callee = cast<NamedSequenceOp>(entry->getPrevNode());
  Block &body = callee.getBody().front();
  Operation *read = &body.front();
  Operation *consumer = insertConsumer(readsFirst ? body.getTerminator() : read,
                                       spot->handle, random);
  if (!consumer)
    return false;
  consumer->replaceUsesOfWith(spot->handle, body.getArgument(0));
  insertInclude(spot->place, "mutant_two", {spot->handle, second}, {},
                /*suppress=*/random.chance(0.2));
  return true;
}

bool formwork::testing::tuneRegions(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 2);
  if (run.empty())
    return false;
  Value read =
      run.front()->getNumOperands() != 0 ? run.front()->getOperand(0) : Value();
  // The handles that the other region hands on: it has made nothing.
  Values visible = getVisibleHandles(run.front()), handed;
  for (Value value : getResultsUsedElsewhere(run)) {
    Values fitting;
    for (Value handle : visible)
      if (handle.getType() == value.getType())
        fitting.push_back(handle);
    bool own = read && read.getType() == value.getType() && random.chance(0.7);
    if (!own && fitting.empty())
      return false;
    handed.push_back(own ? read : random.oneOf(ArrayRef<Value>(fitting)));
  }
  Operation *next = run.back()->getNextNode();
  Location loc = next->getLoc();
  OpBuilder builder(next);
  OperationState state(loc,
                       transform::tune::AlternativesOp::getOperationName());
  state.addAttribute("name", builder.getStringAttr("mutant_choice"));
  state.addAttribute("selected_region_attr",
                     builder.getI64IntegerAttr(random.chance(0.6) ? 0 : 1));
  Values used = moveIntoRegion(run, {}, state);
  state.addTypes(ValueRange(used).getTypes());
  auto *other = new Block();
  state.addRegion()->push_back(other);
  OpBuilder inside(entry.getContext());
  inside.setInsertionPointToEnd(other);
  Operation *end = transform::YieldOp::create(inside, loc, handed);
  Operation *choice = builder.create(state);
  readResults(used, choice, choice->getRegion(0).front());
  bool isHanded = llvm::is_contained(handed, read);
  if (read && isOpHandle(read) && random.chance(isHanded ? 0.05 : 0.4))
    insertConsumer(end, read, random);
  return true;
}
