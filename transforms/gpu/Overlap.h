//===- Overlap.h - Buffers that share no byte -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two buffers of a kernel may overlap. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_OVERLAP_H
#define FORMWORK_TRANSFORMS_GPU_OVERLAP_H

#include "mlir/IR/Value.h"

namespace formwork::transforms {

/// Whether two different roots have no byte in common: they are in different
/// memory spaces, one is an allocation and the other one another allocation or
/// an argument, or both are arguments, of one of which the function says that
/// it is `llvm.noalias` or was a tensor.
bool areApart(mlir::Value a, mlir::Value b);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_OVERLAP_H
