//===- AliasFolds.cpp - Folds of views into accesses, guarded ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/AliasFolds.h"

#include "engine/GuardedRule.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork::engine;

namespace {

/// How a step through one dimension of a view goes through the buffer.
struct ViewStep {
  /// The dimension of the buffer through which all such steps go, by one.
  std::optional<int64_t> bufferDim;
  /// Both dimensions have the same bounds.
  bool sameBounds = false;
};

/// A view of a buffer: `memref.subview`, `expand_shape`, `collapse_shape`.
struct View {
  Value buffer;
  SmallVector<ViewStep> steps;

  MemRefType getBufferType() const {
    return cast<MemRefType>(buffer.getType());
  }
};

} // namespace

static bool areUnit(MemRefType type, ArrayRef<int64_t> dims) {
  return llvm::all_of(dims,
                      [&](int64_t dim) { return type.getDimSize(dim) == 1; });
}

/// Whether MLIR can tell which dimensions of the buffer the subview drops. It
/// compares the strides of both types where not all sizes of one are dropped,
/// and crashes where the subview changes strides.
static bool hasKnownDroppedDims(memref::SubViewOp op) {
  int64_t dropped = op.getSourceType().getRank() - op.getType().getRank();
  return dropped == 0 || op.hasUnitStride() ||
         llvm::count(op.getStaticSizes(), 1) == dropped;
}

static View describe(memref::SubViewOp op) {
  View view{op.getSource(), {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  ArrayRef<int64_t> strides = op.getStaticStrides();
  for (int64_t dim = 0, rank = strides.size(); dim < rank; ++dim) {
    if (dropped.test(dim))
      continue;
    ViewStep step;
    if (strides[dim] == 1)
      step.bufferDim = dim;
    view.steps.push_back(step);
  }
  return view;
}

/// Each group holds the dimensions of the view that one of the buffer becomes.
static View describe(memref::ExpandShapeOp op) {
  View view{op.getSrc(), {}};
  MemRefType type = op.getResultType();
  for (auto [bufferDim, group] : llvm::enumerate(op.getReassociationIndices()))
    for (size_t i = 0; i < group.size(); ++i) {
      ArrayRef<int64_t> dims(group);
      ViewStep step;
      if (areUnit(type, dims.drop_front(i + 1)))
        step = {bufferDim, /*sameBounds=*/areUnit(type, dims.take_front(i))};
      view.steps.push_back(step);
    }
  return view;
}

/// Each group holds the dimensions of the buffer that become one of the view.
static View describe(memref::CollapseShapeOp op) {
  View view{op.getSrc(), {}};
  MemRefType type = op.getSrcType();
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    ViewStep step;
    ArrayRef<int64_t> dims(group);
    while (dims.size() > 1 && type.getDimSize(dims.back()) == 1)
      dims = dims.drop_back();
    if (!dims.empty() && areUnit(type, dims.drop_back()))
      step = {dims.back(), /*sameBounds=*/true};
    view.steps.push_back(step);
  }
  return view;
}

static std::optional<View> findView(Value base) {
  Operation *op = base.getDefiningOp();
  if (!op)
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<View>>(op)
      .Case<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(
          [](auto view) { return describe(view); })
      .Default(std::nullopt);
}

static bool isOneElement(VectorType type, int64_t dim) {
  return type.getDimSize(dim) == 1 && !type.getScalableDims()[dim];
}

/// One element.
static bool keepsElement(Value base) {
  auto subview = base.getDefiningOp<memref::SubViewOp>();
  return !subview || hasKnownDroppedDims(subview);
}

/// The innermost dimension of the vector is a run of memory, which starts where
/// the rule says. The others step through the last dimensions of the buffer.
static bool keepsRows(Value base, VectorType vector) {
  if (!keepsElement(base))
    return false;
  std::optional<View> view = findView(base);
  if (!view)
    return true;
  MemRefType buffer = view->getBufferType();
  if (isa<VectorType>(buffer.getElementType()))
    return true;
  int64_t rank = vector.getRank(), bufferRank = buffer.getRank(),
          viewRank = view->steps.size();
  if (rank > bufferRank || (rank && !buffer.isLastDimUnitStride()))
    return false;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    if (!isOneElement(vector, dim) &&
        view->steps[viewRank - rank + dim].bufferDim != bufferRank - rank + dim)
      return false;
  return true;
}

/// A run of memory behind one address.
static bool keepsRun(Value base) {
  if (!keepsElement(base))
    return false;
  std::optional<View> view = findView(base);
  return !view || view->getBufferType().isLastDimUnitStride();
}

/// The rule moves the vector to the last dimensions of the buffer, in order.
static bool keepsTransfer(vector::TransferReadOp read) {
  auto expand = read.getBase().getDefiningOp<memref::ExpandShapeOp>();
  // The rule for subviews asks all this itself. None takes collapsed buffers.
  if (!expand)
    return true;
  View view = describe(expand);
  VectorType vector = read.getVectorType();
  int64_t rank = vector.getRank(), viewRank = view.steps.size(),
          bufferRank = view.getBufferType().getRank();
  if (!read.getPermutationMap().isMinorIdentity() || rank > bufferRank)
    return false;
  return llvm::all_of(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
    ViewStep step = view.steps[viewRank - rank + dim];
    if (isOneElement(vector, dim) && read.isDimInBounds(dim))
      return true;
    return step.bufferDim == bufferRank - rank + dim &&
           (step.sameBounds || read.isDimInBounds(dim));
  });
}

bool formwork::engine::keepsElementsWhenFolded(Operation *access) {
  return TypeSwitch<Operation *, bool>(access)
      .Case<memref::LoadOp, memref::StoreOp>(
          [](auto op) { return keepsElement(op.getMemRef()); })
      .Case([](vector::TransferReadOp op) { return keepsTransfer(op); })
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
            vector::MaskedStoreOp>(
          [](auto op) { return keepsRows(op.getBase(), op.getVectorType()); })
      .Case([](nvgpu::LdMatrixOp op) { return keepsRun(op.getSrcMemref()); })
      .Case([](gpu::SubgroupMmaLoadMatrixOp op) {
        return keepsRun(op.getSrcMemref());
      })
      .Case([](gpu::SubgroupMmaStoreMatrixOp op) {
        return keepsRun(op.getDstMemref());
      })
      .Case([](nvgpu::DeviceAsyncCopyOp op) {
        return keepsRun(op.getSrc()) && keepsRun(op.getDst());
      })
      .Default(true);
}

void formwork::engine::guardAliasFolds(
    MutableArrayRef<std::unique_ptr<RewritePattern>> rules) {
  for (std::unique_ptr<RewritePattern> &rule : rules)
    if (std::optional<OperationName> root = rule->getRootKind())
      rule = std::make_unique<GuardedRule>(
          std::move(rule), *root, keepsElementsWhenFolded,
          "the buffer does not hold the vector as the view does");
}
