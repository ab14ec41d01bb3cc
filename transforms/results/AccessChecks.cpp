//===- AccessChecks.cpp - Bounds and strands of host code -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/AccessChecks.h"

#include "transforms/results/ActiveLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace formwork::transforms;

namespace {
class Checker {
public:
  Checker(ModuleOp module, std::vector<AccessSite> &sites)
      : module(module), sites(sites), builder(module.getContext()) {}

  void checkBuffers() {
    for (Operation *op :
         collect<memref::LoadOp, memref::StoreOp, memref::SubViewOp,
                 vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
                 vector::MaskedStoreOp, vector::ExpandLoadOp,
                 vector::CompressStoreOp, vector::TransferReadOp,
                 vector::TransferWriteOp>())
      checkBounds(op);
    for (Operation *op : collect<scf::ForallOp, scf::ParallelOp>())
      markStrands(op);
  }

  void checkTensors() {
    for (Operation *op : collect<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                                 tensor::ParallelInsertSliceOp>())
      checkBounds(op);
  }

private:
  /// The operations of these kinds, but not those in a launch.
  template <typename... Ops> SmallVector<Operation *> collect() {
    SmallVector<Operation *> all;
    for (auto function : module.getOps<func::FuncOp>())
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<gpu::LaunchOp>(op))
          return WalkResult::skip();
        if (isa<Ops...>(op))
          all.push_back(op);
        return WalkResult::advance();
      });
    return all;
  }

  struct Range {
    int64_t dimension;
    OpFoldResult index;
    OpFoldResult extent, size;
  };

  int64_t addSite(Operation *op) {
    sites.push_back({op->getLoc(), op->getName().getStringRef().str()});
    return sites.size() - 1;
  }

  Value get(Location loc, OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  }

  void call(Location loc, StringRef name, ValueRange arguments) {
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      auto declaration = func::FuncOp::create(
          builder, loc, name,
          builder.getFunctionType(arguments.getTypes(), TypeRange()));
      declaration.setPrivate();
    }
    func::CallOp::create(builder, loc, name, TypeRange(), arguments);
  }

  /// Adds the dimensions in which `memref` is accessed at `indices`, where
  /// `vector` counts the elements along the last ones.
  void addAccess(Value memref, ValueRange indices, ArrayRef<int64_t> vector) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type || type.getRank() != int64_t(indices.size()))
      return;
    int64_t first = type.getRank() - int64_t(vector.size());
    for (auto [i, index] : llvm::enumerate(indices)) {
      int64_t dimension = i;
      int64_t extent = dimension >= first ? vector[dimension - first] : 1;
      ranges.push_back(
          {dimension, index, builder.getIndexAttr(extent),
           memref::getMixedSize(builder, memref.getLoc(), memref, dimension)});
    }
  }

  /// Adds the dimensions of a masked access whose lanes lie along the last one:
  /// those from the first to the last active one, or as many as are active,
  /// where these lie next to each other.
  template <typename Op> void addMasked(Op op, bool isPacked) {
    Value base = op.getBase();
    ValueRange indices = op.getIndices();
    Location loc = op.getLoc();
    if (indices.empty() || op.getMask().getType().getRank() != 1)
      return;
    std::optional<SmallVector<ActiveLanes>> lanes;
    if (isPacked)
      lanes = {
          {builder.getIndexAttr(0), countActiveLanes(builder, op.getMask())}};
    else
      lanes = findActiveLanes(builder, op.getMask());
    if (!lanes)
      return;
    for (auto [i, index] : llvm::enumerate(indices.drop_back()))
      ranges.push_back({int64_t(i), index, keepIfAny(loc, *lanes),
                        memref::getMixedSize(builder, loc, base, i)});
    int64_t last = indices.size() - 1;
    ranges.push_back({last, shift(loc, indices.back(), lanes->front().first),
                      lanes->front().extent,
                      memref::getMixedSize(builder, loc, base, last)});
  }

  /// 1 if some lane is active, and else 0.
  OpFoldResult keepIfAny(Location loc, ArrayRef<ActiveLanes> lanes) {
    if (lanes.empty())
      return builder.getIndexAttr(1);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    return arith::MinSIOp::create(builder, loc, one,
                                  get(loc, lanes.front().extent))
        .getResult();
  }

  OpFoldResult shift(Location loc, Value index, OpFoldResult offset) {
    if (isConstantIntValue(offset, 0))
      return index;
    return arith::AddIOp::create(builder, loc, index, get(loc, offset))
        .getResult();
  }

  /// A transfer claims to be in bounds in some of the vector's dimensions, and
  /// in all that are none of the vector's. Under a mask, the lanes that are
  /// left out claim nothing; it has the dimensions of the memory, in order.
  void addTransfer(VectorTransferOpInterface transfer) {
    Value base = transfer.getBase();
    auto type = dyn_cast<MemRefType>(base.getType());
    if (!type)
      return;
    Location loc = transfer.getLoc();
    AffineMap map = transfer.getPermutationMap();
    Value mask = transfer.getMask();
    if (auto around =
            dyn_cast_if_present<vector::MaskOp>(transfer->getParentOp()))
      mask = around.getMask();
    std::optional<SmallVector<ActiveLanes>> lanes;
    if (mask && !(lanes = findActiveLanes(builder, mask)))
      return;
    unsigned inMask = 0;
    for (unsigned dim = 0, e = type.getRank(); dim != e; ++dim) {
      OpFoldResult size = memref::getMixedSize(builder, loc, base, dim);
      Value index = transfer.getIndices()[dim];
      std::optional<unsigned> lane =
          map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
      if (!lane) {
        OpFoldResult extent = builder.getIndexAttr(1);
        ranges.push_back(
            {dim, index, lanes ? keepIfAny(loc, *lanes) : extent, size});
        continue;
      }
      unsigned number = inMask++;
      if (lanes && number >= lanes->size())
        return;
      if (!transfer.isDimInBounds(*lane))
        continue;
      if (lanes)
        ranges.push_back({dim, shift(loc, index, (*lanes)[number].first),
                          (*lanes)[number].extent, size});
      else
        ranges.push_back(
            {dim, index,
             builder.getIndexAttr(transfer.getVectorType().getDimSize(*lane)),
             size});
    }
  }

  /// The elements of `source` from the first to the last of a view or slice,
  /// where `getSize` returns a size of `source`.
  template <typename GetSize>
  void addView(OffsetSizeAndStrideOpInterface view, Value source,
               GetSize getSize) {
    Location loc = view.getLoc();
    for (auto [i, offset, size, stride] :
         llvm::enumerate(view.getMixedOffsets(), view.getMixedSizes(),
                         view.getMixedStrides())) {
      OpFoldResult extent = size;
      if (!isConstantIntValue(stride, 1)) {
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        Value count = get(loc, size);
        Value last = arith::SubIOp::create(builder, loc, count, one);
        Value span =
            arith::MulIOp::create(builder, loc, last, get(loc, stride));
        Value full = arith::AddIOp::create(builder, loc, span, one);
        Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
        Value isEmpty = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::sle, count, zero);
        extent = arith::SelectOp::create(builder, loc, isEmpty, zero, full)
                     .getResult();
      }
      ranges.push_back(
          {int64_t(i), offset, extent, getSize(builder, loc, source, i)});
    }
  }

  /// Whether all is known, and fine.
  static bool isInBounds(const Range &range) {
    std::optional<int64_t> index = getConstantIntValue(range.index),
                           extent = getConstantIntValue(range.extent),
                           size = getConstantIntValue(range.size);
    return index && extent && size && *index >= 0 && *index <= *size - *extent;
  }

  void checkBounds(Operation *op) {
    // Only insertions may stand in the terminator of a forall, and one op in
    // the region of a mask.
    builder.setInsertionPoint(
        isa<tensor::ParallelInsertSliceOp>(op) ||
                isa_and_present<vector::MaskOp>(op->getParentOp())
            ? op->getParentOp()
            : op);
    ranges.clear();
    if (auto load = dyn_cast<memref::LoadOp>(op))
      addAccess(load.getMemref(), load.getIndices(), {});
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      addAccess(store.getMemref(), store.getIndices(), {});
    else if (auto load = dyn_cast<vector::LoadOp>(op))
      addAccess(load.getBase(), load.getIndices(),
                load.getVectorType().getShape());
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      addAccess(store.getBase(), store.getIndices(),
                store.getVectorType().getShape());
    else if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
      addMasked(load, /*isPacked=*/false);
    else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
      addMasked(store, /*isPacked=*/false);
    else if (auto load = dyn_cast<vector::ExpandLoadOp>(op))
      addMasked(load, /*isPacked=*/true);
    else if (auto store = dyn_cast<vector::CompressStoreOp>(op))
      addMasked(store, /*isPacked=*/true);
    else if (auto view = dyn_cast<memref::SubViewOp>(op))
      addView(view, view.getSource(), memref::getMixedSize);
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      addView(slice, slice.getSource(), tensor::getMixedSize);
    else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      addView(slice, slice.getDest(), tensor::getMixedSize);
    else if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      addView(slice, slice.getDest(), tensor::getMixedSize);
    else
      addTransfer(cast<VectorTransferOpInterface>(op));
    llvm::erase_if(ranges, isInBounds);
    if (ranges.empty())
      return;

    Location loc = op->getLoc();
    int64_t site = addSite(op);
    SmallVector<SmallVector<Value>> calls;
    Value holds;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (const Range &range : ranges) {
      Value index = get(loc, range.index), extent = get(loc, range.extent),
            size = get(loc, range.size);
      Value room = arith::SubIOp::create(builder, loc, size, extent);
      Value below = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sle, index, room);
      Value above = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sge, index, zero);
      Value both = arith::AndIOp::create(builder, loc, below, above);
      // Nothing is accessed through a view without elements.
      Value isEmpty = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sle, extent, zero);
      both = arith::OrIOp::create(builder, loc, both, isEmpty);
      holds = holds ? arith::AndIOp::create(builder, loc, holds, both) : both;
      calls.push_back({get(loc, builder.getIndexAttr(site)),
                       get(loc, builder.getIndexAttr(range.dimension)), index,
                       extent, size});
    }
    auto branch = scf::IfOp::create(builder, loc, holds,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(&branch.getElseRegion().front());
    for (ArrayRef<Value> arguments : calls)
      call(loc, access::bounds, arguments);
  }

  void markStrands(Operation *loop) {
    Location loc = loop->getLoc();
    builder.setInsertionPoint(loop);
    Value site = arith::ConstantIndexOp::create(builder, loc, addSite(loop));
    call(loc, access::fork, site);
    builder.setInsertionPointAfter(loop);
    call(loc, access::join, {});
    builder.setInsertionPointToStart(&loop->getRegion(0).front());
    call(loc, access::strand, {});
  }

  ModuleOp module;
  std::vector<AccessSite> &sites;
  /// The dimensions in which the present operation accesses a buffer.
  SmallVector<Range> ranges;
  OpBuilder builder;
};
} // namespace

void formwork::transforms::addAccessChecks(ModuleOp module,
                                           std::vector<AccessSite> &sites) {
  Checker(module, sites).checkBuffers();
}

void formwork::transforms::addSliceChecks(ModuleOp module,
                                          std::vector<AccessSite> &sites) {
  Checker(module, sites).checkTensors();
}
