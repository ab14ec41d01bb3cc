//===- LateKinds.cpp - Breakage by what comes sooner or later -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/LateKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The first op of the block of `op` in which something reads a result of it;
/// null where nothing does.
static Operation *getFirstReader(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *reader = op->getBlock()->findAncestorOpInBlock(*user);
    if (reader && (!first || reader->isBeforeInBlock(first)))
      first = reader;
  }
  return first;
}

bool formwork::testing::matchLate(NamedSequenceOp entry, Random &random) {
  bool all = random.chance(0.5), changed = false;
  Ops steps = getSteps(entry), found;
  for (Operation *step : llvm::reverse(steps)) {
    auto match = dyn_cast<transform::MatchOp>(step);
    Operation *reader = match ? getFirstReader(step) : nullptr;
    if (reader && reader != step->getNextNode())
      found.push_back(step);
  }
  if (found.empty())
    return false;
  if (!all)
    found = {pickStep(found, random)};
  for (Operation *step : found) {
    Operation *reader = getFirstReader(step);
    // What it looks in may be consumed on the way.
    Value scope = cast<transform::MatchOp>(step).getTarget();
    Value other;
    for (Operation *next = step->getNextNode(); next != reader;
         next = next->getNextNode())
      if (consumes(next, other ? other : scope)) {
        if (next->getNumResults() == 0 ||
            next->getResult(0).getType() != scope.getType())
          break;
        other = next->getResult(0);
      }
    step->moveBefore(reader);
    if (other && random.chance(0.8))
      step->setOperand(0, other);
    changed = true;
  }
  return changed;
}

bool formwork::testing::bufferizeSooner(NamedSequenceOp entry, Random &random) {
  auto step = pickStep<transform::OneShotBufferizeOp>(entry, random);
  Operation *needed = step ? step.getTarget().getDefiningOp() : nullptr;
  if (!step)
    return false;
  Ops before;
  for (Operation *op = step->getPrevNode(); op && op != needed;
       op = op->getPrevNode())
    before.push_back(op);
  if (before.empty())
    return false;
  unsigned number = random.between(1, std::min<size_t>(before.size(), 5));
  Operation *place = before[number - 1];
  step->moveBefore(place);
  Value module = step->getResult(0);
  // What was found before is not there any more: most of it is matched anew.
  bool again = random.chance(0.7);
  for (Operation *op = step->getNextNode(); op; op = op->getNextNode())
    for (OpOperand &operand : op->getOpOperands()) {
      Value handle = operand.get();
      if (handle == step.getTarget() && handle != module) {
        operand.set(module);
        continue;
      }
      Operation *made = handle.getDefiningOp();
      StringRef kind = isOpHandle(handle) ? guessKind(handle) : "";
      if (!again || !made || made->getBlock() != step->getBlock() ||
          step->isBeforeInBlock(made) || made == step || kind.empty() ||
          !isa<transform::AnyOpType>(handle.getType()))
        continue;
      Value found = insertMatch(op, module, ("ops{[\"" + kind + "\"]}").str());
      if (!found)
        return false;
      operand.set(found);
    }
  return true;
}

bool formwork::testing::cleanOnce(NamedSequenceOp entry, Random &random) {
  Ops cleanUps = getCleanUps(entry);
  for (Operation *step : cleanUps)
    if (step->use_empty())
      step->erase();
  std::optional<Spot> spot =
      pickSpotOf(entry, random, [](StringRef kind) { return !kind.empty(); });
  if (!spot)
    return false;
  // Mostly where a phase ends: before buffers, vectors or threads.
  Operation *place = spot->place;
  if (random.chance(0.6))
    for (Operation *step : getOuterSteps(entry))
      if (isa<transform::OneShotBufferizeOp, transform::VectorizeOp,
              transform::VectorizeChildrenAndApplyPatternsOp>(step)) {
        place = step;
        break;
      }
  Value handle =
      pickVisible(place, random, [](StringRef kind) { return !kind.empty(); });
  Value functions = handle ? insertFunctions(place, handle) : Value();
  if (!functions || !isa<transform::AnyOpType>(functions.getType()))
    return false;
  StringRef thorough = pickText(
      random,
      {"transform.apply_patterns to %h {\n"
       "transform.apply_patterns.canonicalization\n"
       "transform.apply_patterns.linalg.tiling_canonicalization\n"
       "transform.apply_patterns.scf.for_loop_canonicalization\n"
       "transform.apply_patterns.tensor.merge_consecutive_insert_extract_"
       "slice\n"
       "} {apply_cse} : @\ntransform.apply_licm to %l : @",
       "transform.apply_cse to %h : @\ntransform.apply_licm to %l : @\n"
       "transform.apply_patterns to %h {\n"
       "transform.apply_patterns.canonicalization\n} : @",
       "transform.apply_patterns to %h {\n"
       "transform.apply_patterns.canonicalization\n"
       "transform.apply_patterns.tensor.fold_tensor_empty\n"
       "transform.apply_patterns.tensor.fold_tensor_subset_ops\n"
       "} {apply_cse} : @\ntransform.apply_dce to %h : @",
       "transform.apply_patterns to %h {\n"
       "transform.apply_patterns.canonicalization\n"
       "transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices\n"
       "} : @\ntransform.apply_cse to %h : @"});
  return insertSteps(place, functions,
                     ("%l = transform.structured.match "
                      "interface{LoopLikeInterface} in %h : (@) -> @\n" +
                      thorough)
                         .str());
}

