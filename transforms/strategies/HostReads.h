//===- HostReads.h - Elements that the host would read ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves into kernels what the host would read of tensors: those are in the
// memory of the device. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_HOSTREADS_H
#define FORMWORK_TRANSFORMS_STRATEGIES_HOSTREADS_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Lets the structured operations of each function of `payload` read elements
/// of tensors themselves, and compute what is computed of these alone, where
/// the function does so for them. An assertion about such an element, and a
/// tensor made of such elements, become structured operations.
void moveReadsIntoKernels(mlir::ModuleOp payload);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_HOSTREADS_H
