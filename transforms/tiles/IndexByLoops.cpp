//===- IndexByLoops.cpp - Operands that loops index alone -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/IndexByLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SmallBitVector.h"

#include <numeric>

using namespace mlir;
using namespace formwork::transforms::tiles;

OpFoldResult formwork::transforms::tiles::getKnownSize(Value tensor,
                                                       int64_t dim) {
  auto type = cast<ShapedType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return Builder(tensor.getContext()).getIndexAttr(type.getDimSize(dim));
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    unsigned kept = 0;
    for (auto [at, size] : llvm::enumerate(sizes))
      if (!dropped.test(at) && kept++ == dim)
        return size;
  }
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes()[dim];
  // The result has the sizes of what it is written to.
  if (auto result = dyn_cast<OpResult>(tensor)) {
    if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
      return getKnownSize(op.getTiedOpOperand(result)->get(), dim);
    if (auto write = dyn_cast<vector::TransferWriteOp>(result.getOwner()))
      return getKnownSize(write.getBase(), dim);
  }
  return {};
}

/// The least and the largest value of `value`: the steps of loops, and constants.
static std::pair<std::optional<int64_t>, std::optional<int64_t>>
getRange(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return {constant, constant};
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<LoopLikeOpInterface>(
                             argument.getOwner()->getParentOp())
                       : LoopLikeOpInterface();
  std::optional<SmallVector<Value>> variables;
  if (loop)
    variables = loop.getLoopInductionVars();
  if (!variables)
    return {};
  for (auto [number, variable] : llvm::enumerate(*variables)) {
    if (variable != value)
      continue;
    std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                             upper = loop.getLoopUpperBounds();
    if (!lower || !upper)
      return {};
    std::optional<int64_t> last = getConstantIntValue((*upper)[number]);
    if (last)
      --*last;
    return {getConstantIntValue((*lower)[number]), last};
  }
  return {};
}

/// The most that `size` is. The first bound that MLIR finds is not the least: a
/// tile of 32 of what has 7 elements has at most 7.
static std::optional<int64_t> getMost(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant;
  auto tile = cast<Value>(size).getDefiningOp<affine::AffineMinOp>();
  if (!tile)
    return std::nullopt;
  AffineMap map = tile.getMap();
  SmallVector<std::optional<int64_t>> first, last;
  for (Value operand : tile->getOperands()) {
    auto [least, most] = getRange(operand);
    first.push_back(least);
    last.push_back(most);
  }
  std::optional<int64_t> found;
  for (AffineExpr expr : map.getResults())
    if (std::optional<int64_t> most =
            getBoundForAffineExpr(expr, map.getNumDims(), map.getNumSymbols(),
                                  first, last, /*isUpper=*/true))
      found = std::min(found.value_or(*most), *most);
  return found;
}

std::optional<int64_t>
formwork::transforms::tiles::getMostSteps(linalg::LinalgOp op, unsigned loop) {
  std::optional<int64_t> most;
  AffineExpr own = getAffineDimExpr(loop, op->getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      continue;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (expr != own)
        continue;
      OpFoldResult size = getKnownSize(operand.get(), dim);
      std::optional<int64_t> bound = size ? getMost(size) : std::nullopt;
      if (!bound) {
        FailureOr<int64_t> found = ValueBoundsConstraintSet::computeConstantBound(
            presburger::BoundType::UB,
            {operand.get(), static_cast<int64_t>(dim)},
            /*stopCondition=*/nullptr, /*closedUB=*/true);
        if (succeeded(found))
          bound = *found;
      }
      if (bound)
        most = std::min(most.value_or(*bound), *bound);
    }
  }
  return most;
}

namespace {
/// One result of a map: `loop * stride + offset`, or `offset` without a loop.
struct Place {
  std::optional<unsigned> loop;
  int64_t stride = 1;
  int64_t offset = 0;
};
} // namespace

namespace {
/// A tile around an operation: per loop, where it starts in the next larger tile,
/// and how many steps it has at most.
struct Tile {
  SmallVector<OpFoldResult> offsets;
  SmallVector<std::optional<int64_t>> most;
};
} // namespace

/// What the tensor is that `tensor` is in an iteration, or is written to.
static Value getCarried(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(
            argument.getOwner()->getParentOp()))
      if (OpOperand *init = loop.getTiedLoopInit(argument))
        return init->get();
    return {};
  }
  if (auto op = tensor.getDefiningOp<DestinationStyleOpInterface>())
    return op.getTiedOpOperand(cast<OpResult>(tensor))->get();
  return {};
}

