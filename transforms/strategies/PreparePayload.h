//===- PreparePayload.h - A payload as strategies take it -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites of a payload that no step of a schedule does, before it is parted
// into kernels: they change no value. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_PREPAREPAYLOAD_H
#define FORMWORK_TRANSFORMS_STRATEGIES_PREPAREPAYLOAD_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace formwork::transforms {

/// Writes out the loops in the functions of `payload` that have a constant
/// number of steps, where that makes no more than 4096 operations.
void writeOutLoops(mlir::ModuleOp payload);

/// Replaces reductions of no elements by what they start from.
void foldEmptyReductions(mlir::ModuleOp payload);

/// Makes structured operations of what moves data without computing: padding,
/// slices, insertions, concatenations and constants of one value. Gives each
/// reader of a broadcast one of its own.
void structureCopies(mlir::ModuleOp payload);

/// Gives each reader of a fill one of its own, so that kernels share none;
/// copies what is returned without being computed, and what a kernel would
/// compute in although others read it; and lets constant tensors be buffers.
void separateKernels(mlir::ModuleOp payload);

/// Lets `op`, which has no parallel loop, make a tensor of one element, by a
/// parallel loop of one step.
void addParallelLoop(mlir::linalg::LinalgOp op);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_PREPAREPAYLOAD_H
