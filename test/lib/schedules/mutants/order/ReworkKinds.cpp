//===- ReworkKinds.cpp - Breakage by a rework of steps --------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/ReworkKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

static bool isAnyOp(Value value) {
  return isa<transform::AnyOpType>(value.getType());
}

/// The handle read before `place` by an author who lacks the one to a `kind`,
/// made by the loop over `over`: matched again, another one, or the old one.
static Value getSubstitute(NamedSequenceOp entry, Operation *place,
                           StringRef kind, Value over, Random &random) {
  Value root = getRootAtEnd(entry);
  if (root && random.chance(0.3)) {
    std::string what = kind.empty() || kind == "linalg.generic"
                           ? "interface{LinalgOp}"
                           : "ops{[\"" + kind.str() + "\"]}";
    Operation *match =
        insertText(place, root,
                   "%m = transform.structured.match " + what + " in %h : (" +
                       getTypeText(root) + ") -> " + anyOp);
    return match ? Value(match->getResult(0)) : Value();
  }
  if (random.chance(0.7))
    return pickVisible(place, random, [&](StringRef fits) {
      return isLoopKind(kind) ? isLoopKind(fits) : isStructuredKind(fits);
    });
  return over;
}

bool formwork::testing::forgottenResult(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 4);
  if (run.empty() || run.front()->getNumOperands() == 0 ||
      !isOpHandle(run.front()->getOperand(0)))
    return false;
  Value over = run.front()->getOperand(0);
  transform::ForeachOp loop = moveIntoForeach(run, over);
  unsigned numResults = loop->getNumResults();
  if (numResults == 0)
    return false;
  unsigned forgotten = random.below(numResults);
  Operation *end = loop.getBody().front().getTerminator();
  StringRef kind = guessKind(end->getOperand(forgotten));
  Value substitute =
      getSubstitute(entry, loop->getNextNode(), kind, over, random);
  Value lost = loop->getResult(forgotten);
  if (!substitute || substitute == lost ||
      substitute.getType() != lost.getType())
    return false;
  lost.replaceAllUsesWith(substitute);
  end->eraseOperand(forgotten);

  OperationState state(loop.getLoc(), loop->getName());
  state.addOperands(loop->getOperands());
  state.addAttributes(loop->getAttrs());
  for (OpResult result : loop->getResults())
    if (result != lost)
      state.addTypes(result.getType());
  state.addRegion()->takeBody(loop.getBody());
  Operation *shorter = OpBuilder(loop).create(state);
  for (unsigned i = 0, to = 0; i < numResults; ++i)
    if (i != forgotten)
      loop->getResult(i).replaceAllUsesWith(shorter->getResult(to++));
  loop->erase();
  return true;
}

bool formwork::testing::partOfMerge(NamedSequenceOp entry, Random &random) {
  Ops consumers;
  for (Operation *op : getSteps(entry))
    if (op->getNumOperands() != 0 && isAnyOp(op->getOperand(0)) &&
        isStructuredKind(guessKind(op->getOperand(0))) &&
        consumes(op, op->getOperand(0)))
      consumers.push_back(op);
  Operation *op = pickStep(consumers, random);
  if (!op)
    return false;
  Value handle = op->getOperand(0);
  Value other = pickVisible(op, random, isStructuredKind);
  if (!other || other == handle || random.chance(0.15)) {
    // The op that it goes back to, found once more; or the maker of an operand.
    Operation *made = handle.getDefiningOp();
    if (isa_and_nonnull<transform::MatchOp>(made) && random.chance(0.8))
      made = OpBuilder(op).clone(*made);
    else
      made = insertProducer(op, handle, guessProduced(handle, random));
    other = made ? Value(made->getResult(0)) : Value();
  }
  if (!other || !isAnyOp(other))
    return false;
  Operation *place =
      random.chance(0.5) ? op->getNextNode() : op->getBlock()->getTerminator();
  StringRef read =
      pickText(random, {"transform.annotate %m \"mutant.part\" : @",
                        "%p = transform.get_parent_op %m {deduplicate} : (@) "
                        "-> @\ntransform.annotate %p \"mutant.part\" : @"});
  std::string merge = "%m = transform.merge_handles %h, %h1 : @\n";
  switch (random.below(4)) {
  case 0:
    // Matches the kind that it was, where it is still that or no longer is.
    return insertText(
        random.chance(0.6) ? op : place, {handle, other},
        fillIn(merge +
                   (random.chance(0.5) ? ""
                                       : "%n = transform.merge_handles "
                                         "deduplicate %m, %h : @\n") +
                   read.str(),
               '@', anyOp));
  case 1: {
    Operation *made =
        insertText(op, {handle, other}, fillIn(StringRef(merge), '@', anyOp));
    return insertText(place, made->getResult(0),
                      fillIn("%a, %b = transform.split_handle %h : (@) -> (@, "
                             "@)\ntransform.annotate %b \"mutant.part\" : @",
                             '@', anyOp));
  }
  case 2:
    // Matches what came of it.
    if (op->getNumResults() == 0 || !isAnyOp(op->getResult(0)))
      return false;
    return insertText(place, {op->getResult(0), other},
                      fillIn(merge + read.str(), '@', anyOp));
  default: {
    Operation *split = insertText(
        op, {handle, other},
        fillIn(merge +
                   (random.chance(0.3) ? read.str() + "\n" : std::string()) +
                   "%a, %b = transform.split_handle %m : (@) -> (@, @)",
               '@', anyOp));
    if (!split)
      return false;
    rebindToResult(split, handle, 0);
    if (random.chance(0.5))
      rebindToResult(split, other, 1);
    return true;
  }
  }
}

