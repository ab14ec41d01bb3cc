//===- LaunchReport.h - What an emulated launch did wrong -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The defects of one kernel launch, as values: data races on workgroup and
// global memory, barriers that not all threads reach, accesses out of bounds or
// at a misaligned address. Layer: transforms. Knows nothing of LLVM IR, of
// fibers, or of how the defects were found.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_LAUNCHREPORT_H
#define FORMWORK_TRANSFORMS_EMULATE_LAUNCHREPORT_H

#include "transforms/emulate/Profile.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace formwork::transforms::emulate {

enum class AccessKind {
  Read,
  Write,
  Atomic,
  /// A write that happens at some time between `cp.async` and the wait for it.
  AsyncWrite
};

llvm::StringRef getName(AccessKind kind);

/// One access by one thread, of workgroup memory unless stated otherwise.
struct Access {
  Place place;
  AccessKind kind = AccessKind::Read;
  uint64_t bytes = 0;
  /// Position of the thread in its block.
  Dim3 thread;
  /// How many block-wide barriers the thread had passed.
  uint64_t epoch = 0;
};

/// A byte of memory in the user's terms. `offset` counts from
/// the start of `buffer`; it can be negative for an access out of bounds.
struct MemoryLocation {
  std::string buffer;
  int64_t offset = 0;
};

/// Two accesses of the same byte by different threads, at least one of them a
/// write and not both atomic, that no barrier orders.
struct Race {
  Access first, second;
  std::string kernel;
  Dim3 block;
  MemoryLocation where;
};

/// The same of a byte of global memory; the threads may be of two blocks.
struct GlobalRace {
  Access first, second;
  std::string kernel;
  Dim3 firstBlock, secondBlock;
  MemoryLocation where;
};

/// Threads wait for each other in a way that never ends or that the hardware
/// leaves undefined.
struct BarrierDivergence {
  enum class Kind {
    /// `other` left the kernel, `waiting` waits for it.
    Exited,
    /// `other` waits at a different barrier.
    DifferentBarrier,
    /// A matrix instruction takes 32 lanes, and the last warp of the block has
    /// fewer. `other` is `waiting`.
    PartialWarp
  };
  Kind kind = Kind::Exited;
  Place waiting, other;
  Dim3 waitingThread, otherThread;
  std::string kernel;
  Dim3 block;
};

/// An access that does not lie within the buffer that it addresses. It was not
/// carried out: a read gave bytes of 0xFF, a write had no effect.
struct OutOfBounds {
  Access access;
  std::string kernel;
  Dim3 block;
  MemoryLocation where;
  uint64_t bufferBytes = 0;
};

/// An access at an address that is not a multiple of what the instruction
/// promises: a trap on the hardware.
struct Misaligned {
  Access access;
  std::string kernel;
  Dim3 block;
  /// Nothing if the access is not of workgroup memory.
  std::optional<MemoryLocation> where;
  uint64_t alignment = 1;
};

/// An assertion of the program that does not hold: a trap on the hardware. The
/// thread went on.
struct FailedAssertion {
  Place place;
  std::string message;
  Dim3 thread;
  std::string kernel;
  Dim3 block;
};

/// The first witness of a kind of defect for each pair of places (or each
/// place), at most `maxWitnesses` of them, in the order in which they were
/// found. Ranges over the witnesses.
template <typename T> class Witnesses {
public:
  static constexpr size_t maxWitnesses = 16;

  auto begin() const { return list.begin(); }
  auto end() const { return list.end(); }
  bool empty() const { return list.empty(); }
  size_t size() const { return list.size(); }
  const T &front() const { return list.front(); }
  /// How many pairs of places have a defect that is not listed.
  uint64_t getNumOmitted() const { return numOmitted; }

  /// Adds the defect that `make` builds, between the places with the indices
  /// `a` and `b`, unless one is known between them.
  template <typename MakeT> void add(uint32_t a, uint32_t b, MakeT make) {
    if (!seen.insert(std::minmax(a, b)).second)
      return;
    if (list.size() < maxWitnesses)
      list.push_back(make());
    else
      ++numOmitted;
  }

private:
  std::vector<T> list;
  std::set<std::pair<uint32_t, uint32_t>> seen;
  uint64_t numOmitted = 0;
};

/// The defects of one launch.
struct LaunchReport {
  /// How many blocks were run, or were to be run.
  uint64_t numBlocks = 0;
  /// Static and dynamic workgroup memory of a block, as the device lays it out.
  uint64_t workgroupBytes = 0;
  /// The profile, if the module was loaded for one.
  std::optional<LaunchProfile> profile;
  Witnesses<Race> races;
  Witnesses<BarrierDivergence> divergences;
  Witnesses<OutOfBounds> outOfBounds;
  /// Accesses through kernel arguments.
  Witnesses<OutOfBounds> globalOutOfBounds;
  Witnesses<GlobalRace> globalRaces;
  Witnesses<Misaligned> misaligned;
  Witnesses<FailedAssertion> failedAssertions;

  bool ok() const {
    return races.empty() && divergences.empty() && outOfBounds.empty() &&
           misaligned.empty() && globalOutOfBounds.empty() &&
           globalRaces.empty() && failedAssertions.empty();
  }
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_LAUNCHREPORT_H
