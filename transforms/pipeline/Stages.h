//===- Stages.h - The copies of a loop, and what uses them ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the copies to workgroup memory that a loop can do some steps ahead.
// Layer: transforms. It knows no schedule, and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PIPELINE_STAGES_H
#define FORMWORK_TRANSFORMS_PIPELINE_STAGES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace formwork::transforms::pipeline {

/// The reason why a loop cannot be pipelined, and its place
/// (`fw-cannot-pipeline`).
struct Refusal {
  mlir::Location loc;
  std::string message;
};

/// A copy by one thread of up to 16 bytes from global memory to workgroup
/// memory. Elements behind the end of the last dimension of the source are
/// copied as zeros.
struct Copy {
  mlir::vector::TransferReadOp read;
  mlir::vector::TransferWriteOp write;
  /// The thread copies only if this holds; none if it always copies.
  mlir::Value guard;
  /// If this does not hold, all elements are copied as zeros; none if it always
  /// holds.
  mlir::Value isThere;
  /// The operation at the top level of the loop that reads: `read`, or the
  /// branch around it.
  mlir::Operation *source = nullptr;
  /// The number of elements of one access: all of them, or as many as the
  /// alignment of both sides allows.
  int64_t width = 0;
};

/// The copies of a loop, and the operations that belong to them.
struct Stages {
  llvm::SmallVector<Copy> copies;
  llvm::SetVector<mlir::Operation *> buffers;
  /// The accesses that read the buffers.
  llvm::SmallVector<mlir::Operation *> readers;
  /// The operations that compute the addresses of the copies, in the order of
  /// the loop.
  llvm::SmallVector<mlir::Operation *> addresses;
  /// The barriers that the copies replace. Others stand between what threads
  /// compute and write to workgroup memory, and its use.
  llvm::SmallVector<mlir::Operation *> barriers;
  /// Whether the threads need a barrier in front of the first copy, and behind
  /// the loop. They do if accesses to something other than the buffers rely on
  /// the barriers there.
  bool meetsInFront = false, meetsBehind = false;
};

/// Finds the stages of `loop`, and sets the width of each copy. Returns why the
/// loop has none: the loop is outside of a `gpu.launch`, copies nothing, writes
/// something other than workgroup memory, or uses a buffer that is also used
/// elsewhere or read before it is filled. A further reason is a copy that is
/// not of 4, 8 or 16 bytes. One that is of less, or not aligned to 4, is no
/// copy here, unless all are so.
std::optional<Refusal> findStages(mlir::scf::ForOp loop, Stages &stages);

} // namespace formwork::transforms::pipeline

#endif // FORMWORK_TRANSFORMS_PIPELINE_STAGES_H
