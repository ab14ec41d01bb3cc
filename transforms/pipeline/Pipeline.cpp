//===- Pipeline.cpp - Copies some steps ahead of their use ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/pipeline/Pipeline.h"

#include "transforms/distribute/Alignment.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::transforms::pipeline;
using formwork::transforms::distribute::getByteDivisor;
using formwork::transforms::distribute::getDivisor;

namespace {
class Pipeliner {
public:
  Pipeliner(RewriterBase &rewriter, scf::ForOp loop, const Stages &stages,
            int64_t depth)
      : rewriter(rewriter), loop(loop), stages(stages), depth(depth),
        loc(loop.getLoc()) {}

  scf::ForOp run();

private:
  void allocate();
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  /// The induction variable `steps` behind `first`.
  Value getStep(Value first, int64_t steps);
  /// The number of elements from `first` to `end`, at most `most`.
  Value countFrom(Value first, Value end, int64_t most);
  /// The number of elements that `copy` reads from `indices` of `memory` on;
  /// null if it reads all of them.
  Value countElements(const Copy &copy, Value memory, ValueRange indices,
                      Value isThere);
  /// The number of elements that are read of the part that starts at `first`,
  /// if `count` elements of the whole copy are read.
  Value countPart(const Copy &copy, Value count, int64_t first);
  /// Returns `indices` with `elements` added to the last dimension.
  SmallVector<Value> move(ValueRange indices, int64_t elements);
  /// Emits the copies of one step, guarded if the step may not exist, and their
  /// group.
  void copyStep(Value step, Value slot);
  void readFrom(Operation *reader, Value slot);

  RewriterBase &rewriter;
  scf::ForOp loop;
  const Stages &stages;
  int64_t depth;
  Location loc;
  /// Maps each buffer to the new one with `depth` slots.
  llvm::DenseMap<Value, Value> slots;
};
} // namespace

void Pipeliner::allocate() {
  for (Operation *op : stages.buffers) {
    auto buffer = cast<memref::AllocOp>(op);
    MemRefType type = buffer.getType();
    SmallVector<int64_t> shape{depth};
    llvm::append_range(shape, type.getShape());
    rewriter.setInsertionPoint(buffer);
    slots[buffer] = memref::AllocOp::create(
        rewriter, buffer.getLoc(),
        MemRefType::get(shape, type.getElementType(),
                        MemRefLayoutAttrInterface(), type.getMemorySpace()),
        ValueRange(), buffer.getAlignmentAttr());
  }
}

Value Pipeliner::getStep(Value first, int64_t steps) {
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  return getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(2, 0, d0 + d1 * steps),
          {getAsOpFoldResult(first), getAsOpFoldResult(loop.getStep())}));
}

Value Pipeliner::countFrom(Value first, Value end, int64_t most) {
  Value rest = arith::SubIOp::create(rewriter, loc, end, first);
  return arith::MaxSIOp::create(
      rewriter, loc, getIndex(0),
      arith::MinSIOp::create(rewriter, loc, rest, getIndex(most)));
}

Value Pipeliner::countElements(const Copy &copy, Value memory,
                               ValueRange indices, Value isThere) {
  vector::TransferReadOp read = copy.read;
  Value count;
  if (read.hasOutOfBoundsDim()) {
    int64_t whole = read.getVectorType().getNumElements();
    unsigned last = indices.size() - 1;
    Value end = getValueOrCreateConstantIndexOp(
        rewriter, loc, memref::getMixedSize(rewriter, loc, memory, last));
    if (getDivisor(indices[last]) % whole == 0 &&
        getDivisor(end) % whole == 0) {
      // The copy reads all of its elements or none.
      Value isInside = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::slt, indices[last], end);
      isThere = isThere
                    ? arith::AndIOp::create(rewriter, loc, isThere, isInside)
                          .getResult()
                    : isInside;
    } else {
      count = countFrom(indices[last], end, whole);
    }
  }
  if (!isThere)
    return count;
  if (!count)
    count = getIndex(read.getVectorType().getNumElements());
  return arith::SelectOp::create(rewriter, loc, isThere, count, getIndex(0));
}

Value Pipeliner::countPart(const Copy &copy, Value count, int64_t first) {
  vector::TransferReadOp read = copy.read;
  if (!count || copy.width == read.getVectorType().getNumElements())
    return count;
  return countFrom(getIndex(first), count, copy.width);
}

SmallVector<Value> Pipeliner::move(ValueRange indices, int64_t elements) {
  SmallVector<Value> moved(indices);
  if (elements != 0)
    moved.back() =
        arith::AddIOp::create(rewriter, loc, moved.back(), getIndex(elements));
  return moved;
}

