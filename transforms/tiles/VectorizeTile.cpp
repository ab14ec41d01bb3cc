//===- VectorizeTile.cpp - Vectorizes tiles of unequal sizes --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/VectorizeTile.h"

#include "transforms/tiles/IndexByLoops.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork::transforms::tiles;

namespace {
/// The body of a sum of products: `acc + lhs * rhs`.
struct Product {
  BlockArgument lhs, rhs;
};
} // namespace

/// The argument of a body that is `value`, or that `value` extends. A
/// contraction extends its operands itself.
static BlockArgument getFactor(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    if (extension->hasOneUse())
      value = extension.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// The product that `op` sums up; none if the operation does something else.
static std::optional<Product> matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return std::nullopt;
  Block *body = op.getBlock();
  BlockArgument acc = body->getArgument(2);
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  Value other = add->getOperand(0) == acc   ? add->getOperand(1)
                : add->getOperand(1) == acc ? add->getOperand(0)
                                            : Value();
  Operation *mul = other ? other.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul) ||
      !llvm::hasSingleElement(mul->getResult(0).getUses()) || !acc.hasOneUse())
    return std::nullopt;
  BlockArgument lhs = getFactor(mul->getOperand(0)),
                rhs = getFactor(mul->getOperand(1));
  if (!lhs || !rhs || lhs == rhs || lhs == acc || rhs == acc ||
      lhs.getType() != rhs.getType())
    return std::nullopt;
  size_t numExtensions = llvm::count_if(mul->getOperands(), [](Value factor) {
    return isa_and_nonnull<arith::ExtFOp>(factor.getDefiningOp());
  });
  if (body->getOperations().size() != 3 + numExtensions)
    return std::nullopt;
  return Product{lhs, rhs};
}

namespace {
/// The body of a reduction: `kind(acc, value)`, for a value of the inputs.
struct Reduction {
  Operation *combiner;
  Value value;
  vector::CombiningKind kind;
};
} // namespace

/// The reduction that `op` computes; none if the operation does something else.
static std::optional<Reduction> findReduction(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return std::nullopt;
  SmallVector<Operation *> combiners;
  Value value = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  if (!value || combiners.size() != 1)
    return std::nullopt;
  std::optional<vector::CombiningKind> kind =
      linalg::getCombinerOpKind(combiners.front());
  if (!kind)
    return std::nullopt;
  return Reduction{combiners.front(), value, *kind};
}

/// Whether the dimensions of the result of `op` are loops in their order.
static bool hasResultInLoopOrder(linalg::LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return llvm::is_sorted(loops) &&
         loops.size() == op.getNumLoops() - op.getNumReductionLoops();
}

/// Whether dimension `dim` of `operand` always has `size` elements.
static bool isFull(OpOperand &operand, unsigned dim, int64_t size) {
  auto type = dyn_cast<ShapedType>(operand.get().getType());
  return type && type.getDimSize(dim) == size;
}

/// Calls `visit` for each operand dimension that only `loop` indexes.
static void
forEachPlace(linalg::LinalgOp op, unsigned loop,
             llvm::function_ref<void(OpOperand &operand, unsigned dim)> visit) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.isProjectedPermutation())
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (expr == getAffineDimExpr(loop, op->getContext()))
          visit(operand, dim);
  }
}

SmallVector<int64_t>
formwork::transforms::tiles::getVectorSizes(linalg::LinalgOp op,
                                            ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> found(sizes);
  if (sizes.size() == op.getNumLoops())
    for (auto [loop, size] : llvm::enumerate(found))
      if (size == 0)
        size = getMostSteps(op, loop).value_or(0);
  return found;
}

