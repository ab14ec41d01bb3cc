//===- OnlineSoftmax.cpp - A softmax in pieces, and its product -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/softmax/OnlineSoftmax.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace formwork::transforms::softmax;
using utils::IteratorType;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Whether `op` changes only the type of each element.
static bool isCast(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != op.getNumParallelLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  Operation *cast = yielded.getDefiningOp();
  return isa_and_nonnull<arith::TruncFOp, arith::ExtFOp>(cast) &&
         cast->getOperand(0) == op.getBody()->getArgument(0) &&
         op.getBody()->getOperations().size() == 2;
}

/// Whether `slice` takes the whole of dimension `dim`, and drops no dimension.
static bool takesWhole(tensor::ExtractSliceOp slice, int64_t dim) {
  if (slice.getSourceType().getRank() != slice.getType().getRank() ||
      !slice.hasUnitStride() ||
      getConstantIntValue(slice.getMixedOffsets()[dim]) != 0)
    return false;
  if (slice.getSourceType().isDynamicDim(dim) ||
      slice.getType().isDynamicDim(dim)) {
    FailureOr<bool> same = ValueBoundsConstraintSet::areEqual(
        {slice.getResult(), dim}, {slice.getSource(), dim});
    return succeeded(same) && *same;
  }
  return slice.getSourceType().getDimSize(dim) ==
         slice.getType().getDimSize(dim);
}

/// Follows factor `number` of `product` to a softmax along the sum. Returns a
/// message if there is none.
static std::variant<SoftmaxProduct, std::string>
matchFactor(linalg::LinalgOp product, unsigned number, unsigned sumLoop) {
  std::string name = product->getName().getStringRef().str();
  AffineMap map =
      product.getMatchingIndexingMap(&product->getOpOperand(number));
  SoftmaxProduct match{product, {}, number, sumLoop, {}, {}};
  Value value = product->getOperand(number);
  for (;;) {
    Operation *made = value.getDefiningOp();
    if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(made)) {
      match.slices.push_back(slice);
      value = slice.getSource();
    } else if (auto cast = dyn_cast_or_null<linalg::GenericOp>(made);
               cast && isCast(cast)) {
      match.casts.push_back(cast);
      value = cast.getDpsInputs().front();
    } else {
      match.softmax = dyn_cast_or_null<linalg::SoftmaxOp>(made);
      break;
    }
  }
  if (!match.softmax || !match.softmax.hasPureTensorSemantics())
    return "requires a product with a softmax but no factor of '" + name +
           "' is one";
  int64_t dim = match.softmax.getDimension();
  if (!llvm::all_of(match.slices, [&](tensor::ExtractSliceOp slice) {
        return takesWhole(slice, dim);
      }))
    return "requires slices that take dimension " + std::to_string(dim) +
           " of the softmax as a whole but has another one";
  if (map.getNumResults() !=
          static_cast<unsigned>(match.softmax.getInputOperandRank()) ||
      map.getDimPosition(dim) != sumLoop)
    return "requires a softmax along the loop that '" + name +
           "' sums over but has one along dimension " + std::to_string(dim);
  return match;
}

std::variant<SoftmaxProduct, std::string>
formwork::transforms::softmax::matchSoftmaxProduct(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  auto product = dyn_cast<linalg::LinalgOp>(op);
  if (!product || !linalg::isaContractionOpInterface(product) ||
      !product.hasPureTensorSemantics() || product->getNumResults() != 1)
    return "requires a product on tensors but has '" + name + "'";
  SmallVector<unsigned> sumLoops;
  product.getReductionDims(sumLoops);
  if (sumLoops.size() != 1)
    return "requires a product that sums over one loop but '" + name +
           "' sums over " + std::to_string(sumLoops.size());
  if (!isa<FloatType>(getElementTypeOrSelf(product->getResult(0).getType())))
    return "requires a product of floats but has one of integers";
  std::variant<SoftmaxProduct, std::string> first =
      matchFactor(product, 0, sumLoops.front());
  if (std::holds_alternative<SoftmaxProduct>(first))
    return first;
  std::variant<SoftmaxProduct, std::string> second =
      matchFactor(product, 1, sumLoops.front());
  bool says = std::holds_alternative<SoftmaxProduct>(second) ||
              !StringRef(std::get<std::string>(second)).contains("no factor");
  return says ? second : first;
}

