//===- Allocations.cpp - Where buffers are allocated ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/Allocations.h"

#include "engine/RootBuffer.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

Operation *formwork::verifier::getAllocation(Value value) {
  Operation *op = engine::getRootBuffer(value).getDefiningOp();
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(op) ? op : nullptr;
}
