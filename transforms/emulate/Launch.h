//===- Launch.h - The execution of one launch -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the blocks of a launch one after the other, and the threads of a block
// as fibers that switch where they wait for each other. Layer: transforms.
// Knows the prepared module's tables and its entry point, not its IR.
//
// Vocabulary: a thread *waits* at a barrier of its block, or with the other
// lanes of its warp for a shuffle, vote, reduction or synchronization. It is
// *live* until it leaves the kernel.
//
// All of a launch happens on the calling host thread; two launches may run on
// two host threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_LAUNCH_H
#define FORMWORK_TRANSFORMS_EMULATE_LAUNCH_H

#include "transforms/emulate/DeviceModule.h"
#include "transforms/emulate/FiberStacks.h"
#include "transforms/emulate/GlobalShadow.h"
#include "transforms/emulate/ModuleInfo.h"
#include "transforms/emulate/WarpReplay.h"
#include "transforms/emulate/WorkgroupShadow.h"

#include <memory>

namespace formwork::transforms::emulate {

class Launch;

/// How the lanes of a warp combine their values.
enum class WarpOp : uint32_t {
  Sync,
  ShuffleIdx,
  ShuffleUp,
  ShuffleDown,
  ShuffleBfly,
  VoteAll,
  VoteAny,
  VoteUni,
  VoteBallot,
  ReduceAdd,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  ReduceMin,
  ReduceMax,
  ReduceUMin,
  ReduceUMax,
  MatchAny,
  MatchAll,
  ActiveMask,
  Matrix
};

/// The result that a barrier of the block returns to every thread, from the
/// predicates of all threads.
enum class BarrierOp : uint32_t { Sync, Popc, And, Or };

/// A `cp.async` that its thread has not waited for yet.
struct AsyncCopy {
  std::byte *target;
  std::byte *source;
  /// Bytes of the target; those beyond `sourceBytes` become zero.
  uint32_t bytes, sourceBytes;
  /// The places of the write of the target, and of the read of the source.
  uint32_t place, sourcePlace;
  /// How many groups the thread had committed before this one.
  uint64_t group;
};

/// The registers of a thread that prepared code can read, at the offsets of
/// these fields.
struct ThreadRegisters {
  Dim3 thread, blockSize, block, gridSize;
  uint32_t lane, warp, numWarps, dynamicBytes;
  /// Start of the block's workgroup memory.
  std::byte *workgroup;
};

/// One thread of the running block.
struct ThreadContext : ThreadRegisters {
  enum class State { Ready, AtBarrier, InWarp, Done };

  Launch *launch = nullptr;
  State state = State::Ready;
  /// Linear index in the block.
  uint32_t index = 0;
  /// Where it waits, or where it left the kernel.
  uint32_t place = 0;
  uint32_t warpEpoch = 0;
  /// The operation that the thread waits in: the barrier and its operation, or
  /// the warp's operation and its operands.
  uint32_t barrier = 0;
  BarrierOp barrierOp = BarrierOp::Sync;
  WarpOp warpOp = WarpOp::Sync;
  uint32_t mask = 0, value = 0, b = 0, c = 0;
  /// For a matrix instruction, the lane's words; in the fiber's stack.
  uint32_t *fragment = nullptr;
  /// The result of that operation.
  uint64_t result = 0;
  /// The fiber's saved context while it does not run.
  void *fiber = nullptr;
  /// Groups of asynchronous copies committed so far.
  uint64_t numGroups = 0;
  llvm::SmallVector<AsyncCopy, 4> copies;
  /// In a profile, the trace since the last barrier of the block.
  LaneTrace trace;
};

class Launch {
public:
  /// The prepared kernel: unpacks the arguments and runs one thread.
  using Entry = void (*)(ThreadRegisters *, void *const *);

  Launch(const ModuleInfo &module, const LaunchConfig &config, Entry entry,
         void *const *arguments);

  /// Runs all blocks, up to the first one whose threads wait forever. Errors:
  /// no memory for the stacks.
  llvm::Error run();

  LaunchReport takeReport() { return std::move(report); }

  // Running threads call the following functions.

