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

/// The axis that a mapping attribute names: 0 for x, 1 for y, 2 for z.
static std::optional<unsigned> getAxis(Attribute attribute) {
  auto mapping = dyn_cast<gpu::GPUBlockMappingAttr>(attribute);
  if (!mapping)
    return std::nullopt;
  switch (mapping.getBlock()) {
  case gpu::MappingId::DimX:
    return 0;
  case gpu::MappingId::DimY:
    return 1;
  case gpu::MappingId::DimZ:
    return 2;
  default:
    return std::nullopt;
  }
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
    return Refusal{"fw-wrong-mapping",
                   "requires a mapping for each of " +
                       std::to_string(loop.getRank()) + " dimensions but has " +
                       std::to_string(mapping->size())};
  unsigned seen = 0;
  for (Attribute attribute : *mapping) {
    std::optional<unsigned> axis = getAxis(attribute);
    if (!axis)
      return Refusal{"fw-wrong-mapping",
                     "requires dimensions that are mapped to blocks along x, y "
                     "or z but has one that is mapped to something else"};
    if (seen & 1u << *axis)
      return Refusal{"fw-duplicate-mapping",
                     "requires each axis of the grid at most once but has one "
                     "twice"};
    seen |= 1u << *axis;
  }
  if (loop->getParentOfType<gpu::LaunchOp>() ||
      loop->getParentOfType<scf::ForallOp>())
    return Refusal{"fw-wrong-mapping",
                   "requires a loop of the host but has one that is inside of a "
                   "kernel or of another parallel loop"};
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
  SmallVector<Value> grid(3, one);
  SmallVector<unsigned> axes;
  // The number of iterations, of those dimensions that may have none.
  SmallVector<std::pair<unsigned, Value>> guarded;
  for (auto [dim, attribute] : llvm::enumerate(*loop.getMapping())) {
    unsigned axis = *getAxis(attribute);
    axes.push_back(axis);
    OpFoldResult count = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(0, 3, (s1 - s0).ceilDiv(s2)),
        {lower[dim], upper[dim], step[dim]});
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
    inside = inside ? Value(arith::AndIOp::create(rewriter, loc, inside, is))
                    : is;
  }
  gpu::TerminatorOp terminator = gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPoint(terminator);
  if (inside) {
    auto guard = scf::IfOp::create(rewriter, loc, inside);
    rewriter.setInsertionPoint(guard.thenYield());
  }
  SmallVector<Value> variables;
  for (auto [dim, axis] : llvm::enumerate(axes))
    variables.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(0, 3, s0 + s1 * s2),
            {lower[dim], OpFoldResult(ids[axis]), step[dim]})));
  rewriter.eraseOp(loop.getTerminator());
  Block *block = rewriter.getInsertionBlock();
  rewriter.inlineBlockBefore(loop.getBody(), block, rewriter.getInsertionPoint(),
                             variables);
  rewriter.eraseOp(loop);
  return launch;
}
