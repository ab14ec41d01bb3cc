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

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Makes structured operations of what moves data without computing: padding,
/// slices, insertions, concatenations and constants of one value.
void structureCopies(mlir::ModuleOp payload);

/// Gives each reader of a fill one of its own, so that kernels share none; gives
/// a structured operation that has no parallel loop one of one step; copies what
/// is returned without being computed; and lets constant tensors be buffers.
void separateKernels(mlir::ModuleOp payload);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_PREPAREPAYLOAD_H
