//===- Products.cpp - Products as strategies take them ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/Products.h"

#include "transforms/strategies/ComputedTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace formwork::transforms;

bool formwork::transforms::onlyMoves(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumDpsInputs() != 0 &&
         linalgOp.getNumReductionLoops() == 0 &&
         llvm::all_of(
             linalgOp.getBlock()->without_terminator(),
             [](Operation &inner) { return isa<CastOpInterface>(inner); });
}

std::optional<ProductLoops>
formwork::transforms::getProductLoops(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty() ||
      op->getNumResults() != 1 ||
      op.getNumLoops() != dims->batch.size() + dims->m.size() + dims->n.size() +
                              dims->k.size() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return std::nullopt;
  AffineMap result = op.getIndexingMapsArray().back();
  auto getPlace = [&](unsigned loop) {
    return *result.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  };
  auto getInnermost = [&](ArrayRef<unsigned> loops) {
    return *llvm::max_element(loops, [&](unsigned a, unsigned b) {
      return getPlace(a) < getPlace(b);
    });
  };
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  ProductLoops loops;
  loops.rows = getInnermost(dims->m);
  loops.columns = getInnermost(dims->n);
  loops.steps = *llvm::max_element(
      dims->k, [&](unsigned a, unsigned b) { return extents[a] < extents[b]; });
  llvm::append_range(loops.single, dims->batch);
  for (ArrayRef<unsigned> all :
       {ArrayRef<unsigned>(dims->m), ArrayRef<unsigned>(dims->n)})
    for (unsigned loop : all)
      if (loop != loops.rows && loop != loops.columns)
        loops.single.push_back(loop);
  for (unsigned loop : dims->k)
    if (loop != loops.steps)
      loops.singleSteps.push_back(loop);
  loops.isSplit =
      dims->m.size() > 1 || dims->n.size() > 1 || dims->k.size() > 1;
  unsigned first = std::min(getPlace(loops.rows), getPlace(loops.columns));
  if (loops.isSplit && llvm::any_of(loops.single, [&](unsigned loop) {
        return getPlace(loop) > first;
      }))
    return std::nullopt;
  return loops;
}

/// Whether `sum` of results of `product` is a sum of products.
static bool isSumOfProducts(Operation *product, Operation *sum) {
  return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) ||
         (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
}

static SmallVector<linalg::LinalgOp> findProducts(ModuleOp payload) {
  SmallVector<linalg::LinalgOp> products;
  payload.walk([&](linalg::LinalgOp op) {
    if (op.getNumDpsInputs() == 2 && op->getNumResults() == 1 &&
        op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics() &&
        linalg::detail::isContractionBody(*op.getBlock(), isSumOfProducts) &&
        succeeded(linalg::inferContractionDims(op)))
      products.push_back(op);
  });
  return products;
}

void formwork::transforms::generalizeProducts(ModuleOp payload) {
  IRRewriter rewriter(payload.getContext());
  for (linalg::LinalgOp op : findProducts(payload))
    if (!isa<linalg::GenericOp>(op) &&
        llvm::any_of(op.getDpsInputs(), [](Value input) {
          return onlyMoves(input.getDefiningOp());
        })) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
}

/// Whether `operand` is a view of a result with collapsed loops, which its
/// elementwise reader can have, too.
static bool isReadElementwise(OpOperand *operand) {
  auto reader = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return reader && reader.getNumReductionLoops() == 0 &&
         operand->get().hasOneUse() &&
         operand->get().getDefiningOp<tensor::ExpandShapeOp>();
}

void formwork::transforms::collapseProducts(ModuleOp payload) {
  MLIRContext *context = payload.getContext();
  IRRewriter rewriter(context);
  bool isChanged = false;
  for (linalg::LinalgOp op : findProducts(payload)) {
    linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
    SmallVector<ReassociationIndices> together;
    for (ArrayRef<unsigned> loops :
         {ArrayRef<unsigned>(dims.m), ArrayRef<unsigned>(dims.n),
          ArrayRef<unsigned>(dims.k)}) {
      ReassociationIndices group(loops.begin(), loops.end());
      if (group.size() > 1 &&
          linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), group))
        together.push_back(std::move(group));
    }
    if (together.empty())
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> collapsed =
        linalg::collapseOpIterationDims(op, together, rewriter);
    if (failed(collapsed))
      continue;
    rewriter.replaceOp(op, collapsed->results);
    isChanged = true;
  }
  if (!isChanged)
    return;
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns,
                                                     isReadElementwise);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyPatternsGreedily(payload, std::move(patterns));
}

