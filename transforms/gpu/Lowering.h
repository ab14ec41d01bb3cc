//===- Lowering.h - From a mapped payload to device code --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part that `compile` appends to a schedule: the shipped (or the user's)
// sequences that outline kernels and lower them to NVVM, and the checks between
// and after them. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_LOWERING_H
#define FORMWORK_TRANSFORMS_GPU_LOWERING_H

#include "transforms/gpu/ApproximateMath.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

namespace formwork::engine {
class Findings;
}
namespace formwork::verifier {
struct Target;
}

namespace formwork::transforms {

/// The two sequences that a lowering file defines.
inline constexpr llvm::StringLiteral outlineSequenceName =
    "formwork.outline_kernels";
inline constexpr llvm::StringLiteral lowerSequenceName =
    "formwork.lower_kernels";

/// The text of the shipped lowering.
llvm::StringRef getShippedLowering();

/// Parses the lowering in `path`, or the shipped one if it is empty, and checks
/// that both sequences are there (fw-lowering-sequence). Null after an error.
mlir::OwningOpRef<mlir::ModuleOp> loadLowering(mlir::MLIRContext *context,
                                               llvm::StringRef path = {});

/// On an argument of a function while it is lowered: it was a tensor in the
/// payload, so that its buffer overlaps that of no other argument.
inline constexpr llvm::StringLiteral byValueAttrName = "formwork.by_value";

/// The assumptions of kernels, which every launch has to meet, and the
/// permitted inaccuracy.
struct LaunchAssumptions {
  /// The alignment of every buffer argument of a kernel, in bytes: a power of
  /// two.
  uint64_t alignment = 16;
  /// The functions that may be approximated.
  ApproximateSet approximate = 0;
  /// For each function of the payload, which arguments are tensors.
  llvm::StringMap<llvm::BitVector> byValue;
  /// Whether launches that do nothing may go, so that no kernel is left.
  bool mayLackKernels = false;
};

/// The bounds of `LaunchAssumptions::alignment`: what the driver aligns an
/// allocation to is the most that can be assumed of one.
inline constexpr uint64_t maxAssumedAlignment = 256;

/// Which arguments of the functions of `payload`, as it is before its schedule
/// runs, are tensors.
llvm::StringMap<llvm::BitVector> findByValueArguments(mlir::ModuleOp payload);

/// The first half of lowerToDevice: afterwards the kernels of `module` are in
/// the GPU dialect, with vectors of rank one, and within the limits of
/// `target`.
llvm::LogicalResult outlineKernels(mlir::ModuleOp module,
                                   mlir::ModuleOp lowering,
                                   const verifier::Target &target,
                                   const LaunchAssumptions &assumptions = {});

/// Lowers `module`, on which the schedule has run, in place: outlines, attaches
/// `target` to every gpu.module, checks the kernels against it, and lowers them
/// to LLVM and NVVM, with `assumptions` as attributes of their arguments. The
/// host side keeps its dialects. Errors: those of
/// checkKernelLimits, fw-kernel-allocation, and fw-lowering-leftover for an
/// operation in a kernel that nothing lowered. `slow`, if given, takes what
/// findIdleThreads finds.
llvm::LogicalResult lowerToDevice(mlir::ModuleOp module,
                                  mlir::ModuleOp lowering,
                                  const verifier::Target &target,
                                  const LaunchAssumptions &assumptions = {},
                                  engine::Findings *slow = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_LOWERING_H
