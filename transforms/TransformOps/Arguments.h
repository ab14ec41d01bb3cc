//===- Arguments.h - Arguments of decisions ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers with which the operations `transform.formwork.*` read numbers, which
// may be parameters, and refuse targets. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_ARGUMENTS_H
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_ARGUMENTS_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#include <optional>
#include <string>

namespace formwork::transforms {

/// Appends the numbers that the mixed list `list` has for target number
/// `target` to `numbers`. A parameter holds one number for all targets, or one
/// for each. Error, a definite failure: fw-bad-threads.
mlir::DiagnosedSilenceableFailure
readNumbers(mlir::Operation *op, mlir::transform::TransformState &state,
            llvm::ArrayRef<mlir::OpFoldResult> list, size_t target,
            size_t numTargets, llvm::SmallVectorImpl<int64_t> &numbers);

/// A target of a step, and the numbers that the step has for it.
struct TargetNumbers {
  mlir::Operation *target;
  llvm::SmallVector<int64_t> numbers;
};

/// Appends each payload operation of `handle` to `targets`, with the numbers
/// that the list of `staticNumbers` and `dynamicNumbers` has for it. Errors as
/// those of `readNumbers`.
mlir::DiagnosedSilenceableFailure
readTargets(mlir::Operation *op, mlir::transform::TransformState &state,
            mlir::Value handle, llvm::ArrayRef<int64_t> staticNumbers,
            mlir::ValueRange dynamicNumbers,
            llvm::SmallVectorImpl<TargetNumbers> &targets);

/// Returns why `threads` are not valid numbers of threads, or `width` is not a
/// valid number of elements; none if both are valid. Numbers that are not known
/// yet are accepted.
std::optional<std::string> checkNumbers(llvm::ArrayRef<int64_t> threads,
                                        llvm::ArrayRef<int64_t> width);

/// Returns why `numbers` is not one number of at least `least`; none if it is.
/// `name` is used in the reason. A number that is not known yet is accepted.
std::optional<std::string> checkOneNumber(llvm::StringRef name, int64_t least,
                                          llvm::ArrayRef<int64_t> numbers);

/// Returns a silenceable failure of `op` with `message`. A note points at
/// `target`, and a further note at `where` if that is another place.
mlir::DiagnosedSilenceableFailure
refuseTarget(mlir::Operation *op, mlir::Operation *target,
             const llvm::Twine &message,
             std::optional<mlir::Location> where = std::nullopt);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_ARGUMENTS_H
