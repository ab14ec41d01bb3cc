//===- Stage.cpp - Vectors through workgroup memory -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/stage/Stage.h"

#include "transforms/stage/Swizzle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace formwork::transforms::stage;

/// The operation in front of which `value` is written for `reader`: `reader`
/// itself, or the outermost loop around it in which `value` does not change.
static Operation *getWritePlace(gpu::LaunchOp launch, Value value,
                                Operation *reader) {
  Operation *place = reader;
  for (Operation *above = reader->getParentOp(); above != launch;
       above = above->getParentOp()) {
    Region *defined = value.getParentRegion();
    if (above->isAncestor(defined->getParentOp()))
      break;
    if (isa<LoopLikeOpInterface>(above))
      place = above;
  }
  return place;
}

Staged formwork::transforms::stage::stageOperand(RewriterBase &rewriter,
                                                 gpu::LaunchOp launch,
                                                 OpOperand &operand,
                                                 const BufferLayout &layout,
                                                 Operation *firstRead) {
  Value value = operand.get();
  Location loc = value.getLoc();
  auto type = cast<VectorType>(value.getType());
  SmallVector<int64_t> order(layout.order);
  if (order.empty())
    order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  SmallVector<int64_t> shape;
  SmallVector<unsigned> placeOfDim(order.size());
  for (auto [place, dim] : llvm::enumerate(order)) {
    shape.push_back(type.getDimSize(dim));
    placeOfDim[dim] = place;
  }
  shape.back() += layout.padding;
  auto map = AffineMapAttr::get(
      AffineMap::getPermutationMap(placeOfDim, rewriter.getContext()));

  Staged staged;
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(rewriter.getContext(),
                                          gpu::AddressSpace::Workgroup);
  staged.buffer = memref::AllocOp::create(
      rewriter, loc,
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      space),
      ValueRange(), rewriter.getI64IntegerAttr(16));
  if (layout.swizzled)
    setSwizzled(staged.buffer);

  Operation *reader = operand.getOwner();
  Operation *place = getWritePlace(launch, value, reader);
  rewriter.setInsertionPoint(place == reader && firstRead ? firstRead : place);
  SmallVector<Value> indices(order.size(),
                             arith::ConstantIndexOp::create(rewriter, loc, 0));
  auto inBounds =
      rewriter.getBoolArrayAttr(SmallVector<bool>(order.size(), true));
  staged.write = vector::TransferWriteOp::create(
      rewriter, loc, value, staged.buffer, indices, map, inBounds);
  rewriter.setInsertionPoint(reader);
  Value padding = ub::PoisonOp::create(rewriter, loc, type.getElementType());
  staged.read = vector::TransferReadOp::create(
      rewriter, loc, type, staged.buffer, indices, map, padding,
      /*mask=*/Value(), inBounds);
  rewriter.modifyOpInPlace(reader, [&] { operand.set(staged.read); });
  return staged;
}
