//===- Profile.h - What a launch costs, counted -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counters of a profiler, as values: of each memory instruction and of each
// basic block of a module, for one launch. Layer: transforms. Knows nothing of
// LLVM IR, nor of how threads run.
//
// A *request* is one execution of a memory instruction by a warp. A *sector* is
// 32 aligned bytes of global memory; a request moves each sector once that one
// of its lanes touches. Workgroup memory has 32 *banks* of 4 bytes. A
// *wavefront* takes one word of each bank, to all lanes that want it; a request
// takes its lanes together where each accesses 4 bytes or fewer, by halves of
// the warp for 8 bytes and by quarters for 16, and so takes as many wavefronts
// as the most words that it wants of one bank, summed over these parts.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_PROFILE_H
#define FORMWORK_TRANSFORMS_EMULATE_PROFILE_H

#include "transforms/emulate/Place.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>
#include <vector>

namespace formwork::transforms::emulate {

/// The unit that an instruction occupies.
enum class InstructionClass : uint8_t {
  Tensor,
  Float,
  Special,
  Integer,
  GlobalLoad,
  GlobalStore,
  WorkgroupLoad,
  WorkgroupStore,
  AsyncCopy,
  Local,
  Exchange,
  Barrier,
  Branch,
  Other
};
inline constexpr unsigned numInstructionClasses =
    unsigned(InstructionClass::Other) + 1;

/// "tensor core", "global load", …
llvm::StringRef getName(InstructionClass kind);

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

/// How many sectors the lanes' accesses of `bytes` each touch.
/// Example: 32 lanes that read 4 bytes each, one after the other, touch 4.
unsigned countSectors(llvm::ArrayRef<uint64_t> addresses, unsigned bytes);

/// How many wavefronts a request takes, and how many it would take if no two
/// words of a part of it were in one bank.
struct Wavefronts {
  unsigned taken = 0, least = 0;
};

/// `lanes[i]` makes an access of `bytes` at `offsets[i]`. Lanes ascend.
/// Example: 32 lanes that read 4 bytes with a stride of 8 take 2, 1 at least.
Wavefronts countWavefronts(llvm::ArrayRef<uint64_t> offsets,
                           llvm::ArrayRef<unsigned> lanes, unsigned bytes);

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// A memory instruction of a block.
struct ProfiledAccess {
  uint32_t site = 0;
  InstructionClass kind = InstructionClass::Other;
  uint32_t bytes = 0;
  /// The lanes from this one on access nothing.
  uint32_t numLanes = 32;
};

/// A basic block, or a part of one up to a barrier.
struct ProfiledBlock {
  struct Instruction {
    uint32_t site;
    InstructionClass kind;
  };
  std::vector<Instruction> instructions;
  /// Indices into the module's accesses, in the order in which they happen.
  std::vector<uint32_t> accesses;
  /// Where lanes that go apart at its end meet again; none: at the end of the
  /// kernel.
  std::optional<uint32_t> join;
  /// Where it ends in a branch with a condition.
  std::optional<uint32_t> branchSite;
};

struct ProfiledModule {
  std::vector<Place> sites;
  std::vector<ProfiledBlock> blocks;
  std::vector<ProfiledAccess> accesses;
};

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

struct AccessCounters {
  uint64_t requests = 0;
  /// Global memory: sectors, and the bytes that lanes request.
  uint64_t globalRequests = 0, sectors = 0, globalBytes = 0;
  /// Workgroup memory.
  uint64_t workgroupRequests = 0, wavefronts = 0, leastWavefronts = 0,
           workgroupBytes = 0;

  AccessCounters &operator+=(const AccessCounters &other);
};

struct BlockCounters {
  /// Executions by warps; the lanes that took part, summed; executions after
  /// which the lanes went apart.
  uint64_t warps = 0, lanes = 0, divergent = 0;
};

/// The counts of one place of the source.
struct SiteProfile {
  Place place;
  std::array<uint64_t, numInstructionClasses> warpInstructions = {};
  uint64_t laneInstructions = 0;
  uint64_t branches = 0, divergentBranches = 0;
  AccessCounters memory;
};

/// One launch, complete.
struct LaunchProfile {
  std::array<uint64_t, numInstructionClasses> warpInstructions = {};
  /// Executed by lanes: at most 32 times that of warps.
  uint64_t laneInstructions = 0;
  uint64_t branches = 0, divergentBranches = 0;
  AccessCounters globalLoads, globalStores, workgroupLoads, workgroupStores,
      asyncCopies;
  /// Those that were executed, in the order of the source.
  std::vector<SiteProfile> sites;

  uint64_t getNumWarpInstructions() const;
};

/// Adds up what the blocks and accesses of `module` counted.
LaunchProfile summarize(const ProfiledModule &module,
                        llvm::ArrayRef<BlockCounters> blocks,
                        llvm::ArrayRef<AccessCounters> accesses);

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

/// How many blocks a multiprocessor of the emulated architecture (sm_90) holds
/// at a time.
struct Occupancy {
  unsigned blocks = 0, warps = 0, maxWarps = 64;
  /// The limiting resource: "threads", "blocks", "registers", "workgroup
  /// memory".
  llvm::StringRef limit;
};

/// Without `registers` a thread, as if they limited nothing.
/// Source: CUDA C++ Programming Guide, compute capability 9.0: 2048 threads,
/// 32 blocks, 65536 registers in units of 256 a warp, 228 KiB of which each
/// block takes 1 KiB more than it asks for.
Occupancy computeOccupancy(uint64_t threads, uint64_t workgroupBytes,
                           std::optional<unsigned> registers);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_PROFILE_H
