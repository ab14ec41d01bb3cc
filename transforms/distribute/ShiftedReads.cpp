//===- ShiftedReads.cpp - Reads across multiples of their width ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ShiftedReads.h.
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/ShiftedReads.h"

#include "engine/RootBuffer.h"
#include "transforms/distribute/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::transforms::distribute;
using formwork::engine::getRootBuffer;

/// Marks a read that is not expanded yet, whether its index may be 0.
constexpr StringLiteral kMark = "formwork.shifted";

Value ShiftedReads::create(OpBuilder &builder, vector::TransferReadOp read,
                           VectorType type, ArrayRef<Value> indices,
                           bool mayBeFirst, bool inBounds) {
  auto made = vector::TransferReadOp::create(
      builder, read.getLoc(), type, read.getBase(), indices, read.getPadding(),
      ArrayRef<bool>{inBounds});
  made->setDiscardableAttr(kMark, builder.getBoolAttr(mayBeFirst));
  return made;
}

/// Where `read` may stand as late as possible: in front of its first user, if
/// nothing in between writes.
static Operation *findLatest(vector::TransferReadOp read) {
  Block *block = read->getBlock();
  for (Operation *op = read->getNextNode(); op != block->getTerminator();
       op = op->getNextNode()) {
    if (llvm::any_of(read->getUsers(),
                     [&](Operation *user) { return op->isAncestor(user); }))
      return op;
    if (!isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op))
      break;
  }
  return read->getNextNode();
}

void ShiftedReads::expandRead(RewriterBase &rewriter,
                              vector::TransferReadOp read, int64_t version) {
  Location loc = read.getLoc();
  VectorType type = read.getVectorType();
  bool mayBeFirst = cast<BoolAttr>(read->getDiscardableAttr(kMark)).getValue();
  rewriter.setInsertionPoint(read);
  Value last = read.getIndices().back();
  auto readAt = [&](VectorType type, Value index) -> Value {
    SmallVector<Value> indices(read.getIndices());
    indices.back() = index;
    return vector::TransferReadOp::create(
        rewriter, loc, type, read.getBase(), indices, read.getPadding(),
        ArrayRef<bool>{read.isDimInBounds(0)});
  };
  auto get = [&](Value piece, int64_t element) -> Value {
    return vector::ExtractOp::create(rewriter, loc, piece, element);
  };
  if (version == 0)
    return rewriter.replaceOp(read, readAt(type, last));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto isEqual = [&](Value value, int64_t number) -> Value {
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, value,
                                 constant(number));
  };
  Value own = readAt(type, last);
  // The first lane reads as many elements as one instruction can.
  int64_t taken = llvm::PowerOf2Ceil(version);
  VectorType ofTaken = VectorType::get({taken}, type.getElementType());
  SmallVector<Value> sent;
  if (taken != version)
    sent.push_back(ub::PoisonOp::create(rewriter, loc, type.getElementType()));
  for (int64_t i = width - version; i != width; ++i)
    sent.push_back(gpu::ShuffleOp::create(rewriter, loc, get(own, i), 1,
                                          kWarpSize, gpu::ShuffleMode::UP)
                       .getShuffleResult());
  Value lane =
      arith::RemUIOp::create(rewriter, loc, thread, constant(kWarpSize));
  Value isFirstLane = isEqual(lane, 0);
  if (mayBeFirst)
    isFirstLane = arith::AndIOp::create(
        rewriter, loc, isFirstLane,
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, last,
                              constant(0)));
  auto branch = scf::IfOp::create(rewriter, loc, TypeRange{ofTaken},
                                  isFirstLane, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    Value before = readAt(
        ofTaken, arith::SubIOp::create(rewriter, loc, last, constant(taken)));
    scf::YieldOp::create(rewriter, loc, before);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    Value ofNeighbour =
        vector::FromElementsOp::create(rewriter, loc, ofTaken, sent);
    scf::YieldOp::create(rewriter, loc, ofNeighbour);
  }
  SmallVector<Value> elements;
  for (int64_t i = taken - version; i != taken; ++i)
    elements.push_back(get(branch.getResult(0), i));
  for (int64_t i = 0; i != width - version; ++i)
    elements.push_back(get(own, i));
  rewriter.replaceOpWithNewOp<vector::FromElementsOp>(read, type, elements);
}

