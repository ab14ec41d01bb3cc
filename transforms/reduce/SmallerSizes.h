//===- SmallerSizes.h - A payload that runs faster --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a payload smaller sizes with which a schedule does the same, so that
// its execution takes less time. Layer: transforms; it runs schedules in child
// processes.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_SMALLERSIZES_H
#define FORMWORK_TRANSFORMS_REDUCE_SMALLERSIZES_H

#include "normalforms/ContractLibrary.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace formwork::transforms {

/// How many elements the ops of `payload` compute or read, all loops of
/// structured ops taken into account: what an execution takes, roughly. Dynamic
/// sizes count as 1. Cost: a walk.
uint64_t countElements(mlir::ModuleOp payload);

/// A payload with other sizes, null if there is none, and what they are: for
/// instance "4096 is 512, 320 is 40".
struct SmallerSizes {
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  std::string text;
};

/// Makes the extents of `payload` smaller, the largest first, until it has at
/// most `limit` elements (countElements) or no extent can be smaller: with
/// each, a run of `entry` must succeed, the same steps must change the payload
/// as often, and as many ops of each kind and loops of one iteration must be left. Emits nothing. Cost: a
/// run in a child process for each trial, of which there are at most 40.
SmallerSizes findSmallerSizes(mlir::ModuleOp payload,
                              mlir::transform::NamedSequenceOp entry,
                              const normalforms::ContractLibrary &contracts,
                              uint64_t limit);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_REDUCE_SMALLERSIZES_H
