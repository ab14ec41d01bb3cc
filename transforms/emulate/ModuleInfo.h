//===- ModuleInfo.h - What the emulator knows of a module -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables that the preparation of a device module leaves for its execution:
// places in the source, workgroup buffers, kernels. Layer: transforms. Knows
// nothing of LLVM IR; prepared code refers to places by their index here.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_MODULEINFO_H
#define FORMWORK_TRANSFORMS_EMULATE_MODULEINFO_H

#include "transforms/emulate/LaunchReport.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace formwork::transforms::emulate {

/// An instruction that the runtime has to know: an access that is checked, a
/// synchronization, or the end of a kernel.
struct PlaceInfo {
  Place place = {};
  /// For accesses only, as all that follows.
  AccessKind kind = AccessKind::Read;
  /// Zero if the instruction does not say.
  uint64_t bytes = 0;
  /// The alignment that the instruction promises for its address, in bytes.
  uint32_t alignment = 1;
  /// Index of the only buffer that the address can be derived from, if known.
  std::optional<uint32_t> buffer = std::nullopt;
  /// The address may as well be in global or local memory.
  bool maybeElsewhere = false;
  /// Index of the only argument of the kernel that the address can be derived
  /// from, if it certainly is in global memory.
  std::optional<uint32_t> argument = std::nullopt;
  /// For synchronizations: all threads of a warp must execute this very
  /// instruction together.
  bool aligned = false;
  /// For assertions: what they say when they do not hold.
  std::string message = {};
};

/// A variable in workgroup memory; a dynamic one has the size that the launch
/// gives it, and all dynamic ones start at the same offset.
struct WorkgroupBuffer {
  std::string name;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  bool dynamic = false;
};

struct KernelInfo {
  /// Threads can wait for each other, so each needs a stack of its own.
  bool waits = false;
  /// `bar.warp.sync` occurs.
  bool syncsWarps = false;
  /// The most threads in a block that the kernel was compiled for; 0: any.
  uint64_t maxThreads = 0;
  uint64_t numArguments = 0;
  /// The size of the static workgroup variables that it names, as the device
  /// lays them out.
  uint64_t workgroupBytes = 0;
};

struct ModuleInfo {
  std::vector<PlaceInfo> places;
  std::vector<WorkgroupBuffer> buffers;
  llvm::StringMap<KernelInfo> kernels;

  /// Bytes of all buffers that are not dynamic, with their padding.
  uint64_t staticBytes = 0;
  /// The required alignment of the start of workgroup memory.
  uint64_t workgroupAlignment = 16;
  /// Divides the address and the size of every aligned access.
  uint32_t granule = 16;
  /// The same for what is accessed through kernel arguments.
  uint32_t globalGranule = 16;
  /// The size of the largest access of known size.
  uint64_t largestAccess = 16;
  /// The profile data, if the module was prepared for a profile.
  std::optional<ProfiledModule> profile;
  /// Upper bound of one thread's local variables.
  uint64_t localBytes = 0;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_MODULEINFO_H
