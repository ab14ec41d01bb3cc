//===- DeadBuffers.cpp - Buffers that nothing reads -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that erases allocations without readers. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/payload/Allocations.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

static constexpr StringLiteral kErasedTwice =
    "may end the process: an op that takes two buffers that nothing reads is "
    "erased with each of them";

/// Whether ops of `kind` may be uses of a buffer that MLIR takes for writes,
/// whatever they do: it erases them with the buffer.
static bool mayCountAsWrite(OperationName kind) {
  return kind.isRegistered() && !kind.hasTrait<OpTrait::IsTerminator>() &&
         kind.hasTrait<OpTrait::ZeroRegions>() &&
         !kind.hasTrait<OpTrait::ZeroOperands>() &&
         (kind.hasTrait<OpTrait::ZeroResults>() ||
          kind.hasTrait<OpTrait::VariadicResults>());
}

/// Whether MLIR takes a use in `op` for a write.
static bool countsAsWrite(Operation *op) {
  return mayCountAsWrite(op->getName()) && op->getNumResults() == 0 &&
         !hasEffect<MemoryEffects::Read>(op);
}

static bool takesBuffer(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// Whether no op of `kind` takes two buffers.
static bool takesOneBuffer(OperationName kind) {
  static const llvm::DenseSet<TypeID> kinds = {
      TypeID::get<affine::AffinePrefetchOp>(),
      TypeID::get<affine::AffineStoreOp>(),
      TypeID::get<affine::AffineVectorStoreOp>(),
      TypeID::get<gpu::SubgroupMmaStoreMatrixOp>(),
      TypeID::get<memref::DeallocOp>(),
      TypeID::get<memref::PrefetchOp>(),
      TypeID::get<memref::StoreOp>(),
      TypeID::get<vector::CompressStoreOp>(),
      TypeID::get<vector::MaskedStoreOp>(),
      TypeID::get<vector::ScatterOp>(),
      TypeID::get<vector::StoreOp>(),
      TypeID::get<vector::TransferWriteOp>()};
  return kinds.contains(kind.getTypeID());
}

/// Whether some use of `buffer`, or of a view of it, keeps it alive, whatever
/// becomes of the transfers: steps have not changed the use.
static bool isSurelyAlive(const PayloadModel &payload, Operation *buffer) {
  return llvm::any_of(buffer->getUsers(), [&](Operation *user) {
    if (isa<ViewLikeOpInterface>(user))
      return isSurelyAlive(payload, user);
    const Node &node = payload[payload.lookup(user)];
    return node.op == user && node.isSurelyThere() && !countsAsWrite(user) &&
           !isa<vector::TransferReadOp>(user);
  });
}

/// Whether the op of `node` may be erased with each of two buffers.
static bool mayBeErasedTwice(const PayloadModel &payload, const Node &node) {
  if (!node.kind || !mayCountAsWrite(*node.kind))
    return false;
  if (!node.op)
    return !takesOneBuffer(*node.kind);
  return countsAsWrite(node.op) &&
         llvm::count_if(node.op->getOperands(), [&](Value operand) {
           Operation *allocation = getAllocation(operand);
           return allocation && !isSurelyAlive(payload, allocation);
         }) > 1;
}

/// transform.memref.erase_dead_alloc_and_stores: forwards transfers and erases
/// those that are overwritten. Then, allocations at or below the target of
/// which no use reads are erased with all of their uses, which may stand
/// anywhere in the op around that is isolated from above. Handles follow. An op
/// that is a use of two such allocations is erased twice.
static void propagateEraseDeadBuffers(const Step &step) {
  PayloadModel &payload = step.payload;
  llvm::SmallSetVector<NodeId, 4> scopes;
  for (const normalforms::PayloadClause &clause : step.contract.writes)
    scopes.insert_range(getScopes(step, clause));
  auto isUse = [](const Node &node) {
    return node.kind && mayCountAsWrite(*node.kind) &&
           (!node.op || (countsAsWrite(node.op) && takesBuffer(node.op)));
  };
  bool mayEraseTwice = false;
  for (NodeId scope : scopes) {
    // Ops that steps make take two buffers only as arguments.
    for (KindPattern kind :
         {KindPattern(func::CallOp::getOperationName()),
          KindPattern(gpu::LaunchFuncOp::getOperationName())})
      mayEraseTwice |= payload.mayHide(
          scope, [&](const KindSet &kinds) { return kinds.contains(kind); });
    for (auto [id, place] : payload.getBelow(scope, isUse)) {
      mayEraseTwice |= mayBeErasedTwice(payload, payload[id]);
      payload.forget(id);
      payload.doubt(id);
    }
  }
  if (mayEraseTwice)
    step.unprove(kErasedTwice);
  applyClauses(step);
}

void formwork::verifier::registerDeadBuffersModels(ModelRegistry &models) {
  models.add("erase-dead-buffers", propagateEraseDeadBuffers,
             leavesOpen{kErasedTwice});
}
