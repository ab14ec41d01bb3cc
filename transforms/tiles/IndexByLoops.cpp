//===- IndexByLoops.cpp - Operands indexed by loops only ------------------===//
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
#include "mlir/IR/IRMapping.h"
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
  // A result has the sizes of the tensor that it is written to.
  if (auto result = dyn_cast<OpResult>(tensor)) {
    if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
      return getKnownSize(op.getTiedOpOperand(result)->get(), dim);
    if (auto write = dyn_cast<vector::TransferWriteOp>(result.getOwner()))
      return getKnownSize(write.getBase(), dim);
  }
  return {};
}

namespace {
/// The smallest and the largest value of an index, where they are known.
struct IndexRange {
  std::optional<int64_t> least, most;
};
} // namespace

static IndexRange getRange(Value value);

/// The range of each result of `map`, for operands in their own ranges.
static SmallVector<IndexRange> getRanges(AffineMap map, OperandRange operands) {
  SmallVector<std::optional<int64_t>> first, last;
  for (Value operand : operands) {
    IndexRange range = getRange(operand);
    first.push_back(range.least);
    last.push_back(range.most);
  }
  auto getBound = [&](AffineExpr expr, bool isUpper) {
    return getBoundForAffineExpr(expr, map.getNumDims(), map.getNumSymbols(),
                                 first, last, isUpper);
  };
  SmallVector<IndexRange> ranges;
  for (AffineExpr expr : map.getResults())
    ranges.push_back(
        {getBound(expr, /*isUpper=*/false), getBound(expr, /*isUpper=*/true)});
  return ranges;
}

/// The range of a value that is one of those with `ranges`, the smallest or the
/// largest one.
static IndexRange getExtreme(ArrayRef<IndexRange> ranges, bool isLargest) {
  auto join = [](std::optional<int64_t> found, std::optional<int64_t> other,
                 bool takesLarger) -> std::optional<int64_t> {
    if (!found || !other)
      return found ? found : other;
    return takesLarger ? std::max(*found, *other) : std::min(*found, *other);
  };
  // The largest value is at least as large as any value of which a bound is
  // known; it is at most the largest bound if all are known.
  auto getNear = [&](const IndexRange &range) {
    return isLargest ? range.least : range.most;
  };
  auto getFar = [&](const IndexRange &range) {
    return isLargest ? range.most : range.least;
  };
  std::optional<int64_t> near, far;
  for (const IndexRange &range : ranges) {
    near = join(near, getNear(range), isLargest);
    far = join(far, getFar(range), isLargest);
  }
  if (!llvm::all_of(ranges, getFar))
    far = std::nullopt;
  return isLargest ? IndexRange{near, far} : IndexRange{far, near};
}

/// The range of a number, of the induction variable of a loop, or of what is
/// computed from these. The first bound that MLIR finds may not be the
/// tightest: a tile of 32 of a tensor with 7 elements has at most 7.
static IndexRange getRange(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return {constant, constant};
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return getRanges(apply.getMap(), apply->getOperands()).front();
  if (auto min = value.getDefiningOp<affine::AffineMinOp>())
    return getExtreme(getRanges(min.getMap(), min->getOperands()),
                      /*isLargest=*/false);
  if (auto max = value.getDefiningOp<affine::AffineMaxOp>())
    return getExtreme(getRanges(max.getMap(), max->getOperands()),
                      /*isLargest=*/true);
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
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

/// The largest value of `size`.
static std::optional<int64_t> getMost(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant;
  return getRange(cast<Value>(size)).most;
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
        FailureOr<int64_t> found =
            ValueBoundsConstraintSet::computeConstantBound(
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
/// A tile around an operation. For each loop, it has the offset in the next
/// larger tile, and the largest number of steps.
struct Tile {
  SmallVector<OpFoldResult> offsets;
  SmallVector<std::optional<int64_t>> most;
};
} // namespace

/// The tensor that `tensor` is derived from: the initial value of a loop
/// argument, or the destination operand of a result.
static Value getCarried(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    if (auto loop =
            dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp()))
      if (OpOperand *init = loop.getTiedLoopInit(argument))
        return init->get();
    return {};
  }
  if (auto op = tensor.getDefiningOp<DestinationStyleOpInterface>())
    return op.getTiedOpOperand(cast<OpResult>(tensor))->get();
  return {};
}

