//===- Accesses.cpp - Reads and writes of each thread ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Alignment.h"
#include "transforms/distribute/Distributor.h"
#include "transforms/stage/Swizzle.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace formwork::transforms::distribute;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

OpFoldResult
formwork::transforms::distribute::applyAffine(OpBuilder &builder, Location loc,
                                              AffineExpr expr,
                                              ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      builder, loc, AffineMap::get(operands.size(), 0, expr), operands);
}

Value formwork::transforms::distribute::getIndex(
    OpBuilder &builder, Location loc, AffineExpr expr,
    ArrayRef<OpFoldResult> operands) {
  return getValueOrCreateConstantIndexOp(
      builder, loc, applyAffine(builder, loc, expr, operands));
}

AffineExpr Distributor::getDigitExpr(const Layout::Digit &digit) {
  AffineExpr expr = rewriter.getAffineDimExpr(0).floorDiv(digit.stride);
  return digit.stride * digit.count == layout.getNumThreads()
             ? expr
             : expr % digit.count;
}

/// How far on `axis` the element that is number `local` of a thread is from its
/// first one.
static int64_t getDistance(const AxisLayout &axis, int64_t local) {
  return local / axis.width * axis.getNumThreads() * axis.width +
         local % axis.width;
}

AffineExpr Distributor::getPlaceExpr(const AxisLayout &axis, int64_t local) {
  int64_t distance = getDistance(axis, local);
  if (axis.threads == 1)
    return rewriter.getAffineConstantExpr(distance);
  return getDigitExpr({axis.stride, axis.threads}) * axis.width + distance;
}

Value Distributor::getShift(AxisId axis) {
  if (Value shift = shifts.lookup(axis))
    return shift;
  auto start = cast<VectorTransferOpInterface>(layout[axis].start);
  for (auto [other, known] : shifts)
    if (known && layout[other].unit == layout[axis].unit &&
        startAlike(cast<VectorTransferOpInterface>(layout[other].start),
                   start)) {
      starts[axis] = starts.lookup(other);
      return shifts[axis] = known;
    }
  Location loc = start.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(thread);
  SmallVector<OpFoldResult> indices;
  for (Value index : start.getIndices()) {
    indices.push_back(index);
    Operation *made = index.getDefiningOp();
    if (made && made->getBlock() == rewriter.getInsertionBlock() &&
        !made->isBeforeInBlock(&*rewriter.getInsertionPoint()))
      rewriter.setInsertionPointAfter(made);
  }
  auto [strides, offset] =
      cast<MemRefType>(start.getShapedType()).getStridesAndOffset();
  AffineExpr place = rewriter.getAffineConstantExpr(0);
  for (auto [dim, stride] : llvm::enumerate(strides))
    place = place + rewriter.getAffineDimExpr(dim) * stride;
  Value first = getIndex(rewriter, loc, place, indices);
  Value unit = arith::ConstantIndexOp::create(rewriter, loc, layout[axis].unit);
  Value shift = arith::RemUIOp::create(rewriter, loc, first, unit);
  // A product of the unit shows how it is aligned.
  if (layout[axis].isWide())
    starts[axis] = arith::MulIOp::create(
        rewriter, loc, arith::DivUIOp::create(rewriter, loc, first, unit),
        unit);
  return shifts[axis] = shift;
}

OpFoldResult Distributor::getShiftedOffset(Location loc, AxisId axis,
                                           int64_t local) {
  return applyAffine(rewriter, loc, getPlaceExpr(layout[axis], local),
                     {thread});
}

OpFoldResult Distributor::getOffset(Location loc, std::optional<AxisId> axis,
                                    int64_t local) {
  if (!axis)
    return rewriter.getIndexAttr(0);
  const AxisLayout &own = layout[*axis];
  if (own.isOfFragments) {
    AffineExpr lane = rewriter.getAffineDimExpr(0),
               warp = rewriter.getAffineDimExpr(1);
    return applyAffine(rewriter, loc,
                       lane * own.width + warp * own.threads * own.width +
                           getDistance(own, local),
                       {getDigit({own.stride, own.threads}),
                        getDigit({own.warpStride, own.warps})});
  }
  if (own.unit == 1)
    return getShiftedOffset(loc, *axis, local);
  return applyAffine(rewriter, loc,
                     getPlaceExpr(own, local) - rewriter.getAffineDimExpr(1),
                     {thread, getShift(*axis)});
}