std::optional<Refusal>
formwork::transforms::tiles::checkTile(linalg::LinalgOp op,
                                       ArrayRef<int64_t> sizes) {
  auto refuse = [](const Twine &message, StringRef id = "fw-no-vector-form") {
    return Refusal{id.str(), message.str()};
  };
  constexpr StringLiteral badSizes = "fw-vector-sizes";
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1)
    return refuse("requires one result on tensors but " + name +
                  " has another form");
  if (sizes.size() != op.getNumLoops())
    return refuse("requires a vector size for each of the " +
                      Twine(op.getNumLoops()) + " loops of " + name +
                      " but has " + Twine(sizes.size()),
                  badSizes);
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (size < 0)
      return refuse("requires vector sizes of at least 0 but has " +
                        Twine(size),
                    badSizes);
    if (size == 0)
      return refuse("requires a vector size for dimension " + Twine(loop) +
                        " of " + name +
                        " but has 0, and how many steps that loop has at most "
                        "is not known",
                    badSizes);
  }
  bool isIndexedByLoops =
      op.getNumReductionLoops() == 0
          ? canIndexByLoops(op)
          : llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
              return map.isProjectedPermutation();
            });
  if (!isIndexedByLoops) {
    bool divides = false;
    for (AffineMap map : op.getIndexingMapsArray())
      map.walkExprs([&](AffineExpr expr) {
        divides |= expr.getKind() == AffineExprKind::Mod ||
                   expr.getKind() == AffineExprKind::FloorDiv;
      });
    return divides && op.getNumReductionLoops() == 0
               ? refuse(
                     "requires tiles that lie in one part of a loop that the "
                     "indices divide but " +
                     name +
                     " may reach into the next; tile that loop by what "
                     "divides its parts")
               : refuse(
                     "requires operands that are indexed by loops alone but " +
                     name + " has another index");
  }
  auto isElement = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isIntOrIndexOrFloat();
  };
  if (!llvm::all_of(op->getOperandTypes(), isElement))
    return refuse("requires elements that are numbers but " + name +
                  " has others");
  std::optional<Product> product = matchProduct(op);
  std::optional<Reduction> reduction =
      product ? std::nullopt : findReduction(op);
  if (!product) {
    if (op.getNumReductionLoops() != 0 && !reduction)
      return refuse("requires a reduction that vectors have but " + name +
                    " has another one");
    if (reduction ? !hasResultInLoopOrder(op)
                  : op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                            .getNumResults() != op.getNumLoops())
      return refuse(reduction
                        ? "requires a result with all parallel loops, in their "
                          "order, but that of " +
                              name + " has others"
                        : "requires a result with all loops but that of " +
                              name + " has fewer");
    for (Operation &inner : op.getBlock()->without_terminator()) {
      bool isConstant = inner.hasTrait<OpTrait::ConstantLike>();
      if (!isConstant && (!OpTrait::hasElementwiseMappableTraits(&inner) ||
                          inner.getNumResults() != 1 || !isPure(&inner)))
        return refuse("requires operations that can be done to elements that "
                      "are not there but " +
                      name + " has '" + inner.getName().getStringRef() + "'");
    }
  }
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop) {
    std::optional<int64_t> most = getMostSteps(op, loop);
    unsigned numInputs = 0;
    bool fills = true;
    forEachPlace(op, loop, [&](OpOperand &operand, unsigned dim) {
      numInputs += op.isDpsInput(&operand);
      fills &= isFull(operand, dim, sizes[loop]);
    });
    if (!most || *most > sizes[loop])
      return refuse("requires vector sizes that cover the loops of " + name +
                        " but has " + Twine(sizes[loop]) + " for dimension " +
                        Twine(loop) + ", which may have more",
                    badSizes);
    bool isReduced =
        op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
    // What is behind the end must not be combined with what is in front of it.
    if (isReduced && reduction && !fills)
      return refuse("requires full vectors along what is reduced, unless it is "
                    "a sum of products, but dimension " +
                    Twine(loop) + " of " + name + " may have fewer than " +
                    Twine(sizes[loop]) + " steps");
    // With one factor behind its end, the other has real elements: zero times
    // infinity is not zero.
    if (product && isReduced && !fills && numInputs != 2)
      return refuse("requires loops that both factors have, where they are not "
                    "full, but dimension " +
                    Twine(loop) + " of " + name + " is on one only");
  }
  return std::nullopt;
}

namespace {
/// Builds the vectors of one operation.
class Vectorizer {
public:
  Vectorizer(RewriterBase &rewriter, linalg::LinalgOp op,
             ArrayRef<int64_t> sizes)
      : rewriter(rewriter), op(op), sizes(sizes), loc(op.getLoc()) {}

  void run(NotifyReplaced replaced) {
    findOuterLoop();
    std::optional<Product> product = matchProduct(op);
    std::optional<Reduction> reduction =
        product ? std::nullopt : findReduction(op);
    Value result = product     ? multiply(*product)
                   : reduction ? reduce(*reduction)
                               : compute();
    vector::TransferWriteOp written = write(result);
    if (sum)
      keepSum(rewriter, sum, written, replaced);
  }

private:
  /// The type of a vector of the operand. Sets `inBounds` to the dimensions
  /// along which the operand is full.
  VectorType getType(OpOperand &operand, SmallVectorImpl<bool> &inBounds) {
    SmallVector<int64_t> shape;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      shape.push_back(sizes[cast<AffineDimExpr>(expr).getPosition()]);
      inBounds.push_back(isFull(operand, dim, shape.back()));
    }
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

  SmallVector<Value> getZeros(unsigned count) {
    return SmallVector<Value>(count, getConstant<arith::ConstantIndexOp>(0));
  }

  /// Reads the operand, in the order of its own dimensions.
  vector::TransferReadOp read(OpOperand &operand) {
    SmallVector<bool> inBounds;
    VectorType type = getType(operand, inBounds);
    Type element = type.getElementType();
    Value zero = getConstant<arith::ConstantOp>(rewriter.getZeroAttr(element));
    return vector::TransferReadOp::create(
        rewriter, loc, type, operand.get(), getZeros(type.getRank()),
        AffineMapAttr::get(rewriter.getMultiDimIdentityMap(type.getRank())),
        zero,
        /*mask=*/Value(), rewriter.getBoolArrayAttr(inBounds));
  }