/// The tiles around `op`, innermost first. They are found from the tensor that
/// the result is written to.
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

/// A number that divides `offset` in every iteration: 0 if `offset` is 0, and 1
/// if nothing is known.
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

/// A number that divides the part that the offsets of a tile add to `expr`, for
/// offsets that `divisors` divide; 1 if nothing is known.
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
  // A divisor of both the value and the factor also divides the remainder.
  if (factor && expr.getKind() == AffineExprKind::Mod)
    return std::gcd(lhs, factor.getValue());
  return 1;
}

/// Whether an input of `op` starts at a place that is computed by dividing
/// something other than the offsets of `tiles`. Then an unknown tile is around
/// them.
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

/// Whether `expr` divided by `divisor` has one result for all elements of the
/// tile `op`, wherever the tile lies. This holds if some tile around `op`
/// starts at a multiple of a number that divides `divisor`, and covers at most
/// this number of elements.
static bool isInOnePart(linalg::LinalgOp op, AffineExpr expr, int64_t divisor) {
  SmallVector<Tile> tiles = getTiles(op);
  SmallVector<std::optional<int64_t>> first(op.getNumLoops(), 0);
  // Divisors of the sum of the offsets of a tile and of all tiles around it.
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

bool formwork::transforms::tiles::hasOneStep(linalg::LinalgOp op,
                                             unsigned loop) {
  AffineExpr own = getAffineDimExpr(loop, op->getContext());
  for (OpOperand &operand : op->getOpOperands())
    if (auto type = dyn_cast<ShapedType>(operand.get().getType()))
      for (auto [dim, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (expr == own && type.getDimSize(dim) == 1)
          return true;
  return false;
}

/// Whether `loop` is a reduction of one step that a map adds to another loop.
static bool isWindow(linalg::LinalgOp op, unsigned loop) {
  AffineExpr own = getAffineDimExpr(loop, op->getContext());
  auto addsLoop = [&](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
      return expr != own && expr.isFunctionOfDim(loop);
    });
  };
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
         hasOneStep(op, loop) &&
         llvm::any_of(op.getIndexingMapsArray(), addsLoop);
}

SmallVector<unsigned>
formwork::transforms::tiles::getWindowLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop)
    if (isWindow(op, loop))
      loops.push_back(loop);
  return loops;
}

/// Simplifies `expr` for loops that start at `first` and end at `last`. Removes
/// loops over a window of one step, divisions whose result is 0, and remainders
/// that change nothing.
static AffineExpr simplify(linalg::LinalgOp op, AffineExpr expr,
                           ArrayRef<std::optional<int64_t>> first,
                           ArrayRef<std::optional<int64_t>> last) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return isWindow(op, dim.getPosition())
               ? getAffineConstantExpr(0, expr.getContext())
               : expr;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplify(op, binary.getLHS(), first, last);
  AffineExpr rhs = simplify(op, binary.getRHS(), first, last);
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  bool isDivision = expr.getKind() == AffineExprKind::FloorDiv ||
                    expr.getKind() == AffineExprKind::Mod;
  if (isDivision && divisor && divisor.getValue() > 0) {
    std::optional<int64_t> least = getBoundForAffineExpr(lhs, first.size(), 0,
                                                         first, last,
                                                         /*isUpper=*/false),
                           most = getBoundForAffineExpr(lhs, first.size(), 0,
                                                        first, last,
                                                        /*isUpper=*/true);
    if (least && most && *least >= 0 && *most < divisor.getValue() &&
        isInOnePart(op, binary.getLHS(), divisor.getValue()))
      return expr.getKind() == AffineExprKind::Mod
                 ? lhs
                 : getAffineConstantExpr(0, expr.getContext());
  }
  return getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
}

/// Matches `expr` as a Place; none if it has another form.
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

/// The places of the map of `operand`. None if a result is no place, or if a
/// loop is in two places.
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
    if (!op.isDpsInput(&operand) || op.hasIndexSemantics() ||
        !matchPlaces(op, operand))
      return false;
  }
  return true;
}

