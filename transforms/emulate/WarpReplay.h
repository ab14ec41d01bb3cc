//===- WarpReplay.h - Threads put together as a warp ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From what each lane of a warp did on its own, one after the other, to what
// the warp does as one. Layer: transforms. Knows nothing of LLVM IR or fibers.
//
// The model is that of a stack of masks: all lanes execute a block together;
// where they go apart, one path runs after the other, each up to the block
// where all paths from there meet again (the immediate post-dominator), and
// there the lanes go on together. Hardware may let paths take turns, which
// changes no count, or meet later, which it does rarely.
//
// Source: Fung, Sham, Yuan and Aamodt, "Dynamic warp formation and scheduling
// for efficient GPU control flow", MICRO 2007, section 2.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_WARPREPLAY_H
#define FORMWORK_TRANSFORMS_EMULATE_WARPREPLAY_H

#include "transforms/emulate/Profile.h"

#include "llvm/ADT/SmallVector.h"

namespace formwork::transforms::emulate {

/// The records of one lane that no replay has consumed yet.
struct LaneTrace {
  /// The blocks that it entered.
  std::vector<uint32_t> blocks;
  /// The address of each access in them; null for none.
  std::vector<uint64_t> addresses;
  /// It has left the kernel.
  bool done = false;
};

/// The workgroup memory of the running block, as addresses have it.
struct AddressRange {
  uint64_t begin = 0, bytes = 0;
};

class WarpReplay {
public:
  WarpReplay(const ProfiledModule &module, std::vector<BlockCounters> &blocks,
             std::vector<AccessCounters> &accesses)
      : module(module), blockCounters(blocks), accessCounters(accesses) {}

  /// Begins with `numLanes` lanes at the kernel's entry.
  void start(unsigned numLanes);

  /// Consumes and clears what `lanes` have recorded, as far as the warp comes.
  /// The blocks in them must be complete.
  void advance(llvm::ArrayRef<LaneTrace *> lanes, AddressRange workgroup);

private:
  static constexpr uint32_t none = ~uint32_t(0);
  struct Path {
    uint32_t block, join, mask;
    bool executed;
  };

  void execute(uint32_t block, uint32_t mask, llvm::ArrayRef<LaneTrace *> lanes,
               AddressRange workgroup);
  /// Moves the top path to its next block; false if that is not known yet.
  bool leave(llvm::ArrayRef<LaneTrace *> lanes);

  const ProfiledModule &module;
  std::vector<BlockCounters> &blockCounters;
  std::vector<AccessCounters> &accessCounters;
  llvm::SmallVector<Path> paths;
  bool entered = false;
  /// The consumed part of each lane's trace.
  std::array<size_t, 32> blocksRead = {}, addressesRead = {};
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_WARPREPLAY_H
