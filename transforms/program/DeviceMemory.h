//===- DeviceMemory.h - Temporaries between kernels -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the buffers lie that one kernel writes and a later one reads. Layer:
// transforms; it knows host code on buffers and nothing of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_DEVICEMEMORY_H
#define FORMWORK_TRANSFORMS_PROGRAM_DEVICEMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace formwork::transforms {

/// The function that provides a program's temporaries. Its allocations are made
/// once, however often it is called.
inline constexpr llvm::StringLiteral workspaceFunction = "formwork_workspace";

/// Makes the buffers of static size that `function` allocates in its first
/// block parts of one, which `workspaceFunction` returns. Two share memory when
/// the last use of one is in front of the first use of the other. Each starts
/// at a multiple of 256 bytes. Their deallocations go. Buffers that are
/// returned or passed to a function stay what they are. Returns the bytes of
/// the one.
uint64_t shareTemporaries(mlir::func::FuncOp function);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_DEVICEMEMORY_H
