//===- Unfolding.cpp - Model of convolutions made products ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution becomes a product of matrices: the image is unfolded to
// columns, and the result is reshaped (img2col). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork::verifier;

static constexpr StringLiteral mayBeDilated =
    "converts a convolution that may be dilated or on buffers";

/// The sizes of the loops of a convolution in the order of images, rows,
/// columns, filters, rows and columns of the filter, channels. None unless
/// upstream unfolds `node` for sure: it is dense, the image has the type of the
/// filter, and all sizes are in the types.
static std::optional<std::array<int64_t, 7>> getSizes(const Node &node) {
  auto conv = dyn_cast_or_null<linalg::Conv2DNhwcHwcfOp>(node.body);
  if (!conv || !isKind<linalg::Conv2DNhwcHwcfOp>(node) || !node.space ||
      !node.space->onTensors || node.space->loops.size() != 7)
    return std::nullopt;
  ArrayRef<Type> types = node.space->elementTypes;
  if (!conv.getDilations().isSplat() ||
      conv.getDilations().getSplatValue<APInt>() != 1 || types[0] != types[1])
    return std::nullopt;
  for (Value operand : conv->getOperands())
    if (!cast<ShapedType>(operand.getType()).hasStaticShape())
      return std::nullopt;
  std::array<int64_t, 7> sizes;
  for (auto [size, loop] : llvm::zip_equal(sizes, node.space->loops)) {
    if (!loop.isStatic() || *loop.size < 1)
      return std::nullopt;
    size = *loop.size;
  }
  return sizes;
}

/// The replacements of `target`: the op that unfolds the image, and the one
/// that reshapes the product.
static std::pair<NodeId, NodeId> unfold(const Step &step, NodeId target,
                                        ArrayRef<int64_t> sizes) {
  PayloadModel &payload = step.payload;
  MLIRContext *context = step.op->getContext();
  const Node old = payload[target];
  auto conv = cast<linalg::Conv2DNhwcHwcfOp>(old.body);
  auto makeSpace = [](ArrayRef<int64_t> loops, ArrayRef<AffineMap> maps,
                      ArrayRef<Type> types) {
    auto space = std::make_shared<IterationSpace>();
    for (int64_t size : loops) {
      space->loops.push_back({Size(size), {}});
      space->iterators.push_back(utils::IteratorType::parallel);
    }
    space->maps.append(maps.begin(), maps.end());
    space->elementTypes.append(types.begin(), types.end());
    return space;
  };
  doubtYields(payload, target);
  SmallVector<NodeId, 3> read = old.producers;
  read.resize(3, PayloadModel::unknownProducer);
  ArrayRef<Type> types = old.space->elementTypes;
  auto stride = [&](unsigned dim) {
    return conv.getStrides().getValues<APInt>()[dim].getSExtValue();
  };
  auto [images, rows, columns, filters, height, width, channels] = std::tie(
      sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6]);

  AffineExpr image, place, part, filter;
  bindDims(context, image, place, part);
  AffineMap window = AffineMap::get(
      3, 0,
      {image,
       place.floorDiv(columns) * stride(0) + part.floorDiv(width * channels),
       (place % columns) * stride(1) +
           (part % (width * channels)).floorDiv(channels),
       part % channels},
      context);
  Node unfolded = makePlain<linalg::GenericOp>(old, step.op);
  unfolded.space =
      makeSpace({images, rows * columns, height * width * channels},
                {window, AffineMap::getMultiDimIdentityMap(3, context)},
                {types[0], types[0]});
  unfolded.producers = {read[0],
                        payload.add(makePlain<tensor::EmptyOp>(old, step.op))};
  NodeId made = payload.add(std::move(unfolded));

  bindDims(context, image, place, filter, part);
  Node product = makePlain<linalg::GenericOp>(old, step.op);
  auto space =
      makeSpace({images, rows * columns, filters, height * width * channels},
                {AffineMap::get(4, 0, {image, place, part}, context),
                 AffineMap::get(4, 0, {part, filter}, context),
                 AffineMap::get(4, 0, {image, place, filter}, context)},
                types);
  space->iterators.back() = utils::IteratorType::reduction;
  product.space = space;
  product.producers = {made};
  for (NodeId reshapedOperand : {read[1], read[2]}) {
    Node collapsed = makePlain<tensor::CollapseShapeOp>(old, step.op);
    collapsed.producers = {reshapedOperand};
    product.producers.push_back(payload.add(std::move(collapsed)));
  }
  NodeId multiplied = payload.add(std::move(product));

  Node reshaped = makePlain<tensor::ExpandShapeOp>(old, step.op);
  reshaped.producers = {multiplied};
  NodeId result = payload.add(std::move(reshaped));
  replaceOp(step, target, result);
  return {made, result};
}

/// transform.structured.convert_conv2d_to_img2col.
static void propagateUnfold(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  bool areKnown = llvm::all_of(source.nodes, [&](NodeId target) {
    return getSizes(payload[target]).has_value();
  });
  if (!areKnown) {
    bool areTried = llvm::all_of(source.nodes, [&](NodeId target) {
      const LoneRun *run = runAlone(step, /*index=*/0, target);
      return run && !run->failure;
    });
    if (!areTried)
      step.unprove(mayBeDilated);
    return applyClauses(step);
  }
  NodeList unfolded, results;
  for (NodeId target : source.nodes) {
    auto [columns, result] = unfold(step, target, *getSizes(payload[target]));
    unfolded.push_back(columns);
    results.push_back(result);
  }
  // The nodes stand for the rest of what is made.
  applyWriteOf(step, {"linalg.yield", "arith.*"});
  step.setResult(0, unfolded, source.ordered);
  step.setResult(1, results, source.ordered);
}

void formwork::verifier::registerUnfoldingModels(ModelRegistry &models) {
  models.add("img2col", propagateUnfold, leavesOpen{mayBeDilated});
}
