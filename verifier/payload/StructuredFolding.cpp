//===- StructuredFolding.cpp - What structured ops fold to ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/StructuredFolding.h"

#include "engine/RootBuffer.h"
#include "verifier/payload/Allocations.h"
#include "verifier/payload/Kinds.h"
#include "verifier/payload/Liveness.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;
using formwork::engine::getRootBuffer;

/// The buffer of which `value` is a view, if no other value can be that one.
static Value getBuffer(Value value) {
  value = getRootBuffer(value);
  auto argument = dyn_cast<BlockArgument>(value);
  bool isOwn =
      argument ? isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
               : getAllocation(value) != nullptr;
  return isOwn ? value : Value();
}

/// Whether `op` copies from one buffer to another, which no folding takes for
/// one that copies what is there already.
static bool isBetweenBuffers(Operation *op) {
  auto copy = dyn_cast<linalg::CopyOp>(op);
  if (!copy || !copy.hasPureBufferSemantics())
    return false;
  Value from = getBuffer(copy->getOperand(0)),
        to = getBuffer(copy->getOperand(1));
  return from && to && from != to;
}

bool formwork::verifier::resistsFolding(OperationName kind, Operation *body) {
  StringRef name = kind.getStringRef();
  if (name == linalg::GenericOp::getOperationName())
    return body && doesCompute(body);
  if (name == linalg::CopyOp::getOperationName())
    return body && isBetweenBuffers(body);
  return isMoreThanACopy(kind) && name != tensor::PadOp::getOperationName();
}

bool formwork::verifier::mayPassOn(Operation *body) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(body);
  return !generic ||
         llvm::any_of(generic.getBody()->getTerminator()->getOperands(),
                      llvm::IsaPred<BlockArgument>);
}

bool formwork::verifier::mayCopyToItself(OperationName kind, Operation *body) {
  StringRef name = kind.getStringRef();
  return name == linalg::CopyOp::getOperationName()
             ? !resistsFolding(kind, body)
             : name == linalg::GenericOp::getOperationName() && mayPassOn(body);
}
