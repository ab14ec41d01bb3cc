//===- ReferenceHeap.h - Memory of a reference's temporaries ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization decides when temporaries are allocated and leaves open when
// they are given back. A reference gives all of them back at its end. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_REFERENCEHEAP_H
#define FORMWORK_TRANSFORMS_PROGRAM_REFERENCEHEAP_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Replaces the calls of malloc and free in `module`, in LLVM's dialect, so
/// that memory lives until the function `trampoline` returns. The module's
/// functions can then no longer be called by two threads at once.
void addReferenceHeap(mlir::ModuleOp module, llvm::StringRef trampoline);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_REFERENCEHEAP_H
