//===- IdleReasons.cpp - Why MLIR leaves an op as it is -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/findings/IdleReasons.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/TransformOps/MemRefTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

static std::string quote(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

/// Buffers are multiplied only if each of their uses is in a loop.
static std::optional<std::string> explainOneBuffer(Operation *alloc) {
  for (Operation *user : alloc->getUsers())
    if (!isa<memref::DeallocOp>(user) &&
        !user->getParentOfType<LoopLikeOpInterface>())
      return quote(user) + " uses it outside of loops";
  return std::nullopt;
}

/// The view that `read` reads; null if it reads a buffer itself, or a tensor.
static Operation *getView(vector::TransferReadOp read) {
  Operation *view = read.getBase().getDefiningOp();
  return isa<MemRefType>(read.getBase().getType()) &&
                 isa_and_nonnull<ViewLikeOpInterface>(view) &&
                 !isa<memref::AssumeAlignmentOp>(view)
             ? view
             : nullptr;
}

/// A transfer from a view stays, because another view may be of the same
/// memory.
static std::optional<std::string> explainTransfers(Operation *scope) {
  Operation *view = nullptr;
  bool areAllViews =
      !scope
           ->walk([&](vector::TransferReadOp read) {
             if (!read->getParentOfType<LoopLikeOpInterface>())
               return WalkResult::advance();
             Operation *other = getView(read);
             view = view ? view : other;
             return other ? WalkResult::advance() : WalkResult::interrupt();
           })
           .wasInterrupted();
  if (!view || !areAllViews)
    return std::nullopt;
  return "each reads a view, such as that of " + quote(view);
}

/// Whether `op` is a loop whose body is its terminator alone.
static bool isEmptyLoop(Operation *op) {
  return isa<LoopLikeOpInterface>(op) && op->getNumRegions() == 1 &&
         op->getRegion(0).hasOneBlock() &&
         llvm::hasSingleElement(op->getRegion(0).front());
}

/// MLIR vectorizes a convolution only if its window has one loop.
static std::optional<std::string> explainWindow(linalg::LinalgOp op) {
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->filterLoop.size() < 2)
    return std::nullopt;
  return "the window of " + quote(op) + " has " +
         std::to_string(dims->filterLoop.size()) +
         " loops; tile one of them and its loop of the output by 1, then apply "
         "transform.structured.decompose";
}

std::optional<std::string> formwork::verifier::explainIdle(Operation *step,
                                                           Operation *target) {
  if (isa<transform::MemRefMultiBufferOp>(step) && isa<memref::AllocOp>(target))
    return explainOneBuffer(target);
  if (isa<transform::HoistRedundantVectorTransfersOp>(step))
    return explainTransfers(target);
  if (isa<transform::LoopUnrollOp>(step) && isEmptyLoop(target))
    return "the loop is empty";
  auto op = dyn_cast<linalg::LinalgOp>(target);
  if (!op)
    return std::nullopt;
  if (op.hasDynamicShape() &&
      isa<transform::VectorizeChildrenAndApplyPatternsOp>(step))
    return "a size of " + quote(target) + " is only known when it runs";
  if (isa<transform::VectorizeChildrenAndApplyPatternsOp>(step))
    return explainWindow(op);
  if (!op.hasDynamicShape() && isa<transform::ScalarizeOp>(step))
    return "no size of " + quote(target) +
           " is dynamic, and only dynamic ones are tiled";
  return std::nullopt;
}

bool formwork::verifier::isSkipped(Operation *step, const Node &target) {
  // A loop of one iteration alone is replaced by its body, as it is by
  // unrolling by 1.
  auto unroll = dyn_cast<transform::LoopUnrollOp>(step);
  bool isForOne = isa<transform::LoopPromoteIfOneIterationOp>(step) ||
                  (unroll && unroll.getFactor() == 1);
  return isForOne && target.loop &&
         llvm::any_of(target.loop->trips, [](const Extent &trip) {
           return trip.size && *trip.size > 1;
         });
}

std::optional<llvm::hash_code>
formwork::verifier::measureBesides(Operation *step, Operation *target) {
  if (isa<transform::MapNestedForallToThreads>(step)) {
    auto launch = dyn_cast<gpu::LaunchOp>(target);
    if (!launch)
      return std::nullopt;
    // A constant may be made anew.
    gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
    auto hash = [](Value value) {
      return llvm::hash_value(getAsOpFoldResult(value).getOpaqueValue());
    };
    return llvm::hash_combine(hash(sizes.x), hash(sizes.y), hash(sizes.z));
  }
  if (!isa<transform::VectorizeChildrenAndApplyPatternsOp>(step))
    return std::nullopt;
  unsigned numSlices = 0;
  target->walk([&](Operation *op) {
    numSlices += isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
  });
  return llvm::hash_value(numSlices);
}

bool formwork::verifier::mayDoBesides(Operation *step,
                                      const PayloadModel &payload,
                                      NodeId target) {
  return isa<transform::MapNestedForallToThreads>(step) ||
         (isa<transform::VectorizeChildrenAndApplyPatternsOp>(step) &&
          (payload.mayHold(target, KindPattern("tensor.extract_slice")) ||
           payload.mayHold(target, KindPattern("tensor.insert_slice"))));
}
