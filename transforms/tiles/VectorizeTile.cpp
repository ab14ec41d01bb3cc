//===- VectorizeTile.cpp - Vectorizes tiles of unequal sizes --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/VectorizeTile.h"

#include "transforms/tiles/IndexByLoops.h"
#include "transforms/tiles/RowReads.h"
#include "transforms/tiles/TileReductions.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::transforms::tiles;

namespace {
/// Builds the vectors of one operation.
class Vectorizer {
public:
  Vectorizer(RewriterBase &rewriter, linalg::LinalgOp op,
             ArrayRef<int64_t> sizes)
      : rewriter(rewriter), op(op), sizes(sizes), loc(op.getLoc()),
        sums(op.getNumDpsInits()) {}

  void run(NotifyReplaced replaced) {
    findOuterLoop();
    SmallVector<Value> results;
    if (std::optional<Product> product = matchProduct(op))
      results.push_back(multiply(*product));
    else if (std::optional<Extreme> extreme = matchExtreme(op))
      results = findExtreme(*extreme);
    else if (auto reductions = matchReductions(op))
      for (const Reduction &reduction : *reductions)
        results.push_back(reduce(*reductions, reduction));
    else
      results = compute();
    SmallVector<vector::TransferWriteOp> written = write(results);
    for (auto [before, after] : llvm::zip_equal(sums, written))
      if (before)
        keepSum(rewriter, before, after, replaced);
  }

private:
  /// The type of a vector of the operand, in the order of its own dimensions.
  VectorType getType(OpOperand &operand) {
    SmallVector<int64_t> shape;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      shape.push_back(sizes[cast<AffineDimExpr>(expr).getPosition()]);
    return VectorType::get(shape, getElementTypeOrSelf(operand.get()));
  }

  void findOuterLoop() {
    Operation *parent = op;
    while ((parent = parent->getParentOp()) && isa<scf::ForOp>(parent))
      outerLoop = parent;
  }

  /// A constant in front of the loops around the operation, so that accesses
  /// can be moved out of these loops.
  template <typename OpT, typename... Args> Value getConstant(Args &&...args) {
    OpBuilder::InsertionGuard guard(rewriter);
    if (outerLoop)
      rewriter.setInsertionPoint(outerLoop);
    return OpT::create(rewriter, loc, std::forward<Args>(args)...);
  }

  Value getZero() { return getConstant<arith::ConstantIndexOp>(0); }

  vector::TransferReadOp read(OpOperand &operand) {
    VectorType type = getType(operand);
    Value padding = getConstant<arith::ConstantOp>(
        rewriter.getZeroAttr(type.getElementType()));
    return createRead(rewriter, loc, type, operand.get(), getZero(), padding);
  }

  /// Reads a factor of a sum of products. Behind the end of a loop that is
  /// summed over, the factor must be zero.
  Value readFactor(OpOperand &operand) {
    VectorType type = getType(operand);
    Value vector = findWritten(rewriter, operand.get(), type);
    bool isFilled = true;
    for (auto [has, takes, expr] : llvm::zip_equal(
             cast<ShapedType>(operand.get().getType()).getShape(),
             type.getShape(), op.getMatchingIndexingMap(&operand).getResults()))
      isFilled &=
          has == takes ||
          op.getIteratorTypesArray()[cast<AffineDimExpr>(expr).getPosition()] !=
              utils::IteratorType::reduction;
    if (vector && (isFilled || isZeroBehind(vector, operand.get())))
      return vector;
    return read(operand);
  }