/// The tiles around `op`, innermost first, by what its result is written to.
static SmallVector<Tile> getTiles(linalg::LinalgOp op) {
  SmallVector<Tile> tiles;
  OpOperand &init = *op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(&init);
  if (!map.isPermutation())
    return tiles;
  Value tensor = init.get();
  while (tensor) {
    auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice) {
      tensor = getCarried(tensor);
      continue;
    }
    if (slice.getDroppedDims().any() || !slice.hasUnitStride())
      break;
    Tile tile;
    tile.offsets.resize(op.getNumLoops());
    tile.most.resize(op.getNumLoops());
    for (auto [expr, offset, size] :
         llvm::zip_equal(map.getResults(), slice.getMixedOffsets(),
                         slice.getMixedSizes())) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      tile.offsets[loop] = offset;
      tile.most[loop] = getMost(size);
    }
    tiles.push_back(std::move(tile));
    tensor = slice.getSource();
  }
  return tiles;
}

/// A number that divides `offset` whatever happens: 0 where it is 0, 1 where nothing
/// is known.
static int64_t getDivisor(OpFoldResult offset) {
  if (std::optional<int64_t> constant = getConstantIntValue(offset))
    return *constant;
  auto variable = dyn_cast<BlockArgument>(cast<Value>(offset));
  auto loop = variable
                  ? dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || loop.getInductionVar() != variable)
    return 1;
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         step = getConstantIntValue(loop.getStep());
  return lower && step ? std::gcd(*lower, *step) : 1;
}

/// What is added to an expression by the offsets of a tile, as far as they are no
/// multiple of the result; 1 where nothing is known.
static int64_t getDivisor(AffineExpr expr, ArrayRef<int64_t> divisors) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return divisors[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return isa<AffineConstantExpr>(expr) ? 0 : 1;
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  int64_t lhs = getDivisor(binary.getLHS(), divisors);
  if (expr.getKind() == AffineExprKind::Add)
    return std::gcd(lhs, getDivisor(binary.getRHS(), divisors));
  if (factor && expr.getKind() == AffineExprKind::Mul)
    return lhs * factor.getValue();
  // What is a multiple of both has such a remainder, too.
  if (factor && expr.getKind() == AffineExprKind::Mod)
    return std::gcd(lhs, factor.getValue());
  return 1;
}

/// Whether what `op` reads starts where a division of something else than offsets of
/// `tiles` says: a tile around these is not known.
static bool startsElsewhere(linalg::LinalgOp op, ArrayRef<Tile> tiles) {
  llvm::SmallPtrSet<Value, 8> known;
  for (const Tile &tile : tiles)
    for (OpFoldResult offset : tile.offsets)
      if (auto value = dyn_cast_if_present<Value>(offset))
        known.insert(value);
  auto isKnown = [&](OpFoldResult offset) {
    auto value = dyn_cast<Value>(offset);
    auto divided = value ? value.getDefiningOp<affine::AffineApplyOp>()
                         : affine::AffineApplyOp();
    if (!divided)
      return true;
    bool divides = false;
    divided.getMap().walkExprs([&](AffineExpr expr) {
      divides |= expr.getKind() == AffineExprKind::Mod ||
                 expr.getKind() == AffineExprKind::FloorDiv;
    });
    return !divides || llvm::all_of(divided->getOperands(), [&](Value operand) {
      return known.contains(operand);
    });
  };
  for (Value input : op.getDpsInputs())
    while (auto slice = input.getDefiningOp<tensor::ExtractSliceOp>()) {
      if (!llvm::all_of(slice.getMixedOffsets(), isKnown))
        return true;
      input = slice.getSource();
    }
  return false;
}

/// Whether `expr`, of the whole of which `op` is a tile, has one result when it is
/// divided by `divisor` wherever the tile is: a tile around it starts at a multiple
/// of at least as many elements as it has, which divides `divisor`.
static bool isInOnePart(linalg::LinalgOp op, AffineExpr expr, int64_t divisor) {
  SmallVector<Tile> tiles = getTiles(op);
  SmallVector<std::optional<int64_t>> first(op.getNumLoops(), 0);
  // The offsets of a tile and of those around it.
  SmallVector<int64_t> divisors(op.getNumLoops(), 0);
  if (startsElsewhere(op, tiles))
    return false;
  if (tiles.empty())
    return true;
  for (const Tile &tile : llvm::reverse(tiles)) {
    SmallVector<std::optional<int64_t>> last;
    for (auto [at, offset, most] :
         llvm::zip_equal(divisors, tile.offsets, tile.most)) {
      at = std::gcd(at, getDivisor(offset));
      last.push_back(most ? std::optional<int64_t>(*most - 1) : std::nullopt);
    }
    std::optional<int64_t> most = getBoundForAffineExpr(
        expr, op.getNumLoops(), 0, first, last, /*isUpper=*/true);
    if (most && *most < std::gcd(getDivisor(expr, divisors), divisor))
      return true;
  }
  return false;
}