/// Fuses what makes two operands of a tiled op into its parallel loop, in some
/// order.
static bool fuseTwoProducers(NamedSequenceOp entry, Random &random) {
  Ops found = getUntypedTilings(entry);
  llvm::erase_if(found, [](Operation *step) {
    return !isa<transform::TileUsingForallOp>(step);
  });
  Operation *tile = pickStep(found, random);
  if (!tile)
    return false;
  unsigned first = random.below(3);
  unsigned second = (first + random.between(1, 2)) % 3;
  Value handle = tile->getOperand(0);
  Operation *one = insertProducer(tile, handle, first);
  Operation *two = insertProducer(tile, handle, second);
  Operation *place = tile->getNextNode();
  Operation *fused =
      one && two ? insertFusion(place, one->getResult(0), tile->getResult(1))
                 : nullptr;
  return fused && insertFusion(place, two->getResult(0), fused->getResult(1));
}

bool formwork::testing::fuseInOtherOrder(NamedSequenceOp entry,
                                         Random &random) {
  using transform::FuseIntoContainingOp;
  SmallVector<std::pair<FuseIntoContainingOp, FuseIntoContainingOp>> pairs;
  for (Operation *step : getSteps(entry)) {
    auto first = dyn_cast<FuseIntoContainingOp>(step);
    if (!first)
      continue;
    for (Operation *next = step->getNextNode(); next;
         next = next->getNextNode()) {
      auto second = dyn_cast<FuseIntoContainingOp>(next);
      // Into one loop, by either of its handles.
      bool isSame =
          second && (second.getContainingOp() == first.getNewContainingOp() ||
                     second.getContainingOp() == first.getContainingOp());
      if (isSame && second.getProducerOp() != first.getFusedOp())
        pairs.push_back({first, second});
    }
  }
  if (pairs.empty())
    return fuseTwoProducers(entry, random);
  auto [first, second] = pairs[random.below(pairs.size())];
  Value one = first.getProducerOp(), two = second.getProducerOp();
  // The producer of the second may be found on the way.
  if (Operation *made = two.getDefiningOp();
      made && made->getBlock() == first->getBlock() &&
      first->isBeforeInBlock(made)) {
    if (!isLookup(made) ||
        llvm::any_of(getNeeded(made), [&](Operation *needed) {
          return needed == first || first->isBeforeInBlock(needed);
        }))
      return false;
    made->moveBefore(first);
  }
  if (one.getType() != two.getType())
    return false;
  first.getProducerOpMutable().set(two);
  second.getProducerOpMutable().set(one);
  // What reads the fused ops is told, mostly.
  if (!random.chance(0.85))
    return true;
  Value fusedOne = first.getFusedOp(), fusedTwo = second.getFusedOp();
  if (fusedOne.getType() != fusedTwo.getType())
    return false;
  Uses ofOne, ofTwo;
  for (OpOperand &use : fusedOne.getUses())
    ofOne.push_back(&use);
  for (OpOperand &use : fusedTwo.getUses())
    ofTwo.push_back(&use);
  for (OpOperand *use : ofOne) {
    Operation *reader =
        second->getBlock()->findAncestorOpInBlock(*use->getOwner());
    if (!second->isBeforeInBlock(reader))
      return false;
    use->set(fusedTwo);
  }
  for (OpOperand *use : ofTwo)
    use->set(fusedOne);
  return true;
}
