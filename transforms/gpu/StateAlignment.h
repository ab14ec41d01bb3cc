//===- StateAlignment.h - How accesses are aligned --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// States at each vector access of a kernel how it is aligned. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_STATEALIGNMENT_H
#define FORMWORK_TRANSFORMS_GPU_STATEALIGNMENT_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// States the alignment of the loads and stores of vectors in the kernels of
/// `outlined`, which are in the GPU dialect. It follows from their indices, if
/// buffers that are arguments start at multiples of `alignment` bytes. LLVM
/// finds it, too, but only through a few operations of an address; without it,
/// an access of several elements becomes several accesses.
void stateAlignment(mlir::ModuleOp outlined, uint64_t alignment);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_STATEALIGNMENT_H
