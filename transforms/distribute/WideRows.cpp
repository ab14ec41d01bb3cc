//===- WideRows.cpp - Wide accesses of rows that start anywhere ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes rows that start anywhere in pieces that start at multiples
// of their width. At both ends of a row, a piece may have elements of other
// rows, which are not accessed. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Distributor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::transforms::distribute;

Value Distributor::getFlat(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  Value &result = flat[memory];
  if (result || type.getRank() == 1)
    return result ? result : memory;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(thread);
  if (launch.getBody().isAncestor(memory.getParentRegion()))
    rewriter.setInsertionPointAfterValue(memory);
  Location loc = memory.getLoc();
  // Strides are static, so that only the outermost size may be dynamic.
  AffineExpr outermost = rewriter.getAffineDimExpr(0);
  OpFoldResult size = affine::makeComposedFoldedAffineApply(
      rewriter, loc, outermost * type.getStridesAndOffset().first.front(),
      {memref::getMixedSize(rewriter, loc, memory, /*dim=*/0)});
  // Clean-up would fold a memref.collapse_shape into each access.
  return result = memref::ReinterpretCastOp::create(
             rewriter, loc,
             MemRefType::get(
                 {getConstantIntValue(size).value_or(ShapedType::kDynamic)},
                 type.getElementType(), MemRefLayoutAttrInterface(),
                 type.getMemorySpace()),
             memory, /*offset=*/rewriter.getIndexAttr(0),
             ArrayRef<OpFoldResult>{size},
             ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)});
}

Value Distributor::getPlace(Location loc, AxisId axis, int64_t local) {
  getShift(axis);
  AffineExpr sum = rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1);
  return getIndex(rewriter, loc, sum,
                  {starts.lookup(axis), getShiftedOffset(loc, axis, local)});
}

Value Distributor::isWholeOnAxis(Location loc, AxisId axis, int64_t local) {
  const AxisLayout &own = layout[axis];
  if (!own.mayBeOutside(local))
    return {};
  Value offset = getValueOrCreateConstantIndexOp(rewriter, loc,
                                                 getOffset(loc, axis, local));
  // As an unsigned number, an element in front of the axis is above all others.
  return arith::CmpIOp::create(
      rewriter, loc,
      own.mayBeBefore(local) ? arith::CmpIPredicate::ule
                             : arith::CmpIPredicate::sle,
      offset,
      arith::ConstantIndexOp::create(rewriter, loc, own.size - own.width));
}

void Distributor::readWideRow(vector::TransferReadOp read) {
  Location loc = read.getLoc();
  AxisList own = getAxes(read.getResult());
  AxisId axis = *own.back();
  const AxisLayout &ofAxis = layout[axis];
  Pieces result = makePieces(own);
  VectorType type = getPieceType(read.getResult(), result);
  auto start = cast<VectorTransferOpInterface>(ofAxis.start);
  if (!startAlike(cast<VectorTransferOpInterface>(read.getOperation()),
                  start)) {
    if (!shiftedReads)
      shiftedReads.emplace(getShift(axis), thread, ofAxis.width);
    forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
      int64_t local = piece.back() * ofAxis.width;
      SmallVector<Value> indices(read.getIndices());
      indices.back() = getValueOrCreateConstantIndexOp(
          rewriter, loc, getShiftedOffset(loc, axis, local));
      result.values.push_back(shiftedReads->create(
          rewriter, read, type, indices,
          /*mayBeFirst=*/piece.back() == 0,
          /*inBounds=*/
          (piece.back() + 1) * ofAxis.width * ofAxis.getNumThreads() <=
              ofAxis.size));
    });
    return set(read.getResult(), std::move(result));
  }

  Value row = getFlat(getWholeBuffer(read.getBase()));
  auto build = [&](int64_t local) -> Value {
    return vector::TransferReadOp::create(
        rewriter, loc, type, row, getPlace(loc, axis, local), read.getPadding(),
        ArrayRef<bool>{true});
  };
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    int64_t local = piece.back() * ofAxis.width;
    Value whole = isWholeOnAxis(loc, axis, local);
    if (!whole)
      return result.values.push_back(build(local));
    OpBuilder::InsertionGuard guard(rewriter);
    auto atEnd = scf::IfOp::create(rewriter, loc, TypeRange{type}, whole,
                                   /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(atEnd.thenBlock());
    scf::YieldOp::create(rewriter, loc, build(local));
    rewriter.setInsertionPointToStart(atEnd.elseBlock());
    SmallVector<Value> elements;
    for (int64_t i = 0; i != ofAxis.width; ++i) {
      Value isThere = isOnAxis(loc, axis, local + i);
      Value place = getPlace(loc, axis, local + i);
      elements.push_back(
          scf::IfOp::create(
              rewriter, loc, isThere,
              [&](OpBuilder &builder, Location) {
                Value element =
                    memref::LoadOp::create(builder, loc, row, place);
                scf::YieldOp::create(builder, loc, element);
              },
              [&](OpBuilder &builder, Location) {
                scf::YieldOp::create(builder, loc, read.getPadding());
              })
              .getResult(0));
    }
    Value all = vector::FromElementsOp::create(rewriter, loc, type, elements);
    scf::YieldOp::create(rewriter, loc, all);
    result.values.push_back(atEnd.getResult(0));
  });
  set(read.getResult(), std::move(result));
}

void Distributor::writeWideRow(vector::TransferWriteOp write) {
  Location loc = write.getLoc();
  AxisList own = getAxes(write.getVector());
  AxisId axis = *own.back();
  const Pieces &source = lookup(write.getVector());
  Value row = getFlat(getWholeBuffer(write.getBase()));
  forEachIndex(source.shape, [&](ArrayRef<int64_t> piece) {
    int64_t local = piece.back() * source.width;
    Value value = source.values[piece.back()];
    auto build = [&] {
      vector::TransferWriteOp::create(rewriter, loc, value, row,
                                      getPlace(loc, axis, local),
                                      ArrayRef<bool>{true});
    };
    Value whole = isWholeOnAxis(loc, axis, local);
    if (!whole)
      return build();
    OpBuilder::InsertionGuard guard(rewriter);
    auto atEnd = scf::IfOp::create(rewriter, loc, whole,
                                   /*withElseRegion=*/true);
    rewriter.setInsertionPoint(atEnd.thenYield());
    build();
    rewriter.setInsertionPoint(atEnd.elseYield());
    for (int64_t i = 0; i != source.width; ++i) {
      Value isThere = isOnAxis(loc, axis, local + i);
      Value place = getPlace(loc, axis, local + i);
      Value element = vector::ExtractOp::create(rewriter, loc, value, i);
      scf::IfOp::create(
          rewriter, loc, isThere, [&](OpBuilder &builder, Location) {
            memref::StoreOp::create(builder, loc, element, row, place);
            scf::YieldOp::create(builder, loc);
          });
    }
  });
}