/// Whether `value` is known to hold only zeros.
static bool isZero(Value value) {
  for (;;) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      value = slice.getSource();
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      // Each iteration starts with the value that the loop gets.
      auto loop = dyn_cast<scf::ForallOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getArgNumber() < loop.getRank())
        return false;
      value = loop.getTiedOpOperand(argument)->get();
    } else {
      break;
    }
  }
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs().front(), m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Builds the operations on the rows of a softmax.
class OnlineBuilder {
public:
  OnlineBuilder(RewriterBase &rewriter, SoftmaxProduct of);

  OnlineProduct build(int64_t step);

private:
  using Body = llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

  /// Applies `body` to each element, over the loops of `maps`. Dimensions that
  /// the last map (of `init`) lacks are reduced with `body`.
  Value compute(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                Body body);
  Value makeEmpty(ArrayRef<OpFoldResult> sizes, Type type);
  Value makeFilled(ArrayRef<OpFoldResult> sizes, const APFloat &value,
                   Type type);
  /// The slice of the input of the softmax for `size` elements of the factor
  /// along the sum, from `at` on.
  Value takeInput(Value at, OpFoldResult size);
  /// The slice of factor `number` from `at` on along the sum.
  Value takeFactor(unsigned number, Value at, OpFoldResult size);
  /// Returns `piece`, which begins at `at`, with negative infinity for the
  /// elements in front of `counted`. Earlier pieces already count these
  /// elements.
  Value dropCounted(Value piece, Value at, Value counted);
  /// Applies `body` to the value in `rows` of its row, and each element of
  /// `init`.
  Value combineRows(Value rows, Value init, Body body);
  /// The `step` elements of each row from `at` on, or what is left of them:
  /// then `size` is smaller, or `at` moves back.
  Value takePiece(Value &at, OpFoldResult &size, int64_t step);
  /// The weights of a piece as the casts between softmax and product leave
  /// them.
  Value castWeights(Value weights, ArrayRef<OpFoldResult> pieceSizes);
  /// The body of the loop, from the maximum, the sum and the product so far.
  /// Returns the product with the piece from `at` on.
  linalg::LinalgOp addStep(Value at, ValueRange carried, int64_t step);

  RewriterBase &rewriter;
  SoftmaxProduct match;
  linalg::LinalgOp product;
  Location loc;
  int64_t rank, dim;
  FloatType type, sumType;
  SmallVector<OpFoldResult> sizes;
  AffineMap all, rowsOnly;
};
} // namespace

OnlineBuilder::OnlineBuilder(RewriterBase &rewriter, SoftmaxProduct of)
    : rewriter(rewriter), match(std::move(of)), product(match.product),
      loc(match.softmax.getLoc()) {
  rewriter.setInsertionPoint(product);
  Value factor = product->getOperand(match.factor);
  sizes = tensor::getMixedSizes(rewriter, loc, factor);
  rank = sizes.size();
  dim = match.softmax.getDimension();
  type = cast<FloatType>(match.softmax.getInputOperandType().getElementType());
  sumType = cast<FloatType>(
      getElementTypeOrSelf(product.getDpsInits().front().getType()));
  all = rewriter.getMultiDimIdentityMap(rank);
  rowsOnly = all.dropResult(dim);
}