Value Distributor::getDigit(const Layout::Digit &digit) {
  Value &value = digits[{digit.stride, digit.count}];
  if (value)
    return value;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(thread);
  Location loc = thread.getLoc();
  if (digit.count == 1)
    return value = arith::ConstantIndexOp::create(rewriter, loc, 0);
  value = thread;
  if (digit.stride != 1)
    value = arith::DivUIOp::create(
        rewriter, loc, value,
        arith::ConstantIndexOp::create(rewriter, loc, digit.stride));
  if (digit.stride * digit.count != layout.getNumThreads())
    value = arith::RemUIOp::create(
        rewriter, loc, value,
        arith::ConstantIndexOp::create(rewriter, loc, digit.count));
  return value;
}

Value Distributor::isOnAxis(Location loc, std::optional<AxisId> axis,
                            int64_t local) {
  if (!axis || !layout[*axis].mayBeOutside(local))
    return {};
  Value offset = getValueOrCreateConstantIndexOp(rewriter, loc,
                                                 getOffset(loc, axis, local));
  Value size =
      arith::ConstantIndexOp::create(rewriter, loc, layout[*axis].size);
  // As an unsigned number, what is in front of the axis is above all sizes.
  return arith::CmpIOp::create(rewriter, loc,
                               layout[*axis].mayBeBefore(local)
                                   ? arith::CmpIPredicate::ult
                                   : arith::CmpIPredicate::slt,
                               offset, size);
}

Value Distributor::conjoin(Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(rewriter, loc, a, b);
}

Value Distributor::isOnAxes(Location loc, const AxisList &own,
                            ArrayRef<int64_t> piece, int64_t width,
                            int64_t element) {
  Value inside;
  for (auto [dim, axis] : llvm::enumerate(own)) {
    bool isLast = dim + 1 == own.size();
    int64_t local = isLast ? piece[dim] * width + element : piece[dim];
    inside = conjoin(loc, inside, isOnAxis(loc, axis, local));
  }
  return inside;
}

void Distributor::enterIf(Location loc, Value condition) {
  if (condition)
    rewriter.setInsertionPoint(
        scf::IfOp::create(rewriter, loc, condition).thenYield());
}

Value Distributor::isFirst(Location loc, ArrayRef<Layout::Digit> digits) {
  Value all;
  for (const Layout::Digit &digit : digits) {
    Value own = getIndex(rewriter, loc, getDigitExpr(digit), {thread});
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value is = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                     own, zero);
    all = conjoin(loc, all, is);
  }
  return all;
}

/// The permutation map for an access to one piece, which has one dimension.
static AffineMap getPieceMap(VectorTransferOpInterface transfer) {
  AffineMap map = transfer.getPermutationMap();
  AffineExpr result =
      map.getNumResults() != 0 ? map.getResults().back()
      : map.getNumDims() != 0
          ? getAffineDimExpr(map.getNumDims() - 1, map.getContext())
          : getAffineConstantExpr(0, map.getContext());
  return AffineMap::get(map.getNumDims(), 0, result);
}

SmallVector<Value> Distributor::getIndices(VectorTransferOpInterface transfer,
                                           ArrayRef<int64_t> piece,
                                           const AxisList &own, Value &inside,
                                           bool &inBounds) {
  Location loc = transfer.getLoc();
  inBounds = own.empty() || transfer.isDimInBounds(own.size() - 1);
  SmallVector<Value> indices(transfer.getIndices());
  AffineMap map = transfer.getPermutationMap();
  AffineExpr sum = rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1);
  for (auto [dim, result] : llvm::enumerate(map.getResults())) {
    bool isLast = dim + 1 == map.getNumResults();
    int64_t local = piece[dim] * (isLast ? getWidth(own) : 1);
    inside = conjoin(loc, inside, isOnAxis(loc, own[dim], local));
    auto position = dyn_cast<AffineDimExpr>(result);
    if (!position)
      continue;
    Value &index = indices[position.getPosition()];
    index =
        getIndex(rewriter, loc, sum, {index, getOffset(loc, own[dim], local)});
    if (transfer.isDimInBounds(dim))
      continue;
    // The access itself checks the elements of a piece along the last
    // dimension. A condition is needed only if either all or no elements of the
    // piece are inside.
    if (isLast) {
      int64_t width = getWidth(own);
      bool isWhole =
          width > 1 && transfer.getMask() == Value() &&
          distribute::getDivisor(index) % width == 0 &&
          getSizeDivisor(transfer.getBase(), position.getPosition()) % width ==
              0;
      if (!isWhole)
        continue;
      inBounds = true;
    }
    Value size = memref::DimOp::create(rewriter, loc, transfer.getBase(),
                                       position.getPosition());
    Value is = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     index, size);
    inside = conjoin(loc, inside, is);
  }
  if (stage::isSwizzled(transfer.getBase()))
    stage::swizzleIndices(rewriter, loc,
                          cast<MemRefType>(transfer.getShapedType()), indices,
                          rowsOfThread.lookup(transfer.getBase()));
  return indices;
}