  Value multiply(const Product &product) {
    auto getOperand = [&](BlockArgument argument) -> OpOperand & {
      return op->getOpOperand(argument.getArgNumber());
    };
    OpOperand &lhs = getOperand(product.lhs), &rhs = getOperand(product.rhs),
              &acc = *op.getDpsInitOperand(0);
    SmallVector<AffineMap> maps = {op.getMatchingIndexingMap(&lhs),
                                   op.getMatchingIndexingMap(&rhs),
                                   op.getMatchingIndexingMap(&acc)};
    SmallVector<Attribute> iterators;
    for (utils::IteratorType type : op.getIteratorTypesArray())
      iterators.push_back(vector::IteratorTypeAttr::get(
          op.getContext(), type == utils::IteratorType::reduction
                               ? vector::IteratorType::reduction
                               : vector::IteratorType::parallel));
    Value left = readFactor(lhs), right = readFactor(rhs);
    if (product.extendsWithZeros) {
      auto extend = [&](Value factor) -> Value {
        auto type = cast<VectorType>(factor.getType());
        return arith::ExtUIOp::create(
            rewriter, loc, type.clone(getElementTypeOrSelf(acc.get())), factor);
      };
      left = extend(left);
      right = extend(right);
    }
    Value sum = readSum(acc);
    return vector::ContractionOp::create(rewriter, loc, left, right, sum,
                                         rewriter.getAffineMapArrayAttr(maps),
                                         rewriter.getArrayAttr(iterators));
  }

  /// Reads the operand as a vector with a dimension for each loop.
  Value readAll(OpOperand &operand) {
    Type element = getElementTypeOrSelf(operand.get());
    auto whole = VectorType::get(sizes, element);
    if (!isa<ShapedType>(operand.get().getType()))
      return vector::BroadcastOp::create(rewriter, loc, whole, operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    // Elements behind the end are computed, but not written.
    Value vector = findWritten(rewriter, operand.get(), getType(operand));
    if (!vector)
      vector = read(operand);
    SmallVector<unsigned> loops;
    for (AffineExpr expr : map.getResults())
      loops.push_back(cast<AffineDimExpr>(expr).getPosition());
    return spread(vector, loops);
  }

  /// Gives a vector whose dimensions are `loops` a dimension for each loop.
  Value spread(Value vector, ArrayRef<unsigned> loops) {
    Type element = getElementTypeOrSelf(vector.getType());
    // Broadcast over the missing loops in front, then transpose to the order of
    // the loops.
    SmallVector<int64_t> order;
    for (unsigned loop = 0; loop != sizes.size(); ++loop)
      if (!llvm::is_contained(loops, loop))
        order.push_back(loop);
    llvm::append_range(order, loops);
    SmallVector<int64_t> shape, permutation(order.size());
    for (auto [place, loop] : llvm::enumerate(order)) {
      shape.push_back(sizes[loop]);
      permutation[loop] = place;
    }
    if (loops.size() != sizes.size())
      vector = vector::BroadcastOp::create(
          rewriter, loc, VectorType::get(shape, element), vector);
    if (!llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
      vector = vector::TransposeOp::create(rewriter, loc, vector, permutation);
    return vector;
  }

  /// Reads what the operation adds to. The loops around it carry the vector.
  Value readSum(OpOperand &init) {
    vector::TransferReadOp &sum =
        sums[init.getOperandNumber() - op.getNumDpsInputs()];
    sum = read(init);
    return sum;
  }

  /// Computes `inner` with vectors of `shape`.
  void computeInner(IRMapping &mapping, Operation &inner,
                    ArrayRef<int64_t> shape) {
    Type element = inner.getResult(0).getType();
    auto type = VectorType::get(shape, element);
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      Operation *copy = rewriter.clone(inner);
      mapping.map(
          inner.getResult(0),
          vector::BroadcastOp::create(rewriter, loc, type, copy->getResult(0)));
      return;
    }
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      unsigned loop = index.getDim();
      Value step = vector::StepOp::create(
          rewriter, loc, VectorType::get({sizes[loop]}, element));
      mapping.map(inner.getResult(0), spread(step, {loop}));
      return;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      mapping.map(inner.getResult(0), readRow(extract));
      return;
    }
    OperationState state(inner.getLoc(), inner.getName());
    for (Value operand : inner.getOperands())
      state.operands.push_back(lookup(mapping, operand, shape));
    state.addTypes(type);
    state.addAttributes(inner.getAttrs());
    mapping.map(inner.getResult(0), rewriter.create(state)->getResult(0));
  }

