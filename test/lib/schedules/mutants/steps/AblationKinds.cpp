//===- AblationKinds.cpp - Breakage by leaving out ------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/AblationKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/TilingEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Leaves a fusion out: the producer stays where it is, and the loop is the
/// same. Whether the types let it.
static bool leaveOut(transform::FuseIntoContainingOp fuse) {
  Value fused = fuse.getFusedOp(), producer = fuse.getProducerOp();
  Value loop = fuse.getNewContainingOp(), before = fuse.getContainingOp();
  if ((!fused.use_empty() && fused.getType() != producer.getType()) ||
      (!loop.use_empty() && loop.getType() != before.getType()))
    return false;
  fused.replaceAllUsesWith(producer);
  loop.replaceAllUsesWith(before);
  fuse->erase();
  return true;
}

/// Takes back what reads `loop`, a loop that is not made any more: a fusion is
/// left out, and anything else goes with all that comes of it. Whether that is
/// possible.
static bool takeBackReaders(Value loop) {
  while (!loop.use_empty()) {
    OpOperand &use = *loop.getUses().begin();
    Operation *reader = use.getOwner();
    if (reader->hasTrait<OpTrait::IsTerminator>())
      return false;
    if (isa<transform::FuseIntoContainingOp>(reader) &&
        use.getOperandNumber() == 1) {
      // The producer stays where it is, and the loop is the same.
      Value producer = reader->getOperand(0), fused = reader->getResult(0);
      if (!fused.use_empty() && fused.getType() != producer.getType())
        return false;
      fused.replaceAllUsesWith(producer);
      if (!takeBackReaders(reader->getResult(1)))
        return false;
    } else {
      for (Value result : reader->getResults())
        if (!takeBackReaders(result))
          return false;
    }
    reader->erase();
  }
  return true;
}

/// Takes `tiling` back; what reads the tile reads the op.
static bool takeBack(Operation *tiling, bool keepsLoopSteps, Random &random) {
  Value op = tiling->getOperand(0), tile = tiling->getResult(0);
  if (op.getType() != tile.getType())
    return false;
  tile.replaceAllUsesWith(op);
  for (Value loop : tiling->getResults().drop_front()) {
    // A step for its loops may be done to those of another tiling.
    Value other =
        keepsLoopSteps ? pickVisible(tiling, random, isLoopKind) : Value();
    if (other && other.getType() == loop.getType())
      loop.replaceAllUsesWith(other);
    if (!takeBackReaders(loop))
      return false;
  }
  tiling->erase();
  return true;
}

bool formwork::testing::untile(NamedSequenceOp entry, Random &random) {
  Ops tilings = getSteps(entry);
  llvm::erase_if(tilings, [](Operation *step) {
    return !isa<transform::TileUsingForOp, transform::TileUsingForallOp,
                transform::FuseOp>(step);
  });
  Operation *tiling = pickStep(tilings, random);
  return tiling &&
         takeBack(tiling, /*keepsLoopSteps=*/random.chance(0.2), random);
}

bool formwork::testing::pruneUnread(NamedSequenceOp entry, Random &random) {
  // Once, or until there are no more; all of them, or what was noticed.
  unsigned rounds = random.chance(0.6) ? 1 : random.between(2, 4);
  double share = random.chance(0.6) ? 1.0 : 0.5;
  bool anyGone = false;
  for (unsigned round = 0; round < rounds; ++round) {
    Ops unread = getSteps(entry);
    llvm::erase_if(unread, [](Operation *step) {
      return step->getNumResults() == 0 || !step->use_empty();
    });
    // From the end, so that what stands in one of them goes before it.
    for (Operation *step : llvm::reverse(unread)) {
      if (!random.chance(share))
        continue;
      anyGone |= !isLookup(step);
      step->erase();
    }
  }
  return anyGone;
}

bool formwork::testing::unfuse(NamedSequenceOp entry, Random &random) {
  auto fuse = pickStep<transform::FuseIntoContainingOp>(entry, random);
  if (!fuse) {
    // A tiling that fused all producers fuses none.
    auto tile = pickStep<transform::FuseOp>(entry, random, isPlainFusion);
    return tile && replaceStep(tile, insertPlainTiling(tile));
  }
  // Mostly one level; or from this one on, or back to the first.
  SmallVector<transform::FuseIntoContainingOp> fusions{fuse};
  unsigned how = random.below(4);
  auto isFusionOf = [](Operation *user, Value fused) {
    auto next = dyn_cast_or_null<transform::FuseIntoContainingOp>(user);
    return next && next.getProducerOp() == fused;
  };
  for (bool found = how == 0; found;) {
    Value fused = fusions.back().getFusedOp();
    found = false;
    for (Operation *user : fused.getUsers())
      if (isFusionOf(user, fused)) {
        fusions.push_back(cast<transform::FuseIntoContainingOp>(user));
        found = true;
        break;
      }
  }
  if (how == 1)
    while (auto before = fusions.back()
                             .getProducerOp()
                             .getDefiningOp<transform::FuseIntoContainingOp>())
      fusions.push_back(before);
  return llvm::all_of(fusions, leaveOut);
}
