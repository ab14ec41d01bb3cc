//===- WorkgroupShadow.h - Happens-before on workgroup memory ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds data races on the workgroup memory of one block, from the accesses and
// barriers that its threads perform one after the other. Layer: transforms.
// Knows nothing of LLVM IR, fibers or memory contents.
//
// Two accesses *conflict* when they touch a common byte, come from different
// threads, one of them at least writes, and not both are atomic. They *race*
// when moreover nothing orders them. Two threads of a block are ordered by
// - a barrier of the whole block: it ends one *epoch* and starts the next;
//   accesses in different epochs are ordered;
// - a synchronization of a whole warp (`bar.warp.sync`): each warp counts its
//   own, and accesses by threads of one warp with different counts are ordered.
// Shuffles and votes order nothing, as in PTX. A `bar.warp.sync` of only some
// of a warp's threads orders nothing here, so code that relies on one is
// reported.
//
// Why the answer does not depend on the order in which threads run: the
// relation above is a function of (thread, epoch, warp count) of the two
// accesses only. All threads are in the same epoch at any time, so it is enough
// to remember, per byte, the accesses of the current epoch. If a race exists on
// a byte, then whichever of its two accesses comes second meets the first one
// in memory, or one that was kept instead of it: an access is dropped only if
// two others of the same kind are kept, from two different threads, and (in a
// kernel that has warp synchronizations) of the same warp and warp count; one
// of the two is not from the thread of the second access, so it races with that
// as well. *Which* pair is reported can depend on the order, *whether* one is
// cannot. The limit: the check sees the accesses that happen. When control flow
// or addresses depend on values that race, other orders may perform other
// accesses.
//
// Source: the epoch-per-byte form of vector clocks, Flanagan and Freund,
// "FastTrack: efficient and precise dynamic race detection", PLDI 2009.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_WORKGROUPSHADOW_H
#define FORMWORK_TRANSFORMS_EMULATE_WORKGROUPSHADOW_H

#include "transforms/emulate/LaunchReport.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::transforms::emulate {

/// One access as the shadow keeps it.
struct ShadowEvent {
  /// Index of the place in the kernel's module.
  uint32_t place;
  /// How many synchronizations of its whole warp the thread had passed.
  uint32_t warpEpoch;
  /// Linear index of the thread in its block.
  uint16_t thread;
  AccessKind kind;
};

class WorkgroupShadow {
public:
  /// `granule` is a power of two; it must divide the offset and the size of
  /// every access. Tracking granules is then the same as tracking bytes.
  /// `warpEpochs` says whether an event's warp epoch can be other than zero.
  WorkgroupShadow(uint64_t bytes, uint32_t granule, bool warpEpochs);

  /// Forgets all accesses: a barrier of the block, or another block.
  void advanceEpoch() { ++epoch; }

  /// Takes note of an access of [offset, offset + bytes), and calls `onRace`
  /// with an earlier access that races with it and the offset where it does, if
  /// there is one. Cost: a few comparisons per granule.
  void access(uint64_t offset, uint64_t bytes, const ShadowEvent &event,
              llvm::function_ref<void(const ShadowEvent &, uint64_t)> onRace) {
    if (event.kind != AccessKind::Read || !isSettled(offset, bytes))
      accessUnsettled(offset, bytes, event, onRace);
  }

private:
  /// Whether another read of these bytes, whosever it is, neither races nor has
  /// to be remembered. This is so in most accesses of most kernels.
  bool isSettled(uint64_t offset, uint64_t bytes) const {
    for (uint64_t i = offset >> granuleLog2,
                  end = (offset + bytes) >> granuleLog2;
         i != end; ++i)
      if (settled[i] != epoch)
        return false;
    return true;
  }

  void accessUnsettled(
      uint64_t offset, uint64_t bytes, const ShadowEvent &event,
      llvm::function_ref<void(const ShadowEvent &, uint64_t)> onRace);

  /// Whether `a` and `b` are of the same kind and race with the same accesses
  /// of third threads.
  bool isAlike(const ShadowEvent &a, const ShadowEvent &b) const;

  struct Cell {
    uint64_t epoch = 0;
    llvm::SmallVector<ShadowEvent, 4> events;
  };

  std::vector<Cell> cells;
  /// For each cell, the last epoch in which it held two reads that are alike,
  /// and nothing else.
  std::vector<uint64_t> settled;
  uint64_t epoch = 1;
  uint32_t granuleLog2;
  bool warpEpochs;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_WORKGROUPSHADOW_H