Value OnlineBuilder::compute(ValueRange inputs, Value init,
                             ArrayRef<AffineMap> maps, Body body) {
  SmallVector<IteratorType> iterators(maps.front().getNumDims(),
                                      IteratorType::reduction);
  for (AffineExpr result : maps.back().getResults())
    iterators[cast<AffineDimExpr>(result).getPosition()] =
        IteratorType::parallel;
  return linalg::GenericOp::create(
             rewriter, loc, TypeRange(init.getType()), inputs, ValueRange(init),
             maps, iterators,
             [&](OpBuilder &builder, Location at, ValueRange arguments) {
               linalg::YieldOp::create(builder, at,
                                       body(builder, at, arguments));
             })
      .getResult(0);
}

Value OnlineBuilder::makeEmpty(ArrayRef<OpFoldResult> of, Type element) {
  return tensor::EmptyOp::create(rewriter, loc, of, element);
}

Value OnlineBuilder::makeFilled(ArrayRef<OpFoldResult> of, const APFloat &value,
                                Type element) {
  Value constant = arith::ConstantOp::create(
      rewriter, loc, rewriter.getFloatAttr(element, value));
  return linalg::FillOp::create(rewriter, loc, constant, makeEmpty(of, element))
      .getResult(0);
}

Value OnlineBuilder::takeInput(Value at, OpFoldResult size) {
  SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
      strides(rank, rewriter.getIndexAttr(1)), taken = sizes;
  AffineExpr sum = rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1);
  for (tensor::ExtractSliceOp slice : match.slices)
    for (auto [offset, own] : llvm::zip_equal(offsets, slice.getMixedOffsets()))
      offset = affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(2, 0, sum), {offset, own});
  offsets[dim] = at;
  taken[dim] = size;
  return tensor::ExtractSliceOp::create(rewriter, loc, match.softmax.getInput(),
                                        offsets, taken, strides);
}

Value OnlineBuilder::takeFactor(unsigned number, Value at, OpFoldResult size) {
  Value factor = product->getOperand(number);
  AffineMap map =
      product.getMatchingIndexingMap(&product->getOpOperand(number));
  SmallVector<OpFoldResult> taken =
      tensor::getMixedSizes(rewriter, loc, factor);
  SmallVector<OpFoldResult> offsets(taken.size(), rewriter.getIndexAttr(0)),
      strides(taken.size(), rewriter.getIndexAttr(1));
  bool isSliced = false;
  for (auto [i, result] : llvm::enumerate(map.getResults())) {
    if (cast<AffineDimExpr>(result).getPosition() != match.sumLoop)
      continue;
    offsets[i] = at;
    taken[i] = size;
    isSliced = true;
  }
  if (!isSliced)
    return factor;
  return tensor::ExtractSliceOp::create(rewriter, loc, factor, offsets, taken,
                                        strides);
}

Value OnlineBuilder::dropCounted(Value piece, Value at, Value counted) {
  AffineExpr before =
      rewriter.getAffineDimExpr(1) - rewriter.getAffineDimExpr(0);
  Type number = rewriter.getI32Type();
  Value first = arith::IndexCastOp::create(
      rewriter, loc, number,
      getValueOrCreateConstantIndexOp(
          rewriter, loc,
          affine::makeComposedFoldedAffineApply(
              rewriter, loc, AffineMap::get(2, 0, before), {at, counted})));
  Value lowest = arith::ConstantOp::create(
      rewriter, loc,
      rewriter.getFloatAttr(
          type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true)));
  SmallVector<OpFoldResult> pieceSizes =
      tensor::getMixedSizes(rewriter, loc, piece);
  return compute(
      piece, makeEmpty(pieceSizes, type), {all, all},
      [&](OpBuilder &builder, Location where, ValueRange arguments) -> Value {
        Value place = arith::IndexCastOp::create(
            builder, where, number,
            linalg::IndexOp::create(builder, where, dim));
        Value isNew = arith::CmpIOp::create(
            builder, where, arith::CmpIPredicate::sge, place, first);
        return arith::SelectOp::create(builder, where, isNew, arguments[0],
                                       lowest);
      });
}