OpFoldResult formwork::transforms::tiles::getSteps(OpBuilder &builder,
                                                   linalg::LinalgOp op,
                                                   unsigned loop) {
  AffineExpr own = getAffineDimExpr(loop, op->getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr == own) {
        if (OpFoldResult known = getKnownSize(operand.get(), dim))
          return known;
        return tensor::getMixedSize(builder, op.getLoc(), operand.get(), dim);
      }
  }
  llvm_unreachable("a place has loops of which the most steps are known");
}

/// `map` for the loops that are left without `dropped`, none of which it has.
static AffineMap dropLoops(AffineMap map, ArrayRef<unsigned> dropped) {
  SmallVector<AffineExpr> left;
  unsigned next = 0;
  for (unsigned loop = 0; loop != map.getNumDims(); ++loop)
    left.push_back(llvm::is_contained(dropped, loop)
                       ? getAffineConstantExpr(0, map.getContext())
                       : getAffineDimExpr(next++, map.getContext()));
  return map.replaceDimsAndSymbols(left, {}, next, 0);
}

linalg::LinalgOp
formwork::transforms::tiles::indexByLoops(RewriterBase &rewriter,
                                          linalg::LinalgOp op,
                                          SmallVectorImpl<int64_t> &sizes) {
  if (llvm::all_of(op.getIndexingMapsArray(),
                   [](AffineMap map) { return map.isProjectedPermutation(); }))
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<unsigned> dropped = getWindowLoops(op);
  auto isDropped = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && llvm::is_contained(dropped, dim.getPosition());
  };
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  SmallVector<unsigned> kept;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    // The shape of a pooling's window is all that it is read for.
    bool isRead = !op.isDpsInput(&operand) ||
                  !op.getMatchingBlockArgument(&operand).use_empty();
    if (!isRead)
      continue;
    kept.push_back(operand.getOperandNumber());
    if (op.isDpsInput(&operand))
      inputs.push_back(operand.get());
    bool isPlain = map.isProjectedPermutation() &&
                   llvm::none_of(map.getResults(), isDropped);
    if (op.isDpsInput(&operand) && !isPlain) {
      SmallVector<OpFoldResult> offsets, slice, strides;
      SmallVector<AffineExpr> loops;
      SmallVector<Place> places = *matchPlaces(op, operand);
      for (const Place &place : places) {
        offsets.push_back(rewriter.getIndexAttr(place.offset));
        strides.push_back(rewriter.getIndexAttr(place.stride));
        slice.push_back(place.loop ? getSteps(rewriter, op, *place.loop)
                                   : OpFoldResult(rewriter.getIndexAttr(1)));
        if (place.loop)
          loops.push_back(rewriter.getAffineDimExpr(*place.loop));
      }
      // The dimensions without a loop go. Others with one element stay.
      auto source = cast<RankedTensorType>(operand.get().getType());
      SmallVector<int64_t> shape;
      for (auto [place, size] : llvm::zip_equal(places, slice))
        if (place.loop)
          shape.push_back(
              getConstantIntValue(size).value_or(ShapedType::kDynamic));
      auto type = RankedTensorType::get(shape, source.getElementType());
      inputs.back() = tensor::ExtractSliceOp::create(
          rewriter, op.getLoc(), type, operand.get(), offsets, slice, strides);
      map = AffineMap::get(op.getNumLoops(), 0, loops, op->getContext());
    }
    maps.push_back(dropLoops(map, dropped));
  }
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> left;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (!llvm::is_contained(dropped, loop)) {
      iterators.push_back(type);
      left.push_back(sizes[loop]);
    }
  auto plain =
      linalg::GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                inputs, op.getDpsInits(), maps, iterators);
  Block *body = op.getBlock();
  SmallVector<Location> locations;
  SmallVector<Type> types;
  for (unsigned number : kept) {
    types.push_back(body->getArgument(number).getType());
    locations.push_back(body->getArgument(number).getLoc());
  }
  Block *copy = rewriter.createBlock(&plain.getRegion(), {}, types, locations);
  IRMapping mapping;
  for (auto [number, argument] : llvm::zip_equal(kept, copy->getArguments()))
    mapping.map(body->getArgument(number), argument);
  for (Operation &inner : *body)
    rewriter.clone(inner, mapping);
  rewriter.replaceOp(op, plain->getResults());
  sizes.assign(left);
  return plain;
}
