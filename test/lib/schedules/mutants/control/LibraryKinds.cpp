//===- LibraryKinds.cpp - Breakage by a library ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/LibraryKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Lets `sequence` only hand on what it is given, as far as the types let it.
static bool emptyBody(NamedSequenceOp sequence) {
  Block &body = sequence.getBody().front();
  Values handed;
  for (Value value : body.getTerminator()->getOperands()) {
    auto like = llvm::find_if(body.getArguments(), [&](BlockArgument argument) {
      return argument.getType() == value.getType() &&
             !llvm::is_contained(handed, argument);
    });
    if (like == body.getArguments().end())
      return false;
    handed.push_back(*like);
  }
  body.getTerminator()->setOperands(handed);
  while (&body.front() != body.getTerminator()) {
    Operation *last = body.getTerminator()->getPrevNode();
    last->dropAllUses();
    last->erase();
  }
  return true;
}

bool formwork::testing::missingLibrary(NamedSequenceOp entry, Random &random) {
  transform::IncludeOp include = pickInclude(entry, random);
  if (!include || random.chance(0.5)) {
    Ops run = pickRun(entry, random, 4);
    if (run.empty())
      return false;
    bool suppress = random.chance(0.3);
    include = moveIntoSequence(entry, run, "mutant_library", suppress);
  }
  NamedSequenceOp callee = getCallee(include);
  if (random.chance(0.5))
    return emptyBody(callee);
  Region &body = callee.getBody();
  body.dropAllReferences();
  body.getBlocks().clear();
  callee.setVisibility(SymbolTable::Visibility::Private);
  return true;
}

/// Replaces `op` by the steps of its first region, of which the arguments are
/// `given`; its results are what the region yields.
static bool unwrap(Operation *op, ValueRange given) {
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() != given.size() || !body.mightHaveTerminator())
    return false;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), given)) {
    if (argument.getType() != value.getType())
      return false;
    argument.replaceAllUsesWith(value);
  }
  Operation *yield = body.getTerminator();
  if (yield->getOperandTypes() != op->getResultTypes())
    return false;
  op->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  for (Operation &step : llvm::make_early_inc_range(body))
    step.moveBefore(op);
  op->erase();
  return true;
}

bool formwork::testing::unwrapRegion(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (isa<transform::ForeachOp, transform::SequenceOp,
            transform::AlternativesOp>(op) &&
        !op->getRegion(0).empty())
      found.push_back(op);
  Operation *op = pickStep(found, random);
  return op && unwrap(op, op->getOperands());
}

static constexpr StringRef conditions[] = {
    "%r = transform.match.structured.rank %s : (&) -> $\n"
    "%c = transform.param.constant 3 : i64 -> $\n"
    "transform.match.param.cmpi eq %r, %c : $",
    "%r = transform.match.structured.rank %s : (&) -> $\n"
    "%c = transform.param.constant 2 : i64 -> $\n"
    "transform.match.param.cmpi le %r, %c : $",
    "%r = transform.match.structured.num_inputs %s : (&) -> $\n"
    "%c = transform.param.constant 2 : i64 -> $\n"
    "transform.match.param.cmpi eq %r, %c : $",
    "%r = transform.match.structured.num_inits %s : (&) -> $\n"
    "%c = transform.param.constant 1 : i64 -> $\n"
    "transform.match.param.cmpi eq %r, %c : $",
    "%i = transform.match.structured.input %s[0] : (&) -> "
    "!transform.any_value\n"
    "%r = transform.match.structured.elemental_bitwidth %i : "
    "(!transform.any_value) -> $\n"
    "%c = transform.param.constant 32 : i64 -> $\n"
    "transform.match.param.cmpi eq %r, %c : $",
    "transform.match.structured.init %s[0] {permutation} : &",
    "transform.match.structured.input %s[all] {projected_permutation} : &",
    "transform.match.structured.input %s[1] {permutation} : &",
    "transform.match.structured.body %s {reduction_position = 0 : i64} : &",
    "transform.match.structured.body %s {contraction = [\"arith.mulf\", "
    "\"arith.addf\"]} : &",
    "transform.match.structured.body %s {passthrough} : &"};

/// What may follow a match, on what it found.
static constexpr StringRef reactions[] = {
    "transform.annotate %op \"mutant.strict\" : &",
    "%t, %l = transform.structured.tile_using_for %op tile_sizes [4] : (&) -> "
    "(&, &)",
    "%g = transform.structured.generalize %op : (&) -> &"};

bool formwork::testing::strictMatcher(NamedSequenceOp entry, Random &random) {
  bool asserts = random.chance(0.3);
  std::optional<Spot> spot =
      pickSpotToAppend(entry, random, asserts ? isStructuredKind : isScopeKind);
  if (!spot || !isa<transform::AnyOpType>(spot->handle.getType()))
    return false;
  std::string body = pickText(random, conditions).str();
  if (random.chance(0.3))
    body += "\n" + pickText(random, ArrayRef(conditions).drop_front(5)).str();
  std::string sequences =
      "transform.named_sequence @mutant_strict(%op: & {transform.readonly}) -> "
      "& {\ntransform.match.structured failures(propagate) %op : & {\n"
      "^bb0(%s: &):\n" +
      body +
      "\ntransform.match.structured.yield\n}\ntransform.yield %op : &\n}\n"
      "transform.named_sequence @mutant_react(%op: & {transform.consumed}) "
      "{\n" +
      pickText(random, reactions).str() + "\ntransform.yield\n}";
  if (!insertSequences(entry, withTypes(sequences)))
    return false;
  if (asserts) {
    insertInclude(spot->place, "mutant_strict", spot->handle,
                  spot->handle.getType(), /*suppress=*/random.chance(0.3));
    return true;
  }
  Value scope = random.chance(0.5) ? spot->handle
                                   : insertFunctions(spot->place, spot->handle);
  if (!scope || !isa<transform::AnyOpType>(scope.getType()))
    return false;
  if (random.chance(0.6)) {
    StringRef flag = pickText(random, {"", "", "restrict_root "});
    Operation *match = insertText(
        spot->place, scope,
        withTypes(("%r = transform.foreach_match " + flag +
                   "in %h @mutant_strict -> @mutant_react : (&) -> &")
                      .str()));
    return goOnWith(match, scope, 0.85, random);
  }
  Operation *collect =
      insertText(spot->place, scope,
                 withTypes("%c = transform.collect_matching @mutant_strict in "
                           "%h : (&) -> &\n%k = transform.cast %c : & to &"));
  return collect &&
         insertOneOf(spot->place, collect->getResult(0), random, opSteps);
}
