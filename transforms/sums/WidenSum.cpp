//===- WidenSum.cpp - Sums of narrow numbers, made in f32 -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/sums/WidenSum.h"

#include "engine/Check.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork::transforms::sums;

static bool isNarrow(Type type) {
  return isa<Float16Type, BFloat16Type>(getElementTypeOrSelf(type));
}

/// The addition by which the body of `op` makes result number `number`; null if
/// the result is no sum.
static arith::AddFOp findSum(linalg::LinalgOp op, unsigned number) {
  BlockArgument acc = op.getRegionOutputArgs()[number];
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  auto sum = yielded.getDefiningOp<arith::AddFOp>();
  // With one use each, no term can depend on the sum so far.
  bool isSum = sum && sum->hasOneUse() && acc.hasOneUse() &&
               *acc.getUsers().begin() == sum;
  return isSum ? sum : nullptr;
}

arith::AddFOp formwork::transforms::sums::findNarrowSum(linalg::LinalgOp op,
                                                        unsigned number) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      !isNarrow(op->getResult(number).getType()))
    return nullptr;
  return findSum(op, number);
}

std::optional<std::string>
formwork::transforms::sums::checkNarrowSum(Operation *op) {
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics())
    return "requires a structured operation on tensors but " + name +
           " is none";
  if (structured.getNumReductionLoops() == 0)
    return "requires a sum but " + name + " has no reduction loop";
  std::string wide;
  for (unsigned number = 0; number != op->getNumResults(); ++number) {
    if (!findSum(structured, number))
      continue;
    Type type = getElementTypeOrSelf(op->getResult(number).getType());
    if (isNarrow(type))
      return std::nullopt;
    llvm::raw_string_ostream(wide) << type;
  }
  if (wide.empty())
    return "requires a sum of floating-point numbers whose terms do not read "
           "it but " +
           name + " makes none";
  return "requires a sum of f16 or bf16 but " + name + " makes one of " + wide;
}

/// Casts each element of `source` by a `CastOp`, into `dest`.
template <typename CastOp>
static linalg::GenericOp castElements(RewriterBase &rewriter, Location loc,
                                      Value source, Value dest) {
  auto type = cast<RankedTensorType>(dest.getType());
  SmallVector<AffineMap> maps(2,
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      rewriter, loc, type, source, dest, maps, iterators,
      [&](OpBuilder &builder, Location at, ValueRange arguments) {
        linalg::YieldOp::create(builder, at,
                                CastOp::create(builder, at,
                                               type.getElementType(),
                                               arguments.front())
                                    .getResult());
      });
}

/// The values of `init` as numbers of type `wide`.
static Value extendInit(RewriterBase &rewriter, Location loc, Value init,
                        FloatType wide) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  Value like = fill ? fill.getDpsInits().front() : init;
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, like), wide);
  if (!fill)
    return castElements<arith::ExtFOp>(rewriter, loc, init, empty)
        ->getResult(0);
  Value scalar =
      rewriter.createOrFold<arith::ExtFOp>(loc, wide, fill.getInputs().front());
  return linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
}

/// Lets the body of `op` make result number `number` by an addition of `wide`.
static void widenBody(RewriterBase &rewriter, linalg::GenericOp op,
                      unsigned number, FloatType wide) {
  arith::AddFOp sum = findSum(op, number);
  BlockArgument acc = op.getRegionOutputArgs()[number];
  Location loc = sum.getLoc();
  rewriter.setInsertionPoint(sum);
  auto extend = [&](Value value) -> Value {
    return arith::ExtFOp::create(rewriter, loc, wide, value);
  };
  Value term = sum.getLhs() == acc ? sum.getRhs() : sum.getLhs();
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (product)
    term = arith::MulFOp::create(rewriter, loc, extend(product.getLhs()),
                                 extend(product.getRhs()),
                                 product.getFastmathAttr());
  else
    term = extend(term);
  acc.setType(wide);
  Value wideSum =
      arith::AddFOp::create(rewriter, loc, acc, term, sum.getFastmathAttr());
  op.getBody()->getTerminator()->setOperand(number, wideSum);
  rewriter.eraseOp(sum);
  if (product && product->use_empty())
    rewriter.eraseOp(product);
}

WidenedSum formwork::transforms::sums::widenSum(RewriterBase &rewriter,
                                                linalg::LinalgOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    FW_CHECK(succeeded(made), "a sum has a body");
    generic = *made;
  }
  Location loc = generic.getLoc();
  FloatType wide = rewriter.getF32Type();
  WidenedSum widened{generic, {}};
  for (unsigned number = 0; number != generic->getNumResults(); ++number) {
    OpResult result = generic->getResult(number);
    if (!findNarrowSum(generic, number))
      continue;
    rewriter.setInsertionPoint(generic);
    Value init = generic.getDpsInits()[number];
    Value wideInit = extendInit(rewriter, loc, init, wide);
    rewriter.modifyOpInPlace(generic, [&] {
      widenBody(rewriter, generic, number, wide);
      generic.getDpsInitsMutable()[number].set(wideInit);
      result.setType(cast<RankedTensorType>(wideInit.getType()));
    });
    rewriter.setInsertionPointAfter(generic);
    linalg::GenericOp rounding =
        castElements<arith::TruncFOp>(rewriter, loc, result, init);
    rewriter.replaceAllUsesExcept(result, rounding.getResult(0), rounding);
    widened.roundings.push_back(rounding);
  }
  return widened;
}
