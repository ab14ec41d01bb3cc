//===- Arguments.h - Arguments of decisions ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several operations `transform.formwork.*` read numbers that may be
// parameters, and refuse targets, in the same way. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_ARGUMENTS_H
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_ARGUMENTS_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#include <optional>
#include <string>

namespace formwork::transforms {

/// Appends the numbers of a mixed list for target number `target` to `numbers`:
/// a parameter has one for all targets, or one for each. Errors definitely:
/// fw-bad-threads.
mlir::DiagnosedSilenceableFailure
readNumbers(mlir::Operation *op, mlir::transform::TransformState &state,
            llvm::ArrayRef<mlir::OpFoldResult> list, size_t target,
            size_t numTargets, llvm::SmallVectorImpl<int64_t> &numbers);

/// The reason why `threads` are no numbers of threads, or `width` is no number
/// of elements; numbers that are not known yet pass.
std::optional<std::string> checkNumbers(llvm::ArrayRef<int64_t> threads,
                                        llvm::ArrayRef<int64_t> width);

/// The reason why `numbers` are not one number called `name` of at least
/// `least`; a number that is not known yet passes.
std::optional<std::string> checkOneNumber(llvm::StringRef name, int64_t least,
                                          llvm::ArrayRef<int64_t> numbers);

/// The silenceable failure of `op` at `target`, which a note names; a further
/// note names `where` if it is another place.
mlir::DiagnosedSilenceableFailure
refuseTarget(mlir::Operation *op, mlir::Operation *target,
             const llvm::Twine &message,
             std::optional<mlir::Location> where = std::nullopt);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_ARGUMENTS_H
