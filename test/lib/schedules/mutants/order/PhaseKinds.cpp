//===- PhaseKinds.cpp - Breakage by phases --------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/PhaseKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::postponeBranch(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  llvm::erase_if(steps, [](Operation *step) { return step->use_empty(); });
  Operation *first = pickStep(steps, random);
  if (!first || entry.getBody().front().getTerminator()->getNumOperands() != 0)
    return false;
  llvm::SetVector<Operation *> branch;
  branch.insert(first);
  Ops order;
  bool passes = false;
  for (Operation *step = first; !step->hasTrait<OpTrait::IsTerminator>();
       step = step->getNextNode()) {
    bool depends = step == first;
    step->walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        depends |= branch.contains(value.getDefiningOp());
    });
    if (!depends) {
      passes |= !isLookup(step);
      continue;
    }
    branch.insert(step);
    order.push_back(step);
  }
  if (!passes)
    return false;
  for (Operation *step : order)
    step->moveBefore(entry.getBody().front().getTerminator());
  return true;
}

/// Inserts a match in `root` of what `handle` most likely holds: by what it was
/// matched by at first, or by its kind. Itself where that is not known.
static Value insertLookup(Operation *place, Value handle, Value root,
                          bool byKind) {
  StringRef kind = guessKind(handle);
  for (Value from = handle; kind.empty();) {
    Operation *made = from.getDefiningOp();
    if (!made || made->getNumOperands() == 0)
      return handle;
    from = made->getOperand(0);
    kind = guessKind(from);
  }
  if (kind == "builtin.module")
    return root;
  transform::MatchOp origin = getOrigin(handle);
  Operation *match = nullptr;
  if (origin && !byKind && isStructuredKind(kind) &&
      origin->getOperand(0).getType() == root.getType()) {
    match = OpBuilder(place).clone(*origin);
    match->setOperand(0, root);
  } else {
    match = insertText(place, root,
                       "%m = transform.structured.match ops{[\"" + kind +
                           "\"]} in %h : (" + getTypeText(root) + ") -> " +
                           getTypeText(handle));
  }
  return match && match->getResult(0).getType() == handle.getType()
             ? match->getResult(0)
             : handle;
}

/// Lets the steps behind `place` look in `root` for what they read of the steps
/// before it, each in a `share` of the cases. How many handles it was.
static unsigned insertLookups(Operation *place, Value root, double share,
                              Random &random) {
  Values before = getVisibleHandles(place);
  bool byKind = random.chance(0.35);
  unsigned number = 0;
  Block *block = place->getBlock();
  for (Value handle : before) {
    auto isBehind = [&](OpOperand &use) {
      Operation *step = block->findAncestorOpInBlock(*use.getOwner());
      return step && !step->isBeforeInBlock(place);
    };
    if (handle == root || llvm::none_of(handle.getUses(), isBehind) ||
        !random.chance(share))
      continue;
    Value found = insertLookup(place, handle, root, byKind);
    if (found == handle)
      continue;
    handle.replaceUsesWithIf(found, isBehind);
    ++number;
  }
  return number;
}

/// The step of the schedule at which its second half starts, or null. Some
/// steps stand on either side.
static Operation *pickMiddle(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  if (steps.size() < 4 ||
      entry.getBody().front().getTerminator()->getNumOperands() != 0 ||
      entry.getBody().getNumArguments() == 0)
    return nullptr;
  return steps[random.between(2, steps.size() - 1)];
}

bool formwork::testing::skipHead(NamedSequenceOp entry, Random &random) {
  Operation *middle = pickMiddle(entry, random);
  if (!middle)
    return false;
  Block &block = entry.getBody().front();
  Operation *last = middle->getPrevNode();
  insertLookups(middle, block.getArgument(0), /*share=*/1.0, random);
  // The first steps stay as far as they are needed still.
  bool anyGone = false;
  for (Operation *step = last; step;) {
    Operation *before = step->getPrevNode();
    if (step->use_empty()) {
      anyGone |= !isLookup(step);
      step->erase();
    }
    step = before;
  }
  return anyGone;
}

bool formwork::testing::secondPhase(NamedSequenceOp entry, Random &random) {
  Operation *middle = pickMiddle(entry, random);
  if (!middle)
    return false;
  Block &block = entry.getBody().front();
  Value root = block.getArgument(0);
  for (Operation &step : block)
    if (&step == middle)
      break;
    else if (consumes(&step, root))
      return false;
  // Some handles may be passed on all the same.
  Operation *last = middle->getPrevNode();
  double share = random.chance(0.7) ? 1.0 : 0.6;
  if (insertLookups(middle, root, share, random) == 0)
    return false;
  Ops phase;
  for (Operation *step = last->getNextNode();
       !step->hasTrait<OpTrait::IsTerminator>(); step = step->getNextNode())
    phase.push_back(step);
  moveIntoSequence(entry, phase, "mutant_phase",
                   /*suppress=*/random.chance(0.1));
  return true;
}
