//===- SmallerSizes.h - Smaller sizes for a faster payload ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a payload smaller sizes, with which a schedule does the same and the
// execution takes less time. Layer: transforms; it runs schedules in child
// processes.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_SMALLERSIZES_H
#define FORMWORK_TRANSFORMS_REDUCE_SMALLERSIZES_H

#include "normalforms/ContractLibrary.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <chrono>
#include <string>

namespace formwork::transforms {

/// The number of elements that the ops of `payload` compute or read, counted
/// over all loops of structured ops. This estimates the time of an execution.
/// Dynamic sizes count as 1. Cost: a walk.
uint64_t countElements(mlir::ModuleOp payload);

/// A payload with other sizes, and a text that lists the changes, such as "4096
/// is 512, 320 is 40". The payload is null if there is none.
struct SmallerSizes {
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  std::string text;
};

/// Makes the sizes of `payload` smaller, the largest first, until it has at
/// most `limit` elements (countElements) or no size can be smaller. A change is
/// kept only if a run of `entry` succeeds, the same steps change the payload as
/// often, and as many ops of each kind and loops of one iteration are left. If
/// that is not enough, or a row stays long, the ops need to be of the same
/// kinds only. Emits nothing. Cost: a run in a child process for each trial,
/// and at most 40 trials.
SmallerSizes findSmallerSizes(mlir::ModuleOp payload,
                              mlir::transform::NamedSequenceOp entry,
                              const normalforms::ContractLibrary &contracts,
                              uint64_t limit);

/// Makes the sizes of `payload` as small as `shows` accepts, which is asked of
/// payloads that verify. Takes the largest sizes first, tries the smallest ones
/// for each, and asks nothing more after `budget`. Emits nothing.
SmallerSizes findSizesThatShow(mlir::ModuleOp payload,
                               llvm::function_ref<bool(mlir::ModuleOp)> shows,
                               std::chrono::milliseconds budget);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_REDUCE_SMALLERSIZES_H
