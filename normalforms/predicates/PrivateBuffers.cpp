//===- PrivateBuffers.cpp - Buffers private to one thread -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/PrivateBuffers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace formwork::normalforms;

namespace {
/// Finds the values below a kernel that are equal in all threads of a block.
class Uniformity {
public:
  explicit Uniformity(Operation *kernel) : kernel(kernel) {}

  bool isUniform(Value value) {
    auto [it, isNew] = known.try_emplace(value, false);
    if (!isNew)
      return it->second;
    bool result = compute(value);
    known[value] = result;
    return result;
  }

private:
  bool compute(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isUniformArgument(argument);
    Operation *op = value.getDefiningOp();
    if (!kernel->isProperAncestor(op))
      return true;
    if (isa<gpu::BlockIdOp, gpu::GridDimOp, gpu::BlockDimOp>(op))
      return true;
    if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()))
      return false;
    return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isUniform(operand); });
  }

  bool isUniformArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto launch = dyn_cast<gpu::LaunchOp>(parent)) {
      gpu::KernelDim3 threads = launch.getThreadIds();
      return !llvm::is_contained(
          ArrayRef<Value>{threads.x, threads.y, threads.z}, argument);
    }
    if (isa<gpu::GPUFuncOp>(parent))
      return true;
    if (!kernel->isProperAncestor(parent))
      return true;
    auto loop = dyn_cast<scf::ForOp>(parent);
    return loop && argument == loop.getInductionVar() && isUniformLoop(loop);
  }

public:
  bool isUniformLoop(scf::ForOp loop) {
    return isUniform(loop.getLowerBound()) && isUniform(loop.getUpperBound()) &&
           isUniform(loop.getStep());
  }

  /// Whether all threads in the block of `outer` reach `inner`, below it,
  /// together and equally often.
  bool isReachedTogether(Operation *outer, Operation *inner) {
    for (Operation *op = inner; op->getBlock() != outer->getBlock();) {
      op = op->getParentOp();
      if (!op || op == kernel)
        return false;
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        if (!isUniformLoop(loop))
          return false;
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        if (!isUniform(branch.getCondition()))
          return false;
      } else {
        return false;
      }
    }
    return true;
  }

private:
  Operation *kernel;
  llvm::DenseMap<Value, bool> known;
};
} // namespace

/// Whether `op` only reads, writes or frees its buffer operands.
static bool isAccess(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, memref::CopyOp, memref::DeallocOp,
             memref::DimOp, VectorTransferOpInterface, linalg::LinalgOp>(op) ||
         op->getName().getStringRef() == "vector.load" ||
         op->getName().getStringRef() == "vector.store";
}

/// Whether `op` stores a buffer as a value.
static bool storesBuffer(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  return store && isa<BaseMemRefType>(store.getValueToStore().getType());
}

bool formwork::normalforms::isPrivateBuffer(Operation *alloc,
                                            Operation *kernel) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(alloc))
    return false;
  auto type = cast<MemRefType>(alloc->getResult(0).getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace() || !type.getElementType().isIntOrIndexOrFloat())
    return false;
  int64_t bytes = DataLayout::closest(alloc)
                      .getTypeSize(type.getElementType())
                      .getFixedValue() *
                  type.getNumElements();
  if (bytes > maxPrivateBytes)
    return false;

  Uniformity uniformity(kernel);
  SmallVector<Value> buffers = {alloc->getResult(0)};
  while (!buffers.empty()) {
    Value buffer = buffers.pop_back_val();
    for (Operation *user : buffer.getUsers()) {
      bool isView = isa<ViewLikeOpInterface>(user) &&
                    isMemoryEffectFree(user) && user->getNumResults() == 1;
      if (!isView && (!isAccess(user) || storesBuffer(user)))
        return false;
      if (!uniformity.isReachedTogether(alloc, user))
        return false;
      for (Value operand : user->getOperands())
        if (operand.getType().isIndex() && !uniformity.isUniform(operand))
          return false;
      if (isView)
        buffers.push_back(user->getResult(0));
    }
  }
  return true;
}