  /// Takes note of an access of workgroup memory, or through an argument;
  /// returns the address to use for it: `address`, or that of bytes which do no
  /// harm.
  std::byte *access(ThreadContext &thread, std::byte *address, uint64_t bytes,
                    uint32_t place);
  /// Reports an address that breaks the promise of alignment of an instruction
  /// that was not found to access workgroup memory.
  void checkAlignment(ThreadContext &thread, const std::byte *address,
                      uint32_t place);
  /// Waits for the block, then returns the outcome of `op` over `value`.
  uint32_t waitAtBarrier(ThreadContext &thread, uint32_t barrier, BarrierOp op,
                         uint32_t value, uint32_t place);
  /// Waits for the lanes in `mask`. Returns this lane's result in the low half,
  /// a shuffle's predicate in bit 32.
  uint64_t waitInWarp(ThreadContext &thread, WarpOp op, uint32_t mask,
                      uint32_t value, uint32_t b, uint32_t c, uint32_t place);
  /// Performs the matrix instruction `op` (an encoded MatrixOp) on `fragment`
  /// together with the thread's warp.
  void waitForMatrix(ThreadContext &thread, uint32_t op, uint32_t *fragment,
                     uint32_t place);
  /// The same of one that loads or stores the row at `address`, if the lane has
  /// one.
  void loadMatrix(ThreadContext &thread, std::byte *address, uint32_t op,
                  uint32_t *fragment, uint32_t place);
  void storeMatrix(ThreadContext &thread, std::byte *address, uint32_t op,
                   uint32_t *fragment, uint32_t place);
  void startCopy(ThreadContext &thread, AsyncCopy copy);
  void commitCopies(ThreadContext &thread) { ++thread.numGroups; }
  /// Completes all groups but the latest `numPending`.
  void finishCopies(ThreadContext &thread, uint32_t numPending);
  void finishAllCopies(ThreadContext &thread);
  void failAssertion(ThreadContext &thread, uint32_t place);
  void exit(ThreadContext &thread, uint32_t place);

private:
  void startBlock();
  void runBlock();
  /// Runs each of `indices` that can run up to where it waits; false if none
  /// can.
  bool runReady(llvm::ArrayRef<uint32_t> indices);
  void resume(ThreadContext &thread);
  void suspend(ThreadContext &thread);
  /// Lets the lanes that `thread` waits with pass, if all of them are there.
  void releaseWarp(const ThreadContext &thread);
  /// In a profile, counts the records of the threads of `warp`, which stand at
  /// ends of blocks.
  void countWarp(size_t warp);
  void countBlock();
  /// Lets the lanes that asked for the active ones pass, once no other thread
  /// can run; false if there are none.
  bool releaseActiveLanes();
  llvm::MutableArrayRef<ThreadContext> getWarp(const ThreadContext &thread);
  /// Lets all threads pass the barrier that they wait at; false if they cannot.
  bool releaseBarrier();
  void reportDivergence(BarrierDivergence::Kind kind,
                        const ThreadContext &waiting,
                        const ThreadContext &other);
  /// The address to use instead of one that is out of bounds, once that has
  /// been reported.
  std::byte *reportOutOfBounds(const ThreadContext &thread, uint64_t offset,
                               uint64_t bytes, uint32_t place);
  void reportMisaligned(const ThreadContext &thread, uint64_t bytes,
                        uint32_t place, std::optional<MemoryLocation> where);
  std::byte *accessGlobal(ThreadContext &thread, std::byte *address,
                          uint64_t bytes, uint32_t place);
  void checkGlobalRaces(const ThreadContext &thread, uint64_t offset,
                        uint64_t bytes, uint32_t place);
  /// Finds the buffers that the kernel's arguments point to.
  void bindArguments();
  /// Bytes that a read out of bounds gets and a write may overwrite.
  std::byte *getScratch();
  /// Reports an access by `thread` of bytes that it copies at the same time.
  void checkOwnCopies(const ThreadContext &thread, uint64_t offset,
                      uint64_t bytes, uint32_t place);
  void checkRaces(ThreadContext &thread, uint64_t offset, uint64_t bytes,
                  uint32_t place);
  /// Pending copies of `thread` go on in the present epoch.
  void renewCopies(ThreadContext &thread);
  /// Reports what is wrong with the read of the source, and returns the address
  /// to read instead.
  std::byte *accessSource(ThreadContext &thread, const AsyncCopy &copy);
  void finishCopy(ThreadContext &thread, const AsyncCopy &copy);

  uint64_t getBufferBytes(const WorkgroupBuffer &buffer) const;
  MemoryLocation locate(uint64_t offset, std::optional<uint32_t> buffer) const;
  Access describe(uint32_t thread, uint32_t place, uint64_t bytes) const;

  const ModuleInfo &module;
  const KernelInfo &kernel;
  LaunchConfig config;
  Entry entry;
  void *const *arguments;
  LaunchReport report;

  /// Where the accesses of each place may go, in bytes of workgroup memory.
  struct Bounds {
    uint64_t first, bytes;
    /// The bits that an aligned offset does not have.
    uint64_t misalignment;
    /// The buffer in global memory, where that is accessed.
    GlobalBuffer *global = nullptr;
    /// Null if there was no memory for it.
    GlobalShadow *races = nullptr;
    bool throughArgument = false, onlyReads = false;
  };

  uint64_t workgroupBytes;
  std::vector<Bounds> bounds;
  std::vector<std::byte> workgroupMemory, scratch;
  std::byte *workgroup;
  std::optional<WorkgroupShadow> shadow;
  std::map<const GlobalBuffer *, GlobalShadow> globalShadows;
  /// The lanes of a warp that wait for others of it, and those that have left.
  struct WarpState {
    uint32_t waiting = 0, done = 0;
  };

  std::vector<ThreadContext> threads;
  std::vector<WarpState> warps;
  std::vector<uint32_t> order;
  bool samples = false;
  std::vector<BlockCounters> blockCounters;
  std::vector<AccessCounters> accessCounters;
  std::vector<WarpReplay> replays;
  Dim3 block;
  uint64_t epoch = 0;
  std::optional<FiberStacks> stacks;
  /// The saved context of `run` while a fiber runs.
  void *scheduler = nullptr;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_LAUNCH_H
