//===- EdgeAccesses.cpp - Accesses over the end of a buffer -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access of a vector that may reach over the end of its buffer is made
// element by element, each with its own guard. Here, it becomes accesses of as
// many bytes as the alignment allows, which are guarded as a whole. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Alignment.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUEDGEACCESSES
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
namespace distribute = formwork::transforms::distribute;

/// The most elements that one instruction can access at the place of
/// `transfer`: 1 if no more are known to be aligned, or if the transfer does
/// not reach over the end of consecutive elements.
static int64_t getAlignedWidth(VectorTransferOpInterface transfer) {
  VectorType vector = transfer.getVectorType();
  auto buffer = dyn_cast<MemRefType>(transfer.getShapedType());
  if (!buffer || vector.getRank() != 1 || vector.isScalable() ||
      transfer.getMask() || transfer.isDimInBounds(0) ||
      !transfer.getPermutationMap().isMinorIdentity() ||
      vector.getElementType() != buffer.getElementType() ||
      !buffer.isLastDimUnitStride())
    return 1;
  Type element = buffer.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (bits % 8 != 0 || !llvm::isPowerOf2_32(bits))
    return 1;
  constexpr int64_t kMostBytes = 16;
  int64_t divisor =
      distribute::getByteDivisor(transfer.getBase(), transfer.getIndices());
  int64_t width = kMostBytes * 8 / bits;
  while (width > 1 && (vector.getDimSize(0) % width != 0 ||
                       divisor % (width * bits / 8) != 0))
    width /= 2;
  return std::max<int64_t>(width, 1);
}

namespace {
/// Replaces one access by accesses of `width` elements.
struct EdgeSplitter {
  EdgeSplitter(RewriterBase &rewriter, VectorTransferOpInterface transfer,
               int64_t width)
      : rewriter(rewriter), transfer(transfer), width(width),
        loc(transfer.getLoc()) {
    VectorType type = transfer.getVectorType();
    piece = VectorType::get({width}, type.getElementType());
    last = transfer.getShapedType().getRank() - 1;
    rewriter.setInsertionPoint(transfer);
    size = rewriter.createOrFold<memref::DimOp>(loc, transfer.getBase(), last);
    // Then the end of the buffer is never within a piece.
    isWhole =
        distribute::getDivisor(transfer.getIndices().back()) % width == 0 &&
        distribute::getSizeDivisor(transfer.getBase(), last) % width == 0;
  }

  Value plus(Value index, int64_t number) {
    if (number == 0)
      return index;
    AffineExpr sum = rewriter.getAffineDimExpr(0) + number;
    return getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(1, 0, sum), OpFoldResult(index)));
  }

  /// Whether the piece at `index` lies within the buffer; if `isWhole`, whether
  /// its first element does.
  Value isInside(Value index) {
    return arith::CmpIOp::create(rewriter, loc,
                                 isWhole ? arith::CmpIPredicate::slt
                                         : arith::CmpIPredicate::sle,
                                 isWhole ? index : plus(index, width), size);
  }

  void run() {
    auto read = dyn_cast<vector::TransferReadOp>(*transfer);
    int64_t numElements = transfer.getVectorType().getDimSize(0);
    Value result;
    for (int64_t start = 0; start < numElements; start += width) {
      SmallVector<Value> indices(transfer.getIndices());
      indices.back() = plus(indices.back(), start);
      Value inside = isInside(indices.back());
      if (!read) {
        write(indices, inside, start);
        continue;
      }
      Value part = readPart(read, indices, inside);
      if (width == numElements) {
        result = part;
        break;
      }
      if (!result)
        result = ub::PoisonOp::create(rewriter, loc, read.getVectorType());
      result = vector::InsertStridedSliceOp::create(rewriter, loc, part, result,
                                                    ArrayRef<int64_t>{start},
                                                    ArrayRef<int64_t>{1});
    }
    if (read)
      rewriter.replaceOp(read, result);
    else
      rewriter.eraseOp(transfer);
  }

  Value readPart(vector::TransferReadOp read, ArrayRef<Value> indices,
                 Value inside) {
    auto access = [&](OpBuilder &builder, bool inBounds) {
      Value part = vector::TransferReadOp::create(
          builder, loc, piece, read.getBase(), indices,
          read.getPermutationMapAttr(), read.getPadding(), /*mask=*/Value(),
          builder.getBoolArrayAttr({inBounds}));
      scf::YieldOp::create(builder, loc, part);
    };
    return scf::IfOp::create(
               rewriter, loc, inside,
               [&](OpBuilder &builder, Location) { access(builder, true); },
               [&](OpBuilder &builder, Location) {
                 if (!isWhole)
                   return access(builder, false);
                 Value padding = vector::BroadcastOp::create(
                     builder, loc, piece, read.getPadding());
                 scf::YieldOp::create(builder, loc, padding);
               })
        .getResult(0);
  }

  void write(ArrayRef<Value> indices, Value inside, int64_t start) {
    auto write = cast<vector::TransferWriteOp>(*transfer);
    Value part = write.getVector();
    if (width != write.getVectorType().getDimSize(0))
      part = vector::ExtractStridedSliceOp::create(
          rewriter, loc, part, ArrayRef<int64_t>{start},
          ArrayRef<int64_t>{width}, ArrayRef<int64_t>{1});
    auto access = [&](OpBuilder &builder, bool inBounds) {
      vector::TransferWriteOp::create(builder, loc, part, write.getBase(),
                                      indices, write.getPermutationMapAttr(),
                                      builder.getBoolArrayAttr({inBounds}));
      scf::YieldOp::create(builder, loc);
    };
    auto ofTail = [&](OpBuilder &builder, Location) { access(builder, false); };
    auto ofPiece = [&](OpBuilder &builder, Location) { access(builder, true); };
    if (isWhole)
      scf::IfOp::create(rewriter, loc, inside, ofPiece);
    else
      scf::IfOp::create(rewriter, loc, inside, ofPiece, ofTail);
  }

  RewriterBase &rewriter;
  VectorTransferOpInterface transfer;
  int64_t width;
  Location loc;
  VectorType piece;
  int64_t last;
  Value size;
  bool isWhole;
};

} // namespace

/// Whether `transfer` is what an earlier run of the pass left for the end of
/// the buffer: the other side of a branch to one of the same place that is in
/// bounds.
static bool isTail(VectorTransferOpInterface transfer) {
  auto branch = dyn_cast<scf::IfOp>(transfer->getParentOp());
  if (!branch || transfer->getBlock() != branch.elseBlock())
    return false;
  return llvm::any_of(*branch.thenBlock(), [&](Operation &op) {
    auto other = dyn_cast<VectorTransferOpInterface>(op);
    return other && op.getName() == transfer->getName() &&
           other.getBase() == transfer.getBase() &&
           other.getIndices() == transfer.getIndices() &&
           other.isDimInBounds(0);
  });
}

namespace {
struct EdgeAccesses
    : formwork::transforms::impl::GpuEdgeAccessesBase<EdgeAccesses> {
  void runOnOperation() override {
    SmallVector<std::pair<VectorTransferOpInterface, int64_t>> transfers;
    getOperation()->walk([&](VectorTransferOpInterface transfer) {
      if (!transfer->getParentOfType<gpu::LaunchOp>() || isTail(transfer))
        return;
      if (int64_t width = getAlignedWidth(transfer); width > 1)
        transfers.push_back({transfer, width});
    });
    IRRewriter rewriter(&getContext());
    for (auto [transfer, width] : transfers)
      EdgeSplitter(rewriter, transfer, width).run();
  }
};
} // namespace
