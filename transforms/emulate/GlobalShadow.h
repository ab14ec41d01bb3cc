//===- GlobalShadow.h - Happens-before on global memory ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds data races on one buffer in global memory within one launch. Layer:
// transforms. Knows nothing of LLVM IR, fibers or memory contents.
//
// Two accesses race when they touch a common byte, come from different threads,
// one of them writes, not both are atomic, and nothing orders them. Within a
// launch only a barrier of the block orders two threads, and only of one block;
// threads of different blocks are never ordered.
//
// Per granule, the latest write and two reads are kept. That is enough to find
// a race on each granule that has one, whatever order the blocks and threads
// run in, but for plain accesses that race with an atomic that another atomic
// of the same granule followed:
// - a write that is ordered before a kept one is ordered before all that the
//   kept one is ordered before; one that is not ordered before it races with it
//   and has been reported;
// - of reads, two from different blocks are kept if there are: any write races
//   with one of them. Otherwise those of the block's latest epoch, from two
//   threads if there are: the writes that can come race with all or none of the
//   block's other reads of that epoch, and with none of an earlier one.
//
// Source: Flanagan and Freund, "FastTrack: efficient and precise dynamic race
// detection", PLDI 2009, which keeps a vector of reads in general.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_GLOBALSHADOW_H
#define FORMWORK_TRANSFORMS_EMULATE_GLOBALSHADOW_H

#include "transforms/emulate/LaunchReport.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdlib>
#include <memory>

namespace formwork::transforms::emulate {

/// One access as the shadow keeps it.
struct GlobalEvent {
  /// Linear index of the block in the grid.
  uint32_t block;
  /// Index of the place in the kernel's module, plus one; zero: no access.
  uint32_t place;
  /// Barriers of the block that the thread had passed; counts to 2^20 - 1.
  uint32_t epoch : 20;
  /// Linear index of the thread in its block.
  uint32_t thread : 10;
  uint32_t atomic : 1;
  uint32_t write : 1;

  explicit operator bool() const { return place != 0; }
  bool isSameThread(const GlobalEvent &other) const {
    return block == other.block && thread == other.thread;
  }
};

class GlobalShadow {
public:
  /// `granule` is a power of two. Tracking granules is the same as tracking
  /// bytes when it divides the offset and the size of every access.
  /// `warpsInStep` leaves out pairs of one warp, which a synchronization of the
  /// warp may order.
  GlobalShadow(uint64_t bytes, uint32_t granule, bool warpsInStep);

  /// False if there was no memory for the shadow; then nothing may be called.
  bool isAllocated() const { return cells && settled; }

  /// Whether another read of these bytes, whosever it is, neither races nor has
  /// to be remembered. This is so in most accesses of most kernels.
  bool isSettled(uint64_t offset, uint64_t bytes) const {
    for (uint64_t i = offset >> granuleLog2,
                  last = (offset + bytes - 1) >> granuleLog2;
         i <= last; ++i)
      if (!settled[i])
        return false;
    return true;
  }

  /// Takes note of an access of [offset, offset + bytes), and calls `onRace`
  /// with an earlier access that races with it and the offset where it does, if
  /// there is one. Cost: a few comparisons per granule.
  void access(uint64_t offset, uint64_t bytes, const GlobalEvent &event,
              llvm::function_ref<void(const GlobalEvent &, uint64_t)> onRace);

private:
  struct Cell {
    GlobalEvent write;
    GlobalEvent reads[2];
  };
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  bool isRace(const GlobalEvent &a, const GlobalEvent &b) const;
  /// Whether reads from two blocks are kept.
  static bool hasTwoBlocks(const Cell &cell) {
    return cell.reads[1] && cell.reads[0].block != cell.reads[1].block;
  }
  static void addRead(Cell &cell, const GlobalEvent &event);

  /// Zeroed by the system when they are first touched.
  std::unique_ptr<Cell[], Free> cells;
  /// For each cell, whether it holds reads from two blocks and no write.
  std::unique_ptr<bool[], Free> settled;
  uint32_t granuleLog2;
  bool warpsInStep;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_GLOBALSHADOW_H