  /// Reads what a tile looks up in another tensor.
  Value readRow(tensor::ExtractOp extract) {
    RowRead read = *matchRowRead(op, extract);
    SmallVector<Value> place = getPlace(rewriter, op, extract, scalars);
    Value source = extract.getTensor();
    auto type = cast<RankedTensorType>(source.getType());
    if (!read.loop) {
      Value element = tensor::ExtractOp::create(rewriter, loc, source, place);
      return vector::BroadcastOp::create(
          rewriter, loc, VectorType::get(sizes, element.getType()), element);
    }
    int64_t size = sizes[*read.loop];
    bool isInside = type.getShape().back() == size &&
                    isZeroInteger(OpFoldResult(place.back()));
    auto map = AffineMap::getMinorIdentityMap(type.getRank(), 1,
                                              rewriter.getContext());
    Value row = vector::TransferReadOp::create(
        rewriter, loc, VectorType::get({size}, type.getElementType()), source,
        place, AffineMapAttr::get(map),
        getConstant<arith::ConstantOp>(
            rewriter.getZeroAttr(type.getElementType())),
        /*mask=*/Value(), rewriter.getBoolArrayAttr({isInside}));
    return spread(row, {*read.loop});
  }

  /// Computes the operations of the body, except those in `left`, with vectors
  /// that have a dimension for each loop. Reads the initial values unless the
  /// operation reduces: then, combiners in `left` take them.
  void computeBody(IRMapping &mapping,
                   const llvm::SmallPtrSetImpl<Operation *> &left) {
    Block *body = op.getBlock();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (argument.use_empty() ||
          (op.isDpsInit(&operand) && op.getNumReductionLoops() != 0))
        continue;
      bool isSum = op.isDpsInit(&operand) &&
                   op.getMatchingIndexingMap(&operand).isIdentity();
      mapping.map(argument, isSum ? readSum(operand) : readAll(operand));
    }
    for (Operation &inner : body->without_terminator())
      if (!left.contains(&inner))
        computeInner(mapping, inner, sizes);
  }

  /// Whether each loop is reduced.
  SmallVector<bool> getReduced() {
    SmallVector<bool> isReduced;
    for (utils::IteratorType type : op.getIteratorTypesArray())
      isReduced.push_back(type == utils::IteratorType::reduction);
    return isReduced;
  }