Access Distributor::describe(VectorTransferOpInterface transfer) {
  Access access;
  access.memory = transfer.getBase();
  access.op = transfer;
  llvm::append_range(access.indices, transfer.getIndices());
  access.extents.assign(access.indices.size(), 1);
  access.axes.assign(access.indices.size(), std::nullopt);
  Value vector = transfer.getVector();
  AxisList own = getAxes(vector);
  for (auto [dim, result] :
       llvm::enumerate(transfer.getPermutationMap().getResults()))
    if (auto position = dyn_cast<AffineDimExpr>(result)) {
      access.extents[position.getPosition()] = (*getVectorShape(vector))[dim];
      access.axes[position.getPosition()] = own[dim];
    }
  access.shared = layout.getUnused(own).empty();
  return access;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Distributor::visitRead(vector::TransferReadOp read) {
  Location loc = read.getLoc();
  auto transfer = cast<VectorTransferOpInterface>(read.getOperation());
  AxisList own = getAxes(read.getResult());
  Pieces result = makePieces(own);
  VectorType type = getPieceType(read.getResult(), result);
  AffineMap map = getPieceMap(transfer);
  Value mask = getMask(read);
  barriers.access(loc, describe(transfer));
  if (isWideRow(own))
    return readWideRow(read);
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    Value inside;
    bool inBounds;
    SmallVector<Value> indices =
        getIndices(transfer, piece, own, inside, inBounds);
    Value maskPiece =
        mask ? lookup(mask).values[result.values.size()] : Value();
    auto build = [&](OpBuilder &builder) -> Value {
      if (map.getNumDims() == 0) {
        Value element =
            memref::LoadOp::create(builder, loc, read.getBase(), ValueRange());
        return vector::BroadcastOp::create(builder, loc, type, element);
      }
      return vector::TransferReadOp::create(
          builder, loc, type, read.getBase(), indices, AffineMapAttr::get(map),
          read.getPadding(), maskPiece, builder.getBoolArrayAttr({inBounds}));
    };
    if (!inside)
      return result.values.push_back(build(rewriter));
    auto guarded = scf::IfOp::create(
        rewriter, loc, inside,
        [&](OpBuilder &builder, Location) {
          scf::YieldOp::create(builder, loc, build(builder));
        },
        [&](OpBuilder &builder, Location) {
          Value padding = vector::BroadcastOp::create(builder, loc, type,
                                                      read.getPadding());
          scf::YieldOp::create(builder, loc, padding);
        });
    result.values.push_back(guarded.getResult(0));
  });
  set(read.getResult(), std::move(result));
}