/// `expr` where loops have at most `last` + 1 steps each: a division whose result is
/// 0 is gone, and so is a remainder that changes nothing.
static AffineExpr simplify(linalg::LinalgOp op, AffineExpr expr,
                           ArrayRef<std::optional<int64_t>> first,
                           ArrayRef<std::optional<int64_t>> last) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplify(op, binary.getLHS(), first, last);
  AffineExpr rhs = simplify(op, binary.getRHS(), first, last);
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  bool isDivision = expr.getKind() == AffineExprKind::FloorDiv ||
                    expr.getKind() == AffineExprKind::Mod;
  if (isDivision && divisor && divisor.getValue() > 0) {
    std::optional<int64_t>
        least = getBoundForAffineExpr(lhs, first.size(), 0, first, last,
                                      /*isUpper=*/false),
        most = getBoundForAffineExpr(lhs, first.size(), 0, first, last,
                                     /*isUpper=*/true);
    if (least && most && *least >= 0 && *most < divisor.getValue() &&
        isInOnePart(op, binary.getLHS(), divisor.getValue()))
      return expr.getKind() == AffineExprKind::Mod
                 ? lhs
                 : getAffineConstantExpr(0, expr.getContext());
  }
  return getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
}

/// `expr` as a place, if it is one.
static std::optional<Place> matchPlace(AffineExpr expr) {
  Place place;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
      sum && expr.getKind() == AffineExprKind::Add)
    if (auto offset = dyn_cast<AffineConstantExpr>(sum.getRHS())) {
      place.offset = offset.getValue();
      expr = sum.getLHS();
    }
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
      product && expr.getKind() == AffineExprKind::Mul)
    if (auto stride = dyn_cast<AffineConstantExpr>(product.getRHS())) {
      place.stride = stride.getValue();
      expr = product.getLHS();
    }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    place.offset += place.stride * constant.getValue();
    place.stride = 1;
  } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    place.loop = dim.getPosition();
  } else {
    return std::nullopt;
  }
  if (place.offset < 0 || place.stride < 1)
    return std::nullopt;
  return place;
}

/// The places that the map of `operand` has, if all of its results are one and no
/// loop is in two.
static std::optional<SmallVector<Place>> matchPlaces(linalg::LinalgOp op,
                                                     OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<std::optional<int64_t>> first(op.getNumLoops(), 0), last;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop) {
    std::optional<int64_t> most = getMostSteps(op, loop);
    last.push_back(most ? std::optional<int64_t>(*most - 1) : std::nullopt);
  }
  SmallVector<Place> places;
  llvm::SmallBitVector seen(op.getNumLoops());
  for (AffineExpr expr : map.getResults()) {
    std::optional<Place> place = matchPlace(simplify(op, expr, first, last));
    if (!place || (place->loop && seen.test(*place->loop)))
      return std::nullopt;
    if (place->loop)
      seen.set(*place->loop);
    places.push_back(*place);
  }
  return places;
}

bool formwork::transforms::tiles::canIndexByLoops(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.getMatchingIndexingMap(&operand).isProjectedPermutation())
      continue;
    if (!isa<linalg::GenericOp>(op) || !op.isDpsInput(&operand) ||
        op.hasIndexSemantics() || !matchPlaces(op, operand))
      return false;
  }
  return true;
}

/// How many steps `loop` has: the size of a dimension that it indexes alone.
static OpFoldResult getSteps(OpBuilder &builder, linalg::LinalgOp op,
                             unsigned loop) {
  AffineExpr own = getAffineDimExpr(loop, op->getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.isProjectedPermutation())
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (expr == own)
          return tensor::getMixedSize(builder, op.getLoc(), operand.get(), dim);
  }
  llvm_unreachable("a place has loops of which the most steps are known");
}

linalg::LinalgOp
formwork::transforms::tiles::indexByLoops(RewriterBase &rewriter,
                                          linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(*op);
  if (!generic || llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation();
      }))
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (OpOperand &operand : op->getOpOperands()) {
    maps.push_back(op.getMatchingIndexingMap(&operand));
    if (!op.isDpsInput(&operand))
      continue;
    inputs.push_back(operand.get());
    if (maps.back().isProjectedPermutation())
      continue;
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<AffineExpr> loops;
    SmallVector<Place> places = *matchPlaces(op, operand);
    for (const Place &place : places) {
      offsets.push_back(rewriter.getIndexAttr(place.offset));
      strides.push_back(rewriter.getIndexAttr(place.stride));
      sizes.push_back(place.loop ? getSteps(rewriter, op, *place.loop)
                                 : OpFoldResult(rewriter.getIndexAttr(1)));
      if (place.loop)
        loops.push_back(rewriter.getAffineDimExpr(*place.loop));
    }
    auto type = tensor::ExtractSliceOp::inferCanonicalRankReducedResultType(
        loops.size(), cast<RankedTensorType>(operand.get().getType()), sizes);
    inputs.back() = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), cast<RankedTensorType>(type), operand.get(),
        offsets, sizes, strides);
    maps.back() = AffineMap::get(op.getNumLoops(), 0, loops, op->getContext());
  }
  auto plain = linalg::GenericOp::create(
      rewriter, op.getLoc(), generic->getResultTypes(), inputs,
      generic.getOutputs(), maps, generic.getIteratorTypesArray());
  rewriter.inlineRegionBefore(generic.getRegion(), plain.getRegion(),
                              plain.getRegion().begin());
  rewriter.replaceOp(op, plain->getResults());
  return plain;
}