/// Whether all that `block` writes are buffers that the program allocates, and
/// nothing in it reads these. `writes` is set to its operations that write.
static bool writesOnlyResults(Block &block, SmallVector<Operation *> &writes) {
  llvm::DenseSet<Value> written, read;
  for (Operation &op : block) {
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(&op);
    if (!effects)
      return false;
    bool isWrite = false;
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      bool writesHere = isa<MemoryEffects::Write>(effect.getEffect());
      if (!effect.getValue() ||
          !(writesHere || isa<MemoryEffects::Read>(effect.getEffect())))
        return false;
      (writesHere ? written : read).insert(getRootBuffer(effect.getValue()));
      isWrite |= writesHere;
    }
    if (isWrite)
      writes.push_back(&op);
  }
  return llvm::all_of(written, [&](Value buffer) {
    return buffer.getDefiningOp<memref::AllocOp>() && !read.contains(buffer);
  });
}

/// Computes the values of some neighbouring writes right in front of these:
/// later reads then wait in no register. Several of these reads are on
/// their way at a time.
static void computeLate(RewriterBase &rewriter, Block &block) {
  SmallVector<Operation *> writes;
  if (!writesOnlyResults(block, writes) || writes.empty())
    return;
  // More reads than these would wait in too many registers, beside the values
  // of later writes.
  constexpr size_t kMostReads = 3;
  auto reads = block.getOps<vector::TransferReadOp>();
  size_t numReads = std::distance(reads.begin(), reads.end());
  size_t atATime = std::max<size_t>(
      1, kMostReads /
             llvm::divideCeil(std::max<size_t>(1, numReads), writes.size()));
  Operation *end = block.getTerminator();
  llvm::DenseMap<Operation *, unsigned> places;
  for (Operation &op : block)
    places[&op] = places.size();
  llvm::DenseSet<Operation *> placed;
  auto place = [&](Operation *op) {
    placed.insert(op);
    rewriter.moveOpBefore(op, end);
  };
  for (ArrayRef<Operation *> left = writes; !left.empty();) {
    ArrayRef<Operation *> some = left.take_front(atATime);
    left = left.drop_front(some.size());
    SetVector<Operation *> needed;
    SmallVector<Operation *> next(some);
    while (!next.empty())
      next.pop_back_val()->walk([&](Operation *user) {
        for (Value operand : user->getOperands())
          if (Operation *made = operand.getDefiningOp();
              made && made->getBlock() == &block && !placed.contains(made) &&
              needed.insert(made))
            next.push_back(made);
      });
    SmallVector<Operation *> ordered = needed.takeVector();
    llvm::sort(ordered, [&](Operation *a, Operation *b) {
      return places[a] < places[b];
    });
    llvm::for_each(ordered, place);
    llvm::for_each(some, place);
  }
}

void ShiftedReads::expandVersion(RewriterBase &rewriter,
                                 ArrayRef<Operation *> ops, int64_t version) {
  Block *block = rewriter.getInsertionBlock();
  IRMapping mapping;
  mapping.map(
      shift, arith::ConstantIndexOp::create(rewriter, shift.getLoc(), version));
  SmallVector<vector::TransferReadOp> reads;
  for (Operation *op : ops)
    rewriter.clone(*op, mapping)->walk([&](vector::TransferReadOp read) {
      if (read->hasAttr(kMark))
        reads.push_back(read);
    });
  for (vector::TransferReadOp read : reads)
    expandRead(rewriter, read, version);
  computeLate(rewriter, *block);
}

void ShiftedReads::expand(RewriterBase &rewriter, gpu::LaunchOp launch) {
  // The code in front of the first of these reads has one version.
  launch.getBody().walk([&](vector::TransferReadOp read) {
    if (read->hasAttr(kMark))
      rewriter.moveOpBefore(read, findLatest(read));
  });
  Block &body = launch.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator()) {
    bool isFirst = ops.empty() && op.walk([](vector::TransferReadOp read) {
                                      return read->hasAttr(kMark)
                                                 ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                                    }).wasInterrupted();
    if (isFirst || !ops.empty())
      ops.push_back(&op);
  }
  // All versions use the same buffers.
  llvm::erase_if(ops, [&](Operation *op) {
    if (!isa<memref::AllocOp>(op) || op->getNumOperands() != 0)
      return false;
    rewriter.moveOpBefore(op, ops.front());
    return true;
  });
  if (ops.empty())
    return;
  rewriter.setInsertionPoint(body.getTerminator());
  for (int64_t version = 0; version != width; ++version) {
    OpBuilder::InsertionGuard guard(rewriter);
    Location loc = shift.getLoc();
    Value is = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, shift,
        arith::ConstantIndexOp::create(rewriter, loc, version));
    auto branch = scf::IfOp::create(rewriter, loc, is);
    rewriter.setInsertionPoint(branch.thenYield());
    expandVersion(rewriter, ops, version);
  }
  for (Operation *op : llvm::reverse(ops))
    rewriter.eraseOp(op);
}
