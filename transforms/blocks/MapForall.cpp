//===- MapForall.cpp - A loop over blocks becomes a kernel ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/blocks/MapForall.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::transforms::blocks;

/// The place in a grid that a mapping attribute names. This is an axis (0 for
/// x, 1 for y, 2 for z). If `isLinear`, it is the position among the dimensions
/// that share x, the fastest first.
static std::optional<unsigned> getPlace(Attribute attribute, bool isLinear) {
  auto mapping = dyn_cast<gpu::GPUBlockMappingAttr>(attribute);
  if (!mapping || mapping.isLinearMapping() != isLinear)
    return std::nullopt;
  return static_cast<unsigned>(mapping.getRelativeIndex());
}

static bool isLinearPlace(Attribute attribute) {
  return getPlace(attribute, /*isLinear=*/true).has_value();
}

std::optional<Refusal>
formwork::transforms::blocks::checkMapping(scf::ForallOp loop) {
  if (loop.getNumResults() != 0)
    return Refusal{"fw-not-bufferized",
                   "requires a loop on buffers but has one with results"};
  std::optional<ArrayAttr> mapping = loop.getMapping();
  if (!mapping || mapping->empty())
    return Refusal{"fw-missing-mapping",
                   "requires a loop that is mapped to blocks but has one "
                   "without a mapping"};
  if (static_cast<int64_t>(mapping->size()) != loop.getRank())
    return Refusal{"fw-wrong-mapping", "requires a mapping for each of " +
                                           std::to_string(loop.getRank()) +
                                           " dimensions but has " +
                                           std::to_string(mapping->size())};
  bool isLinear = isLinearPlace((*mapping)[0]);
  unsigned seen = 0;
  for (Attribute attribute : *mapping) {
    std::optional<unsigned> place = getPlace(attribute, isLinear);
    if (!place)
      return Refusal{"fw-wrong-mapping",
                     "requires dimensions that are mapped to blocks along x, y "
                     "or z, or are all linear, but has one that is mapped to "
                     "something else"};
    if (seen & 1u << *place)
      return Refusal{"fw-duplicate-mapping",
                     "requires each axis of the grid at most once but has one "
                     "twice"};
    seen |= 1u << *place;
  }
  for (OpFoldResult step : loop.getMixedStep())
    if (std::optional<int64_t> known = getConstantIntValue(step);
        known && *known <= 0)
      return Refusal{"fw-wrong-mapping",
                     "requires steps that are positive but has one of " +
                         std::to_string(*known)};
  if (loop->getParentOfType<gpu::LaunchOp>() ||
      loop->getParentOfType<scf::ForallOp>())
    return Refusal{"fw-wrong-mapping",
                   "requires a loop in host code but has one that is inside of "
                   "a kernel or of another parallel loop"};
  return std::nullopt;
}

gpu::LaunchOp
formwork::transforms::blocks::mapForallToBlocks(RewriterBase &rewriter,
                                                scf::ForallOp loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<OpFoldResult> lower = loop.getMixedLowerBound(),
                            upper = loop.getMixedUpperBound(),
                            step = loop.getMixedStep();
  AffineExpr s0, s1, s2;
  bindSymbols(rewriter.getContext(), s0, s1, s2);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  SmallVector<OpFoldResult> counts;
  for (int64_t dim = 0; dim != loop.getRank(); ++dim)
    counts.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(0, 3, (s1 - s0).ceilDiv(s2)),
        {lower[dim], upper[dim], step[dim]}));
  // Linear dimensions share x, the fastest first.
  ArrayAttr mapping = *loop.getMapping();
  bool isLinear = isLinearPlace(mapping[0]);
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(counts.size()));
  SmallVector<OpFoldResult> axisCounts = counts;
  SmallVector<unsigned> axes;
  if (isLinear) {
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return *getPlace(mapping[a], isLinear) < *getPlace(mapping[b], isLinear);
    });
    OpFoldResult all = rewriter.getIndexAttr(1);
    for (OpFoldResult count : counts)
      all = affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(0, 2, s0 * s1), {all, count});
    axisCounts = {all};
    axes = {0};
  } else {
    for (Attribute attribute : mapping)
      axes.push_back(*getPlace(attribute, isLinear));
  }
  SmallVector<Value> grid(3, one);
  // The axes that may have no iteration, with their number of iterations.
  SmallVector<std::pair<unsigned, Value>> guarded;
  for (auto [axis, count] : llvm::zip_equal(axes, axisCounts)) {
    Value blocks = getValueOrCreateConstantIndexOp(rewriter, loc, count);
    std::optional<int64_t> known = getConstantIntValue(count);
    if (!known || *known < 1) {
      guarded.emplace_back(axis, blocks);
      blocks = arith::MaxSIOp::create(rewriter, loc, blocks, one);
    }
    grid[axis] = blocks;
  }
  auto launch = gpu::LaunchOp::create(rewriter, loc, grid[0], grid[1], grid[2],
                                      one, one, one);
  Block &body = launch.getBody().front();
  rewriter.setInsertionPointToEnd(&body);
  SmallVector<Value> ids;
  for (gpu::Dimension dimension :
       {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
    ids.push_back(gpu::BlockIdOp::create(rewriter, loc, dimension));
  Value inside;
  for (auto [axis, count] : guarded) {
    Value is = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     ids[axis], count);
    inside =
        inside ? Value(arith::AndIOp::create(rewriter, loc, inside, is)) : is;
  }
  gpu::TerminatorOp terminator = gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPoint(terminator);
  if (inside) {
    auto guard = scf::IfOp::create(rewriter, loc, inside);
    rewriter.setInsertionPoint(guard.thenYield());
  }
  SmallVector<OpFoldResult> steps(counts.size());
  if (isLinear) {
    OpFoldResult rest = ids[0];
    for (unsigned dim : ArrayRef(order).drop_back()) {
      // Divide by at least one: a dimension may have no iterations.
      OpFoldResult count = affine::makeComposedFoldedAffineMax(
          rewriter, loc,
          AffineMap::get(0, 1, {s0, rewriter.getAffineConstantExpr(1)},
                         rewriter.getContext()),
          {counts[dim]});
      steps[dim] = affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(0, 2, s0 % s1), {rest, count});
      rest = affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(0, 2, s0.floorDiv(s1)), {rest, count});
    }
    steps[order.back()] = rest;
  } else {
    for (auto [dim, axis] : llvm::enumerate(axes))
      steps[dim] = ids[axis];
  }
  SmallVector<Value> variables;
  for (auto [dim, count] : llvm::enumerate(steps))
    variables.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(0, 3, s0 + s1 * s2),
            {lower[dim], count, step[dim]})));
  rewriter.eraseOp(loop.getTerminator());
  Block *block = rewriter.getInsertionBlock();
  rewriter.inlineBlockBefore(loop.getBody(), block,
                             rewriter.getInsertionPoint(), variables);
  rewriter.eraseOp(loop);
  return launch;
}