void formwork::transforms::turnProducts(ModuleOp payload) {
  for (linalg::LinalgOp op : findProducts(payload)) {
    Value result = op->getResult(0);
    auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    if (!fill || !result.hasOneUse())
      continue;
    OpOperand &use = *result.getUses().begin();
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || reader.getNumReductionLoops() != 0 ||
        !reader.isDpsInput(&use))
      continue;
    AffineMap order = reader.getMatchingIndexingMap(&use);
    if (!order.isPermutation() || order.isIdentity())
      continue;
    IRRewriter rewriter(op);
    FailureOr<linalg::GenericOp> generic =
        isa<linalg::GenericOp>(op) ? cast<linalg::GenericOp>(op)
                                   : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      continue;
    // Dimension i of the result is loop order(i) of the reader.
    auto old = cast<RankedTensorType>(generic->getResult(0).getType());
    SmallVector<AffineMap> maps = generic->getIndexingMapsArray();
    SmallVector<int64_t> shape(old.getRank());
    SmallVector<AffineExpr> place(old.getRank());
    for (int64_t dim = 0; dim < old.getRank(); ++dim) {
      shape[order.getDimPosition(dim)] = old.getDimSize(dim);
      place[order.getDimPosition(dim)] = maps.back().getResult(dim);
    }
    maps.back() = AffineMap::get(maps.back().getNumDims(), 0, place,
                                 rewriter.getContext());
    rewriter.setInsertionPoint(*generic);
    Location loc = generic->getLoc();
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, shape, old.getElementType());
    Value zeros = linalg::FillOp::create(rewriter, fill.getLoc(),
                                         fill.getInputs()[0], empty)
                      .getResult(0);
    auto turned = linalg::GenericOp::create(
        rewriter, loc, zeros.getType(), generic->getDpsInputs(), zeros, maps,
        generic->getIteratorTypesArray());
    turned.getRegion().takeBody(generic->getRegion());
    use.set(turned.getResult(0));
    SmallVector<AffineMap> readerMaps = reader.getIndexingMapsArray();
    readerMaps[use.getOperandNumber()] =
        rewriter.getMultiDimIdentityMap(old.getRank());
    reader.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(readerMaps));
    rewriter.eraseOp(*generic);
    if (fill->use_empty())
      rewriter.eraseOp(fill);
  }
}

/// The type to which the body of `op` extends each element of its input
/// `number`; null where it uses them otherwise.
static Type getExtendedType(linalg::LinalgOp op, unsigned number) {
  Type type;
  for (Operation *user : op.getBlock()->getArgument(number).getUsers()) {
    if (!isa<arith::ExtFOp>(user) ||
        (type && type != user->getResult(0).getType()))
      return nullptr;
    type = user->getResult(0).getType();
  }
  return type;
}

/// The elements of `value` as numbers of `type`.
static Value createExtension(OpBuilder &builder, Location loc, Value value,
                             Type type) {
  return mapElements(
      builder, loc, value, type,
      [&](OpBuilder &inner, Location at, Value element) -> Value {
        return arith::ExtFOp::create(inner, at, type, element);
      });
}

void formwork::transforms::widenMixedProducts(ModuleOp payload) {
  IRRewriter rewriter(payload.getContext());
  for (linalg::LinalgOp op : findProducts(payload)) {
    if (op.getBlock()->getArgument(0).getType() ==
        op.getBlock()->getArgument(1).getType())
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        isa<linalg::GenericOp>(op) ? cast<linalg::GenericOp>(op)
                                   : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      continue;
    rewriter.setInsertionPoint(*generic);
    for (OpOperand *input : generic->getDpsInputOperands()) {
      unsigned number = input->getOperandNumber();
      Type type = getExtendedType(*generic, number);
      if (!type)
        continue;
      input->set(
          createExtension(rewriter, generic->getLoc(), input->get(), type));
      BlockArgument argument = generic->getBody()->getArgument(number);
      argument.setType(type);
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
        rewriter.replaceOp(user, argument);
    }
  }
}