void Distributor::visitWrite(vector::TransferWriteOp write) {
  Location loc = write.getLoc();
  auto transfer = cast<VectorTransferOpInterface>(write.getOperation());
  AxisList own = getAxes(write.getVector());
  Pieces source = lookup(write.getVector());
  AffineMap map = getPieceMap(transfer);
  Value mask = getMask(write);
  Access access = describe(transfer);
  access.writes = true;
  barriers.access(loc, std::move(access));

  OpBuilder::InsertionGuard guard(rewriter);
  enterIf(loc, isFirst(loc, layout.getUnused(own)));
  if (isWideRow(own))
    return writeWideRow(write);
  size_t next = 0;
  forEachIndex(source.shape, [&](ArrayRef<int64_t> piece) {
    OpBuilder::InsertionGuard guard(rewriter);
    Value inside;
    bool inBounds;
    SmallVector<Value> indices =
        getIndices(transfer, piece, own, inside, inBounds);
    Value value = source.values[next];
    Value maskPiece = mask ? lookup(mask).values[next] : Value();
    ++next;
    enterIf(loc, inside);
    if (map.getNumDims() == 0) {
      Value element =
          vector::ExtractOp::create(rewriter, loc, value, int64_t(0));
      memref::StoreOp::create(rewriter, loc, element, write.getBase(),
                              ValueRange());
      return;
    }
    vector::TransferWriteOp::create(rewriter, loc, value, write.getBase(),
                                    indices, AffineMapAttr::get(map), maskPiece,
                                    rewriter.getBoolArrayAttr({inBounds}));
  });
}

void Distributor::visitLoad(memref::LoadOp load) {
  Access access;
  access.memory = load.getMemRef();
  access.op = load;
  llvm::append_range(access.indices, load.getIndices());
  barriers.access(load.getLoc(), std::move(access));
}

/// Each thread has the same scalar, and one of them stores it.
void Distributor::visitStore(memref::StoreOp store) {
  Access access;
  access.memory = store.getMemRef();
  access.op = store;
  access.writes = true;
  llvm::append_range(access.indices, store.getIndices());
  barriers.access(store.getLoc(), std::move(access));
  if (Value first = isFirst(store.getLoc(), layout.getUnused({})))
    rewriter.moveOpBefore(
        store, scf::IfOp::create(rewriter, store.getLoc(), first).thenYield());
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// The indices of a gather say which elements it reads. They are on the axes of
/// its result. Behind the end of an axis, it reads nothing.
void Distributor::visitGather(vector::GatherOp gather) {
  Location loc = gather.getLoc();
  Access access;
  access.memory = gather.getBase();
  access.op = gather;
  barriers.access(loc, std::move(access));
  AxisList own = getAxes(gather.getResult());
  Pieces result = makePieces(own);
  VectorType type = getPieceType(gather.getResult(), result);
  auto getPiece = [&](Value operand, size_t number) {
    return lookup(operand).values[number];
  };
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    size_t number = result.values.size();
    Value mask = getPiece(gather.getMask(), number);
    if (Value inside = isOnAxes(loc, own, piece, result.width))
      mask = arith::AndIOp::create(
          rewriter, loc, mask,
          vector::BroadcastOp::create(rewriter, loc, mask.getType(), inside));
    result.values.push_back(vector::GatherOp::create(
        rewriter, loc, type, gather.getBase(), gather.getOffsets(),
        getPiece(gather.getIndices(), number), mask,
        getPiece(gather.getPassThru(), number)));
  });
  set(gather.getResult(), std::move(result));
}

void Distributor::visitMask(Operation *op) {
  Location loc = op->getLoc();
  SmallVector<OpFoldResult> sizes;
  if (auto create = dyn_cast<vector::CreateMaskOp>(op))
    sizes = getAsOpFoldResult(create.getOperands());
  else
    for (int64_t size : cast<vector::ConstantMaskOp>(op).getMaskDimSizes())
      sizes.push_back(rewriter.getIndexAttr(size));
  Value mask = op->getResult(0);
  AxisList own = getAxes(mask);
  Pieces result = makePieces(own);
  VectorType type = getPieceType(mask, result);
  AffineExpr difference =
      rewriter.getAffineDimExpr(0) - rewriter.getAffineDimExpr(1);
  // The number of elements of the mask's dimension from this thread's element
  // on.
  auto getRest = [&](size_t dim, int64_t local) {
    return getIndex(rewriter, loc, difference,
                    {sizes[dim], getOffset(loc, own[dim], local)});
  };
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value count = own.empty()
                      ? arith::ConstantIndexOp::create(rewriter, loc, 1)
                      : getRest(own.size() - 1, piece.back() * result.width);
    for (size_t dim = 0; dim + 1 < own.size(); ++dim) {
      Value some =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sgt,
                                getRest(dim, piece[dim]), zero);
      count = arith::SelectOp::create(rewriter, loc, some, count, zero);
    }
    result.values.push_back(
        vector::CreateMaskOp::create(rewriter, loc, type, count));
  });
  set(mask, std::move(result));
}
