//===- Places.h - Describing instructions to the runtime --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an instruction stands in the source, and which memory its address can
// point to. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_PLACES_H
#define FORMWORK_TRANSFORMS_EMULATE_PLACES_H

#include "transforms/emulate/ModuleInfo.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace formwork::transforms::emulate {

/// NVPTX's address spaces. Generic addresses reach all of them.
namespace AddressSpace {
inline constexpr unsigned Generic = 0, Global = 1, Workgroup = 3, Constant = 4,
                          Local = 5;
} // namespace AddressSpace

/// Folds all that is trivially foldable, above all the members of memref
/// descriptors, so that more addresses show where they come from.
void simplify(llvm::Function &function);

bool isKernel(const llvm::Function &function);

Place getPlace(const llvm::Instruction &instruction);

uint32_t addPlace(ModuleInfo &info, PlaceInfo place);

/// The memory that an address can point to, as far as the function that uses it
/// shows.
struct Provenance {
  bool maybeWorkgroup = false, maybeElsewhere = false;
  /// The only buffer, if the address is certainly in workgroup memory.
  std::optional<uint32_t> buffer;
  /// The only kernel argument, if the address is certainly derived from one.
  std::optional<uint32_t> argument;
};

/// Follows `pointer` back through address computations, casts, phis and
/// selects. Where that ends without a known object, both are possible: any
/// address that was loaded, or passed to a device function.
Provenance inferProvenance(const llvm::Value &pointer, const ModuleInfo &info);

/// The description of an access of `bytes` (0 if unknown) through `pointer`,
/// that promises `alignment`, of workgroup memory or through a kernel argument.
PlaceInfo describeAccess(const llvm::Instruction &instruction,
                         const llvm::Value *pointer, AccessKind kind,
                         uint64_t bytes, uint64_t alignment, ModuleInfo &info);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_PLACES_H