Value OnlineBuilder::combineRows(Value rows, Value init, Body body) {
  AffineMap result =
                product.getMatchingIndexingMap(product.getDpsInitOperand(0)),
            factor = product.getMatchingIndexingMap(
                &product->getOpOperand(match.factor));
  SmallVector<AffineExpr> places;
  for (int64_t i = 0; i != rank; ++i)
    if (i != dim)
      places.push_back(rewriter.getAffineDimExpr(
          *result.getResultPosition(factor.getResult(i))));
  unsigned loops = result.getNumResults();
  return compute(rows, init,
                 {AffineMap::get(loops, 0, places, rewriter.getContext()),
                  rewriter.getMultiDimIdentityMap(loops)},
                 body);
}

static Value buildMaximum(OpBuilder &builder, Location at,
                          ValueRange arguments) {
  return arith::MaxNumFOp::create(builder, at, arguments[0], arguments[1]);
}

static Value buildSum(OpBuilder &builder, Location at, ValueRange arguments) {
  return arith::AddFOp::create(builder, at, arguments[0], arguments[1]);
}

static Value buildProduct(OpBuilder &builder, Location at,
                          ValueRange arguments) {
  Value factor = convertScalarToDtype(
      builder, at, arguments[0], arguments[1].getType(), /*isUnsigned=*/false);
  return arith::MulFOp::create(builder, at, factor, arguments[1]);
}

static Value buildQuotient(OpBuilder &builder, Location at,
                           ValueRange arguments) {
  Value divisor = convertScalarToDtype(
      builder, at, arguments[0], arguments[1].getType(), /*isUnsigned=*/false);
  return arith::DivFOp::create(builder, at, arguments[1], divisor);
}

static Value buildExponential(OpBuilder &builder, Location at,
                              ValueRange arguments) {
  Value difference =
      arith::SubFOp::create(builder, at, arguments[0], arguments[1]);
  return math::ExpOp::create(builder, at, difference);
}

Value OnlineBuilder::takePiece(Value &at, OpFoldResult &size, int64_t step) {
  size = rewriter.getIndexAttr(step);
  std::optional<int64_t> length = getConstantIntValue(sizes[dim]);
  auto getMin = [&](unsigned symbols, AffineExpr a, AffineExpr b,
                    ArrayRef<OpFoldResult> of) {
    return affine::makeComposedFoldedAffineMin(
        rewriter, loc,
        AffineMap::get(1, symbols, {a, b}, rewriter.getContext()), of);
  };
  AffineExpr here = rewriter.getAffineDimExpr(0);
  if (!length) {
    size = getMin(1, rewriter.getAffineSymbolExpr(0) - here,
                  rewriter.getAffineConstantExpr(step), {at, sizes[dim]});
    return takeInput(at, size);
  }
  if (*length % step == 0)
    return takeInput(at, size);
  // The last piece is a whole one, too, and begins earlier.
  Value counted = at;
  at = getValueOrCreateConstantIndexOp(
      rewriter, loc,
      getMin(0, here, rewriter.getAffineConstantExpr(*length - step), {at}));
  return dropCounted(takeInput(at, size), at, counted);
}

Value OnlineBuilder::castWeights(Value weights,
                                 ArrayRef<OpFoldResult> pieceSizes) {
  for (linalg::GenericOp cast : llvm::reverse(match.casts)) {
    Type to = getElementTypeOrSelf(cast.getResult(0).getType());
    weights = compute(
        weights, makeEmpty(pieceSizes, to), {all, all},
        [&](OpBuilder &builder, Location where, ValueRange arguments) {
          return convertScalarToDtype(builder, where, arguments[0], to, false);
        });
  }
  return weights;
}