bool formwork::testing::firstAndRest(NamedSequenceOp entry, Random &random) {
  Uses uses = getUsesOfMatched(entry);
  llvm::erase_if(uses, [](OpOperand *use) {
    return !isAnyOp(use->get()) ||
           use->getOwner()->hasTrait<OpTrait::IsTerminator>();
  });
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Operation *step = use->getOwner();
  Value handle = use->get();
  StringRef manner = pickText(
      random, {"{fail_on_payload_too_small = false}",
               "{fail_on_payload_too_small = false}",
               "{fail_on_payload_too_small = false}",
               "{fail_on_payload_too_small = false}", "{overflow_result = 1}",
               "", "{overflow_result = 1, fail_on_payload_too_small = false}"});
  Operation *split = insertText(step, handle,
                                fillIn("%a, %b = transform.split_handle %h " +
                                           manner.str() + " : (@) -> (@, @)",
                                       '@', anyOp));
  if (!split)
    return false;
  Value first = split->getResult(0), rest = split->getResult(1);
  use->set(first);
  Operation *place = step->getNextNode();
  if (random.chance(0.3)) {
    // The rest is only looked at.
    if (!insertText(place, rest,
                    fillIn("transform.foreach %h : @ {\n^bb0(%x: @):\n"
                           "transform.annotate %x \"mutant.rest\" : @\n}",
                           '@', anyOp)))
      return false;
    return random.chance(0.7) || rebindBehind(step, handle, rest);
  }
  IRMapping mapping;
  mapping.map(first, rest);
  Operation *copy = OpBuilder(place).clone(*step, mapping);
  // Readers of the results read those of both, or of the first.
  bool joins = random.chance(0.6);
  for (auto [one, two] :
       llvm::zip_equal(step->getResults(), copy->getResults()))
    if (joins && isAnyOp(one) && !one.use_empty()) {
      Operation *merge = insertText(
          place, {one, two},
          fillIn("%m = transform.merge_handles %h, %h1 : @", '@', anyOp));
      rebindBehind(merge, one, merge->getResult(0));
    }
  return true;
}

bool formwork::testing::earlierInChain(NamedSequenceOp entry, Random &random) {
  auto isTiling = [](Operation *op) {
    return isa<transform::TileUsingForOp, transform::TileUsingForallOp>(op);
  };
  Ops found;
  for (Operation *op : getSteps(entry)) {
    auto read = op->getNumOperands() == 0
                    ? OpResult()
                    : dyn_cast<OpResult>(op->getOperand(0));
    Operation *before = read ? read.getOwner() : nullptr;
    if (!before || before->getBlock() != op->getBlock() ||
        before->getNumOperands() == 0 || isa<transform::MatchOp>(before) ||
        (isTiling(op) && isTiling(before)) ||
        (op->getName() == before->getName() &&
         op->getAttrDictionary() == before->getAttrDictionary()) ||
        (isa<transform::AnnotateOp>(op) && random.chance(0.8)) ||
        before->getOperand(0).getType() != read.getType())
      continue;
    // A step that only reads or changes in place may stand anywhere; else the
    // result has to be a handle to the same.
    if (op->getNumResults() == 0 ||
        op->getResult(0).getType() == read.getType())
      found.push_back(op);
  }
  Operation *second = pickStep(found, random);
  if (!second)
    return false;
  auto read = cast<OpResult>(second->getOperand(0));
  Operation *first = read.getOwner();
  second->setOperand(0, first->getOperand(0));
  if (second->getNumResults() != 0) {
    Value made = second->getResult(0);
    made.replaceAllUsesWith(read);
    if (random.chance(0.9))
      first->setOperand(0, made);
  }
  second->moveBefore(first);
  return true;
}

bool formwork::testing::swapMatches(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::MatchOp> matches;
  for (Operation *op : getSteps(entry))
    if (auto match = dyn_cast<transform::MatchOp>(op))
      if (!isScopeKind(guessKind(match.getResult())) || random.chance(0.1))
        matches.push_back(match);
  if (matches.size() < 2)
    return false;
  transform::MatchOp one = matches[random.below(matches.size())];
  transform::MatchOp two = matches[random.below(matches.size())];
  DictionaryAttr ofOne = one->getAttrDictionary();
  DictionaryAttr ofTwo = two->getAttrDictionary();
  if (ofOne == ofTwo)
    return false;
  // Some copy the one, and forget the other.
  if (random.chance(0.8))
    one->setAttrs(ofTwo);
  two->setAttrs(ofOne);
  return true;
}
