//===- HoistAccumulators.cpp - Accumulators in registers --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hoists a read and a write of the same place of a buffer out of loops, also of
// those in which threads meet at barriers. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "engine/RootBuffer.h"
#include "transforms/gpu/Overlap.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUHOISTACCUMULATORS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
using namespace formwork::transforms;
using formwork::engine::getRootBuffer;

namespace {
/// A read or a write of one place, in bounds and without a mask.
struct Access {
  Operation *op = nullptr;
  Value base;
  SmallVector<Value> indices;
  Type type;           ///< of the value that is read or written
  AffineMap map;       ///< of a transfer
  bool isRead = false; ///< else it is a write

  bool hasPlaceOf(const Access &other) const {
    return base == other.base && indices == other.indices &&
           type == other.type && map == other.map;
  }
};
} // namespace

static std::optional<Access> getAccess(Operation *op) {
  Access access;
  access.op = op;
  auto take = [&](Value base, ValueRange indices, Type type, bool isRead) {
    access.base = base;
    access.indices = llvm::to_vector(indices);
    access.type = type;
    access.isRead = isRead;
    return access;
  };
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    if (!isa<MemRefType>(transfer.getShapedType()) || transfer.getMask() ||
        transfer.hasOutOfBoundsDim())
      return std::nullopt;
    access.map = transfer.getPermutationMap();
    return take(transfer.getBase(), transfer.getIndices(),
                transfer.getVectorType(), isa<vector::TransferReadOp>(op));
  }
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return take(load.getBase(), load.getIndices(), load.getType(), true);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return take(store.getBase(), store.getIndices(),
                store.getValueToStore().getType(), false);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return take(load.getMemRef(), load.getIndices(), load.getType(), true);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return take(store.getMemRef(), store.getIndices(),
                store.getValueToStore().getType(), false);
  return std::nullopt;
}

/// The value that `write` writes.
static OpOperand &getWritten(Operation *write) {
  if (auto transfer = dyn_cast<vector::TransferWriteOp>(write))
    return transfer.getValueToStoreMutable();
  if (auto store = dyn_cast<vector::StoreOp>(write))
    return store.getValueToStoreMutable();
  return cast<memref::StoreOp>(write).getValueMutable();
}

/// Whether nothing in `loop` but the two ops of a pair accesses what they do.
///
/// In a loop without barriers, another access of this thread may be apart in
/// the same buffer. Across a barrier, it could be what another thread wrote, so
/// that the pair has to be all that accesses the buffer. The same place is then
/// accessed by other threads only between the same barriers: a data race.
static bool isAlone(scf::ForOp loop, const Access &read, const Access &write) {
  Value root = getRootBuffer(read.base);
  bool hasBarrier = false, sharesBuffer = false;
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (op == read.op || op == write.op ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    if (isa<gpu::BarrierOp>(op)) {
      hasBarrier = true;
      return WalkResult::advance();
    }
    auto effects = getEffectsRecursively(op);
    if (!effects)
      return WalkResult::interrupt();
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      Value buffer = effect.getValue();
      if (!buffer || !isa<BaseMemRefType>(buffer.getType()))
        return WalkResult::interrupt();
      Value other = getRootBuffer(buffer);
      if (other != root) {
        if (!areApart(root, other))
          return WalkResult::interrupt();
        continue;
      }
      auto a = dyn_cast<VectorTransferOpInterface>(read.op);
      auto b = dyn_cast<VectorTransferOpInterface>(op);
      if (!a || !b || a.getBase() != b.getBase() ||
          !vector::isDisjointTransferSet(a, b))
        return WalkResult::interrupt();
      sharesBuffer = true;
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted() && !(hasBarrier && sharesBuffer);
}

static bool runsAtLeastOnce(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && *lower < *upper;
}

/// Hoists one pair out of `loop`, which becomes another one with a further
/// value that it carries; null when there is none.
static scf::ForOp hoistOne(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<Access> accesses;
  for (Operation &op : *loop.getBody())
    if (std::optional<Access> access = getAccess(&op))
      accesses.push_back(*access);
  for (const Access &read : accesses) {
    if (!read.isRead || !loop.isDefinedOutsideOfLoop(read.base) ||
        !llvm::all_of(read.indices, [&](Value index) {
          return loop.isDefinedOutsideOfLoop(index);
        }))
      continue;
    for (const Access &write : accesses) {
      if (write.isRead || !write.hasPlaceOf(read) ||
          !read.op->isBeforeInBlock(write.op) || !isAlone(loop, read, write))
        continue;
      loop.moveOutOfLoop(read.op);
      write.op->moveAfter(loop);
      OpOperand &written = getWritten(write.op);
      Value result = written.get();
      Value initial = read.op->getResult(0);
      auto hoisted = *loop.replaceWithAdditionalYields(
          rewriter, initial, /*replaceInitOperandUsesInLoop=*/true,
          [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
            return SmallVector<Value>{result};
          });
      written.set(hoisted.getLoopResults()->back());
      return cast<scf::ForOp>(hoisted.getOperation());
    }
  }
  return nullptr;
}

namespace {
struct HoistAccumulators
    : formwork::transforms::impl::GpuHoistAccumulatorsBase<HoistAccumulators> {
  void runOnOperation() override {
    // Innermost first, so that a pair goes on to the next loop.
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](gpu::LaunchOp launch) {
      launch.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      moveLoopInvariantCode(loop);
      if (!runsAtLeastOnce(loop))
        continue;
      while (scf::ForOp hoisted = hoistOne(rewriter, loop))
        loop = hoisted;
    }
  }
};
} // namespace