void Pipeliner::copyStep(Value step, Value slot) {
  OpBuilder::InsertionGuard guard(rewriter);
  std::optional<int64_t> at = getConstantIntValue(step),
                         end = getConstantIntValue(loop.getUpperBound());
  bool isThere = at && end && *at < *end;
  Operation *group = NVVM::CpAsyncCommitGroupOp::create(rewriter, loc);
  rewriter.setInsertionPoint(group);
  if (at && end && !isThere)
    return;
  if (!isThere) {
    Value is = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     step, loop.getUpperBound());
    rewriter.setInsertionPoint(
        scf::IfOp::create(rewriter, loc, is).thenYield());
  }
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), step);
  for (Operation *op : stages.addresses)
    rewriter.clone(*op, mapping);
  auto look = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  for (const Copy &copy : stages.copies) {
    OpBuilder::InsertionGuard guard(rewriter);
    vector::TransferReadOp read = copy.read;
    vector::TransferWriteOp write = copy.write;
    if (copy.guard)
      rewriter.setInsertionPoint(
          scf::IfOp::create(rewriter, loc, mapping.lookupOrDefault(copy.guard))
              .thenYield());
    SmallVector<Value> to = look(write.getIndices());
    to.insert(to.begin(), slot);
    VectorType type = read.getVectorType();
    bool isWide = copy.width * type.getElementTypeBitWidth() == 128;
    Value memory = mapping.lookupOrDefault(Value(read.getBase()));
    SmallVector<Value> from = look(read.getIndices());
    Value count = countElements(
        copy, memory, from,
        copy.isThere ? mapping.lookupOrDefault(copy.isThere) : Value());
    for (int64_t first = 0; first < type.getNumElements();
         first += copy.width) {
      SmallVector<Value> toPart = move(to, first), fromPart = move(from, first);
      Value countOfPart = countPart(copy, count, first);
      nvgpu::DeviceAsyncCopyOp::create(
          rewriter, read.getLoc(),
          nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()),
          slots.lookup(write.getBase()), toPart, memory, fromPart,
          rewriter.getIndexAttr(copy.width), countOfPart,
          isWide ? rewriter.getUnitAttr() : UnitAttr());
    }
  }
}

void Pipeliner::readFrom(Operation *reader, Value slot) {
  auto move = [&](OpOperand &memory, MutableOperandRange indices) {
    memory.set(slots.lookup(memory.get()));
    SmallVector<Value> all{slot};
    llvm::append_range(all, OperandRange(indices));
    indices.assign(all);
  };
  rewriter.modifyOpInPlace(reader, [&] {
    if (auto read = dyn_cast<vector::TransferReadOp>(reader)) {
      read.setPermutationMap(read.getPermutationMap().shiftDims(1));
      move(read.getBaseMutable(), read.getIndicesMutable());
    } else if (auto load = dyn_cast<vector::LoadOp>(reader)) {
      move(load.getBaseMutable(), load.getIndicesMutable());
    } else if (auto load = dyn_cast<memref::LoadOp>(reader)) {
      move(load.getMemrefMutable(), load.getIndicesMutable());
    } else {
      auto matrices = cast<nvgpu::LdMatrixOp>(reader);
      move(matrices.getSrcMemrefMutable(), matrices.getIndicesMutable());
    }
  });
}

scf::ForOp Pipeliner::run() {
  allocate();
  rewriter.setInsertionPoint(loop);
  if (stages.meetsInFront)
    gpu::BarrierOp::create(rewriter, loc);
  for (int64_t i = 0; i != depth - 1; ++i)
    copyStep(getStep(loop.getLowerBound(), i), getIndex(i));

  // Carry the slot that is read and the slot that is filled. The next step
  // fills the slot that this step reads. A 32-bit counter takes half the
  // instructions of an index.
  Type counter = rewriter.getI32Type();
  auto getCount = [&](OpBuilder &builder, int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, counter, value);
  };
  SmallVector<Value> first{getCount(rewriter, 0),
                           getCount(rewriter, depth - 1)};
  auto built = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> own) {
        Value one = getCount(builder, 1), zero = getCount(builder, 0),
              end = getCount(builder, depth);
        Value next = arith::AddIOp::create(builder, loc, own[0], one);
        Value isEnd = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, next, end);
        return SmallVector<Value>{
            arith::SelectOp::create(builder, loc, isEnd, zero, next), own[0]};
      }));
  loop = built;
  rewriter.setInsertionPointToStart(built.getBody());
  auto getSlot = [&](Value count) -> Value {
    return arith::IndexCastUIOp::create(rewriter, loc, rewriter.getIndexType(),
                                        count);
  };
  Value readSlot = getSlot(built.getRegionIterArgs().drop_back().back()),
        filledSlot = getSlot(built.getRegionIterArgs().back());
  NVVM::CpAsyncWaitGroupOp::create(rewriter, loc, depth - 2);
  gpu::BarrierOp::create(rewriter, loc);
  copyStep(getStep(built.getInductionVar(), depth - 1), filledSlot);
  for (Operation *reader : stages.readers)
    readFrom(reader, readSlot);
  for (Operation *barrier : stages.barriers)
    rewriter.eraseOp(barrier);
  SmallVector<Operation *> guards, dead;
  for (const Copy &copy : stages.copies) {
    vector::TransferWriteOp write = copy.write;
    if (copy.guard)
      guards.push_back(write->getParentOp());
    rewriter.eraseOp(write);
    rewriter.eraseOp(copy.source);
  }
  // Conditions are among the addresses, too. They die with their guards.
  for (Operation *op : llvm::reverse(stages.addresses)) {
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
    else
      dead.push_back(op);
  }
  for (Operation *guard : guards)
    rewriter.eraseOp(guard);
  for (Operation *op : dead)
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  for (Operation *buffer : stages.buffers)
    rewriter.eraseOp(buffer);
  if (stages.meetsBehind) {
    rewriter.setInsertionPointAfter(built);
    gpu::BarrierOp::create(rewriter, loc);
  }
  return built;
}

scf::ForOp formwork::transforms::pipeline::pipelineCopies(
    RewriterBase &rewriter, scf::ForOp loop, const Stages &stages,
    int64_t depth) {
  return Pipeliner(rewriter, loop, stages, depth).run();
}