  /// Which elements are within the loops that are reduced: null if all are.
  Value getMask() {
    if (isMaskKnown)
      return mask;
    isMaskKnown = true;
    SmallVector<Value> steps;
    bool isFull = true;
    for (auto [loop, isReduced] : llvm::enumerate(getReduced())) {
      OpFoldResult size = rewriter.getIndexAttr(sizes[loop]);
      if (isReduced) {
        size = getSteps(rewriter, op, loop);
        isFull &= getConstantIntValue(size) == sizes[loop];
      }
      steps.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, size));
    }
    if (!isFull)
      mask = vector::CreateMaskOp::create(
          rewriter, loc, VectorType::get(sizes, rewriter.getI1Type()), steps);
    return mask;
  }

  /// Combines the elements of `value` and of `init`.
  Value combine(Value value, Value init, vector::CombiningKind kind) {
    Type element = getElementTypeOrSelf(value.getType());
    if (Value where = getMask()) {
      Value neutral = vector::BroadcastOp::create(
          rewriter, loc, value.getType(),
          arith::ConstantOp::create(rewriter, loc, getNeutral(kind, element)));
      value = arith::SelectOp::create(rewriter, loc, where, value, neutral);
    }
    // The sum of all elements is no vector.
    auto type = cast<VectorType>(init.getType());
    bool isScalar = type.getRank() == 0;
    if (isScalar)
      init =
          vector::ExtractOp::create(rewriter, loc, init, ArrayRef<int64_t>());
    Value result = vector::MultiDimReductionOp::create(
        rewriter, loc, value, init, getReduced(), kind);
    return isScalar ? vector::BroadcastOp::create(rewriter, loc, type, result)
                    : result;
  }

  Value reduce(ArrayRef<Reduction> all, const Reduction &reduction) {
    if (!bodyOfReductions) {
      bodyOfReductions.emplace();
      llvm::SmallPtrSet<Operation *, 4> combiners;
      for (const Reduction &each : all)
        combiners.insert(each.combiner);
      computeBody(*bodyOfReductions, combiners);
    }
    Value value = lookup(*bodyOfReductions, reduction.value, sizes);
    unsigned number = &reduction - all.data();
    Value init = readSum(*op.getDpsInitOperand(number));
    return combine(value, init, reduction.kind);
  }

  /// Combines the values first. Then finds the first or last place that has the
  /// value found.
  SmallVector<Value> findExtreme(const Extreme &extreme) {
    // The operations that only the place needs.
    llvm::SmallPtrSet<Operation *, 8> left = {
        extreme.compare, extreme.chooseValue, extreme.choosePlace};
    SmallVector<Operation *> ofPlace;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *inner) {
      return inner->getBlock() == op.getBlock();
    };
    llvm::SetVector<Operation *> needed, place;
    (void)getBackwardSlice(extreme.value, &needed, options);
    (void)getBackwardSlice(extreme.place, &place, options);
    for (Operation &inner : op.getBlock()->without_terminator())
      if (place.contains(&inner)) {
        ofPlace.push_back(&inner);
        if (!needed.contains(&inner))
          left.insert(&inner);
      }
    IRMapping mapping;
    computeBody(mapping, left);
    Value value = lookup(mapping, extreme.value, sizes);
    OpOperand &bestInit = *op.getDpsInitOperand(extreme.valueResult),
              &placeInit = *op.getDpsInitOperand(extreme.placeResult);
    Value best = readSum(bestInit), at = readSum(placeInit);
    auto resultType = cast<VectorType>(best.getType());
    auto fill = [&](VectorType type, TypedAttr attribute) -> Value {
      return vector::BroadcastOp::create(
          rewriter, loc, type,
          arith::ConstantOp::create(rewriter, loc, attribute));
    };
    Value found = combine(
        value,
        fill(resultType, getNeutral(extreme.kind, resultType.getElementType())),
        extreme.kind);

    SmallVector<unsigned> loops, reduced;
    for (auto [loop, isReduced] : llvm::enumerate(getReduced()))
      (isReduced ? reduced : loops).push_back(loop);
    Value all = spread(found, loops), where;
    if (isa<arith::CmpFOp>(extreme.compare))
      where = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OEQ,
                                    value, all);
    else
      where = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                    value, all);
    if (Value inside = getMask())
      where = arith::AndIOp::create(rewriter, loc, where, inside);
    Type number = rewriter.getI32Type();
    auto kind = extreme.takesLast ? vector::CombiningKind::MAXSI
                                  : vector::CombiningKind::MINSI;
    TypedAttr none = getNeutral(kind, number);
    VectorType row = VectorType::get({sizes[reduced.front()]}, number);
    Value step = vector::StepOp::create(rewriter, loc,
                                        row.clone(rewriter.getIndexType()));
    Value places =
        spread(arith::IndexCastOp::create(rewriter, loc, row, step), reduced);
    places =
        arith::SelectOp::create(rewriter, loc, where, places,
                                fill(cast<VectorType>(places.getType()), none));
    Value first = combine(places, fill(resultType.clone(number), none), kind);

    // The place of the value, as the body computes it from the index.
    IRMapping ofResult;
    VectorType indices = resultType.clone(rewriter.getIndexType());
    first = arith::IndexCastOp::create(rewriter, loc, indices, first);
    for (Operation *inner : ofPlace) {
      if (isa<linalg::IndexOp>(inner))
        ofResult.map(inner->getResult(0), first);
      else
        computeInner(ofResult, *inner, resultType.getShape());
    }
    Value there = lookup(ofResult, extreme.place, resultType.getShape());
    auto clone = [&](Operation *inner, ValueRange operands) {
      OperationState state(inner->getLoc(), inner->getName());
      state.addOperands(operands);
      state.addTypes(
          resultType.clone(getElementTypeOrSelf(inner->getResult(0))));
      state.addAttributes(inner->getAttrs());
      return rewriter.create(state)->getResult(0);
    };
    Value better = clone(extreme.compare, {found, best});
    Value chosen = isa<arith::SelectOp>(extreme.chooseValue)
                       ? clone(extreme.chooseValue, {better, found, best})
                       : clone(extreme.chooseValue, {found, best});
    Value chosenPlace = clone(extreme.choosePlace, {better, there, at});
    SmallVector<Value> results(2);
    results[extreme.valueResult] = chosen;
    results[extreme.placeResult] = chosenPlace;
    return results;
  }

  SmallVector<Value> compute() {
    IRMapping mapping;
    computeBody(mapping, llvm::SmallPtrSet<Operation *, 1>());
    SmallVector<Value> results;
    for (auto [init, yielded] :
         llvm::zip_equal(op.getDpsInitsMutable(),
                         op.getBlock()->getTerminator()->getOperands())) {
      Value result = lookup(mapping, yielded, sizes);
      AffineMap map = op.getMatchingIndexingMap(&init);
      SmallVector<int64_t> permutation;
      for (AffineExpr expr : map.getResults())
        permutation.push_back(cast<AffineDimExpr>(expr).getPosition());
      if (!llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
        result =
            vector::TransposeOp::create(rewriter, loc, result, permutation);
      results.push_back(result);
    }
    return results;
  }

  /// The vector for `value` in the body. A value from outside of the body is
  /// the same for all elements.
  Value lookup(IRMapping &mapping, Value value, ArrayRef<int64_t> shape) {
    if (Value vector = mapping.lookupOrNull(value))
      return vector;
    Value vector = vector::BroadcastOp::create(
        rewriter, loc, VectorType::get(shape, value.getType()), value);
    mapping.map(value, vector);
    return vector;
  }

  SmallVector<vector::TransferWriteOp> write(ValueRange vectors) {
    SmallVector<vector::TransferWriteOp> writes;
    SmallVector<Value> written;
    for (auto [init, vector] :
         llvm::zip_equal(op.getDpsInitsMutable(), vectors)) {
      writes.push_back(
          createWrite(rewriter, loc, vector, init.get(), getZero()));
      written.push_back(writes.back().getResult());
    }
    rewriter.replaceOp(op, written);
    return writes;
  }

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  ArrayRef<int64_t> sizes;
  Location loc;
  /// The outermost loop around the operation with only loops in between.
  Operation *outerLoop = nullptr;
  /// For each result, the read of the vector that it adds to.
  SmallVector<vector::TransferReadOp> sums;
  /// The scalars that all elements of the tile have in common.
  IRMapping scalars;
  /// The result of getMask.
  Value mask;
  bool isMaskKnown = false;
  /// The vectors of the body, which all reductions share.
  std::optional<IRMapping> bodyOfReductions;
};
} // namespace

void formwork::transforms::tiles::vectorizeTile(RewriterBase &rewriter,
                                                linalg::LinalgOp op,
                                                ArrayRef<int64_t> sizes,
                                                NotifyReplaced replaced) {
  // An affine.apply that tiling made becomes arithmetic, which vectors have.
  for (auto apply : llvm::make_early_inc_range(
           op.getBlock()->getOps<affine::AffineApplyOp>())) {
    rewriter.setInsertionPoint(apply);
    rewriter.replaceOp(apply, *affine::expandAffineMap(rewriter, apply.getLoc(),
                                                       apply.getAffineMap(),
                                                       apply.getOperands()));
  }
  SmallVector<int64_t> left(sizes);
  op = indexByLoops(rewriter, op, left);
  rewriter.setInsertionPoint(op);
  Vectorizer(rewriter, op, left).run(replaced);
}
