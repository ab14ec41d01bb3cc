//===- SinkReads.cpp - What kernels read themselves -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/RootBuffer.h"
#include "transforms/gpu/Lowering.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUSINKREADS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
using formwork::engine::getRootBuffer;

/// The memory that `op` reads, if it is a read of one buffer.
static Value getReadMemory(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemref();
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return load.getBase();
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return isa<MemRefType>(read.getBase().getType()) ? read.getBase() : Value();
  return nullptr;
}

/// Whether `base` is a constant buffer.
static bool isConstantBuffer(Value base) {
  auto op = base.getDefiningOp<memref::GetGlobalOp>();
  if (!op)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  return global && global.getConstant();
}

/// Whether `base` overlaps nothing that is not made of it: an allocation, or an
/// argument that was a tensor.
static bool isAlone(Value base) {
  if (auto argument = dyn_cast<BlockArgument>(base)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return function &&
           function.getArgAttr(argument.getArgNumber(),
                               formwork::transforms::byValueAttrName);
  }
  return isa_and_nonnull<memref::AllocOp>(base.getDefiningOp());
}

/// The use of a buffer by an operation.
namespace {
enum class Access {
  Nothing,  ///< reads the buffer or its shape
  Accesses, ///< may write or free the buffer, and keeps no reference to it
  Escapes,  ///< may keep a reference, by which others write the buffer
};
} // namespace

static Access classifyAccess(Operation *user, Value memory) {
  if (isa<func::ReturnOp, memref::DimOp>(user))
    return Access::Nothing;
  auto isData = [](Type type) {
    return type.isIntOrIndexOrFloat() || isa<VectorType>(type);
  };
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  if (!effects || user->hasTrait<OpTrait::IsTerminator>() ||
      isa<memref::ExtractAlignedPointerAsIndexOp>(user) ||
      !llvm::all_of(user->getResultTypes(), isData))
    return Access::Escapes;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  bool isNamed = false, isOnlyRead = true;
  for (const MemoryEffects::EffectInstance &effect : found) {
    if (effect.getValue() && effect.getValue() != memory)
      continue;
    isNamed |= effect.getValue() == memory;
    isOnlyRead &= isa<MemoryEffects::Read>(effect.getEffect());
  }
  // An operand that no effect names may be what is stored.
  if (!isNamed)
    return Access::Escapes;
  return isOnlyRead ? Access::Nothing : Access::Accesses;
}

/// Whether something may write or free `memory`, or a view of it, behind
/// `read`.
static bool isWrittenBehind(Value memory, Operation *read) {
  for (Operation *user : memory.getUsers()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      for (Value result : view->getResults())
        if (isa<BaseMemRefType>(result.getType()) &&
            isWrittenBehind(result, read))
          return true;
      continue;
    }
    switch (classifyAccess(user, memory)) {
    case Access::Nothing:
      continue;
    case Access::Escapes:
      return true;
    case Access::Accesses:
      break;
    }
    Operation *ancestor = read->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || !ancestor->isBeforeInBlock(read))
      return true;
  }
  return false;
}

namespace {
struct SinkReads : formwork::transforms::impl::GpuSinkReadsBase<SinkReads> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchOp> launches;
    getOperation()->walk([&](gpu::LaunchOp op) { launches.push_back(op); });
    for (gpu::LaunchOp launch : launches)
      sink(launch);
  }

private:
  /// Whether `op`, in front of a launch, gives the same in it: a constant
  /// buffer, a read of what nothing writes from there on, or what is computed
  /// of such.
  bool isSunk(Operation *op) {
    auto it = known.find(op);
    if (it != known.end())
      return it->second;
    bool isIt = decideSunk(op);
    known[op] = isIt;
    return isIt;
  }
  bool decideSunk(Operation *op) {
    if (isa<memref::GetGlobalOp>(op))
      return true;
    if (op->getNumRegions() != 0)
      return false;
    if (Value memory = getReadMemory(op)) {
      Value base = getRootBuffer(memory);
      return isConstantBuffer(base) ||
             (isAlone(base) && !isWrittenBehind(base, op));
    }
    return isPure(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
             return operand.getDefiningOp() && isSunk(operand.getDefiningOp());
           });
  }

  /// The value of `value` in the launch that `builder` stands in.
  Value take(Value value, OpBuilder &builder, IRMapping &mapping) {
    if (mapping.contains(value))
      return mapping.lookup(value);
    Operation *op = value.getDefiningOp();
    if (!op || !isSunk(op))
      return value;
    for (Value operand : op->getOperands())
      mapping.map(operand, take(operand, builder, mapping));
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }

  void sink(gpu::LaunchOp launch) {
    known.clear();
    SmallVector<OpOperand *> uses;
    launch.getBody().walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (Operation *def = operand.get().getDefiningOp())
          if (!launch->isAncestor(def) && def->getBlock() == launch->getBlock())
            uses.push_back(&operand);
    });
    OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
    IRMapping mapping;
    SmallVector<Operation *> left;
    for (OpOperand *use : uses) {
      Value value = use->get();
      use->set(take(value, builder, mapping));
      if (use->get() != value)
        left.push_back(value.getDefiningOp());
    }
    // Erases unused operations, and then the operations that only those used.
    llvm::SmallPtrSet<Operation *, 8> erased;
    while (!left.empty()) {
      Operation *op = left.pop_back_val();
      if (erased.contains(op) || !op->use_empty() || !isSunk(op))
        continue;
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp())
          left.push_back(def);
      erased.insert(op);
      op->erase();
    }
  }

  /// The decisions about operations before the current launch.
  llvm::DenseMap<Operation *, bool> known;
};
} // namespace