  /// Reads a factor of a sum of products. Behind the end of a loop that is
  /// summed over, the factor must be zero.
  Value readFactor(OpOperand &operand) {
    SmallVector<bool> inBounds;
    Value vector =
        findWritten(rewriter, operand.get(), getType(operand, inBounds));
    bool isFilled = true;
    for (auto [inside, expr] : llvm::zip_equal(
             inBounds, op.getMatchingIndexingMap(&operand).getResults()))
      isFilled &=
          inside ||
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
    sum = read(acc);
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
    SmallVector<bool> inBounds;
    Value vector =
        findWritten(rewriter, operand.get(), getType(operand, inBounds));
    if (!vector)
      vector = read(operand);
    // Broadcast over the missing loops in front, then transpose to the order of
    // the loops.
    SmallVector<int64_t> order;
    for (unsigned loop = 0; loop != sizes.size(); ++loop)
      if (!map.isFunctionOfDim(loop))
        order.push_back(loop);
    for (AffineExpr expr : map.getResults())
      order.push_back(cast<AffineDimExpr>(expr).getPosition());
    SmallVector<int64_t> shape, permutation(order.size());
    for (auto [place, loop] : llvm::enumerate(order)) {
      shape.push_back(sizes[loop]);
      permutation[loop] = place;
    }
    if (map.getNumResults() != sizes.size())
      vector = vector::BroadcastOp::create(
          rewriter, loc, VectorType::get(shape, element), vector);
    if (!llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
      vector = vector::TransposeOp::create(rewriter, loc, vector, permutation);
    return vector;
  }

  /// Computes the operations of the body, except `combiner`, with vectors that
  /// have a dimension for each loop.
  void computeBody(IRMapping &mapping, Operation *combiner) {
    Block *body = op.getBlock();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      bool isCombined = combiner && op.isDpsInit(&operand);
      if (!isCombined && !argument.use_empty())
        mapping.map(argument, readAll(operand));
    }
    for (Operation &inner : body->without_terminator()) {
      if (&inner == combiner)
        continue;
      Type element = inner.getResult(0).getType();
      auto type = VectorType::get(sizes, element);
      if (inner.hasTrait<OpTrait::ConstantLike>()) {
        Operation *copy = rewriter.clone(inner);
        mapping.map(inner.getResult(0),
                    vector::BroadcastOp::create(rewriter, loc, type,
                                                copy->getResult(0)));
        continue;
      }
      OperationState state(inner.getLoc(), inner.getName());
      for (Value operand : inner.getOperands())
        state.operands.push_back(lookup(mapping, operand));
      state.addTypes(type);
      state.addAttributes(inner.getAttrs());
      mapping.map(inner.getResult(0), rewriter.create(state)->getResult(0));
    }
  }

  Value reduce(const Reduction &reduction) {
    IRMapping mapping;
    computeBody(mapping, reduction.combiner);
    SmallVector<bool> isReduced;
    for (utils::IteratorType type : op.getIteratorTypesArray())
      isReduced.push_back(type == utils::IteratorType::reduction);
    Value value = lookup(mapping, reduction.value);
    sum = read(*op.getDpsInitOperand(0));
    return vector::MultiDimReductionOp::create(rewriter, loc, value, sum,
                                               isReduced, reduction.kind);
  }

  Value compute() {
    IRMapping mapping;
    computeBody(mapping, /*combiner=*/nullptr);
    Value result =
        lookup(mapping, op.getBlock()->getTerminator()->getOperand(0));
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<int64_t> permutation;
    for (AffineExpr expr : map.getResults())
      permutation.push_back(cast<AffineDimExpr>(expr).getPosition());
    if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
      return result;
    return vector::TransposeOp::create(rewriter, loc, result, permutation);
  }

  /// The vector for `value` in the body. A value from outside of the body is
  /// the same for all elements.
  Value lookup(IRMapping &mapping, Value value) {
    if (Value vector = mapping.lookupOrNull(value))
      return vector;
    Value vector = vector::BroadcastOp::create(
        rewriter, loc, VectorType::get(sizes, value.getType()), value);
    mapping.map(value, vector);
    return vector;
  }

  vector::TransferWriteOp write(Value vector) {
    OpOperand &init = *op.getDpsInitOperand(0);
    SmallVector<bool> inBounds;
    VectorType type = getType(init, inBounds);
    auto written = vector::TransferWriteOp::create(
        rewriter, loc, vector, init.get(), getZeros(type.getRank()),
        AffineMapAttr::get(rewriter.getMultiDimIdentityMap(type.getRank())),
        rewriter.getBoolArrayAttr(inBounds));
    rewriter.replaceOp(op, written->getResults());
    return written;
  }

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  ArrayRef<int64_t> sizes;
  Location loc;
  /// The outermost loop around the operation with only loops in between.
  Operation *outerLoop = nullptr;
  /// The read of the vector that a reduction combines its values with.
  vector::TransferReadOp sum;
};
} // namespace

void formwork::transforms::tiles::vectorizeTile(RewriterBase &rewriter,
                                                linalg::LinalgOp op,
                                                ArrayRef<int64_t> sizes,
                                                NotifyReplaced replaced) {
  op = indexByLoops(rewriter, op);
  rewriter.setInsertionPoint(op);
  Vectorizer(rewriter, op, sizes).run(replaced);
}
