//===- Allocations.h - Where buffers are allocated --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op that allocates a buffer. Layer: verifier; it reads payload and changes
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_ALLOCATIONS_H
#define FORMWORK_VERIFIER_PAYLOAD_ALLOCATIONS_H

#include "mlir/IR/Value.h"

namespace formwork::verifier {

/// The memref.alloc or memref.alloca of which `value` is a view; null for any
/// other buffer. Cost: linear in the views.
mlir::Operation *getAllocation(mlir::Value value);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_ALLOCATIONS_H