linalg::LinalgOp OnlineBuilder::addStep(Value at, ValueRange carried,
                                        int64_t step) {
  OpFoldResult size;
  Value piece = takePiece(at, size, step);
  SmallVector<OpFoldResult> rowSizes = sizes, pieceSizes = sizes;
  rowSizes.erase(rowSizes.begin() + dim);
  pieceSizes[dim] = size;
  AffineMap rows = rewriter.getMultiDimIdentityMap(rank - 1);
  // The old maximum is read until the end, and only then does the new one
  // replace it. So bufferization can update each carried value in place.
  Value lowest = makeFilled(
      rowSizes,
      APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true), type);
  Value ofPiece = compute(piece, lowest, {all, rowsOnly}, buildMaximum);
  Value most = compute({carried[0], ofPiece}, makeEmpty(rowSizes, type),
                       {rows, rows, rows}, buildMaximum);
  Value weights = compute({piece, most}, makeEmpty(pieceSizes, type),
                          {all, rowsOnly, all}, buildExponential);
  Value correction = compute({carried[0], most}, makeEmpty(rowSizes, type),
                             {rows, rows, rows}, buildExponential);
  Value corrected = compute(correction, carried[1], {rows, rows}, buildProduct);
  Value sum = compute(weights, corrected, {all, rowsOnly}, buildSum);
  Value factor = castWeights(weights, pieceSizes);
  Value accumulated = combineRows(correction, carried[2], buildProduct);
  SmallVector<Value> operands;
  for (unsigned i = 0; i != product->getNumOperands(); ++i)
    operands.push_back(i == match.factor ? factor
                       : product.isDpsInit(&product->getOpOperand(i))
                           ? accumulated
                           : takeFactor(i, at, size));
  auto part = cast<linalg::LinalgOp>(
      clone(rewriter, product, TypeRange(accumulated.getType()), operands));
  Value kept = compute(ofPiece, carried[0], {rows, rows}, buildMaximum);
  scf::YieldOp::create(rewriter, product.getLoc(),
                       ValueRange{kept, sum, part->getResult(0)});
  return part;
}

OnlineProduct OnlineBuilder::build(int64_t step) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  SmallVector<OpFoldResult> rowSizes = sizes;
  rowSizes.erase(rowSizes.begin() + dim);
  Value init = product.getDpsInits().front();
  bool fromZero = isZero(init);
  Value lowest = makeFilled(
      rowSizes, APFloat::getLargest(semantics, /*Negative=*/true), type);
  Value nothing = makeFilled(rowSizes, APFloat::getZero(semantics), type);
  Value begin =
      fromZero
          ? init
          : makeFilled(tensor::getMixedSizes(rewriter, loc, init),
                       APFloat::getZero(sumType.getFloatSemantics()), sumType);
  if (std::optional<int64_t> length = getConstantIntValue(sizes[dim]))
    step = std::max<int64_t>(1, std::min(step, *length));

  OnlineProduct result;
  Value end = getValueOrCreateConstantIndexOp(rewriter, loc, sizes[dim]);
  Value first = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value by = arith::ConstantIndexOp::create(rewriter, loc, step);
  result.loop = scf::ForOp::create(
      rewriter, product.getLoc(), first, end, by,
      ValueRange{lowest, nothing, begin},
      [&](OpBuilder &, Location, Value at, ValueRange carried) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToEnd(at.getParentBlock());
        result.product = addStep(at, carried, step);
      });
  Value quotient = combineRows(result.loop.getResult(1),
                               result.loop.getResult(2), buildQuotient);
  if (!fromZero) {
    AffineMap whole = rewriter.getMultiDimIdentityMap(
        cast<RankedTensorType>(init.getType()).getRank());
    quotient = compute(quotient, init, {whole, whole}, buildSum);
  }
  rewriter.replaceOp(product, quotient);
  return result;
}

OnlineProduct formwork::transforms::softmax::computeOnline(
    RewriterBase &rewriter, const SoftmaxProduct &match, int64_t step) {
  return OnlineBuilder(rewriter, match).build(step);
}
