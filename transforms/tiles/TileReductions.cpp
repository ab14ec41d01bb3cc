//===- TileReductions.cpp - What a structured operation reduces -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/TileReductions.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork::transforms::tiles;
using vector::CombiningKind;

bool formwork::transforms::tiles::isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<affine::AffineApplyOp>(op) ||
         (OpTrait::hasElementwiseMappableTraits(op) &&
          op->getNumResults() == 1 && isPure(op));
}

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// Whether `op` extends a factor.
static bool isExtension(Operation *op) {
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// The argument of a body that is `value`, or that `value` extends.
static BlockArgument getFactor(Value value) {
  if (isExtension(value.getDefiningOp()) && value.hasOneUse())
    value = value.getDefiningOp()->getOperand(0);
  return dyn_cast<BlockArgument>(value);
}

std::optional<Product>
formwork::transforms::tiles::matchProduct(linalg::LinalgOp op) {
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
    return isExtension(factor.getDefiningOp());
  });
  size_t numOfZeros = llvm::count_if(mul->getOperands(), [](Value factor) {
    return factor.getDefiningOp<arith::ExtUIOp>() != nullptr;
  });
  if (body->getOperations().size() != 3 + numExtensions ||
      (numOfZeros != 0 && numOfZeros != numExtensions))
    return std::nullopt;
  return Product{lhs, rhs, numOfZeros != 0};
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Reduction>>
formwork::transforms::tiles::matchReductions(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return std::nullopt;
  SmallVector<Reduction> reductions;
  for (unsigned result = 0; result != op.getNumDpsInits(); ++result) {
    SmallVector<Operation *> combiners;
    Value value = matchReduction(op.getRegionOutputArgs(), result, combiners);
    // The value must not depend on another result.
    if (!value || combiners.size() != 1 ||
        !op.getRegionOutputArgs()[result].hasOneUse() ||
        !combiners.front()->hasOneUse())
      return std::nullopt;
    std::optional<CombiningKind> kind =
        linalg::getCombinerOpKind(combiners.front());
    if (!kind)
      return std::nullopt;
    reductions.push_back({combiners.front(), value, *kind});
  }
  return reductions;
}

/// The kind of the reduction that `value PREDICATE best` decides, and whether
/// an equal value replaces an earlier one; none for another comparison.
static std::optional<std::pair<CombiningKind, bool>>
getKind(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OGT:
    return std::pair(CombiningKind::MAXNUMF, false);
  case arith::CmpFPredicate::OGE:
    return std::pair(CombiningKind::MAXNUMF, true);
  case arith::CmpFPredicate::OLT:
    return std::pair(CombiningKind::MINNUMF, false);
  case arith::CmpFPredicate::OLE:
    return std::pair(CombiningKind::MINNUMF, true);
  default:
    return std::nullopt;
  }
}

static std::optional<std::pair<CombiningKind, bool>>
getKind(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::sgt:
    return std::pair(CombiningKind::MAXSI, false);
  case arith::CmpIPredicate::sge:
    return std::pair(CombiningKind::MAXSI, true);
  case arith::CmpIPredicate::ugt:
    return std::pair(CombiningKind::MAXUI, false);
  case arith::CmpIPredicate::uge:
    return std::pair(CombiningKind::MAXUI, true);
  case arith::CmpIPredicate::slt:
    return std::pair(CombiningKind::MINSI, false);
  case arith::CmpIPredicate::sle:
    return std::pair(CombiningKind::MINSI, true);
  case arith::CmpIPredicate::ult:
    return std::pair(CombiningKind::MINUI, false);
  case arith::CmpIPredicate::ule:
    return std::pair(CombiningKind::MINUI, true);
  default:
    return std::nullopt;
  }
}

/// Whether `value` is computed in the body of `op` from the index of `loop`
/// alone, and from values outside.
static bool isFromIndex(linalg::LinalgOp op, Value value, unsigned loop) {
  if (value.getParentBlock() != op.getBlock())
    return true;
  Operation *defining = value.getDefiningOp();
  if (!defining)
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(defining))
    return index.getDim() == loop;
  return isElementwise(defining) &&
         llvm::all_of(defining->getOperands(), [&](Value operand) {
           return isFromIndex(op, operand, loop);
         });
}

/// The kind of `op`, if it combines `value` and `best` by a maximum or minimum
/// of the same direction as `kind`.
static std::optional<CombiningKind>
getSameDirection(Operation *op, Value value, Value best, CombiningKind kind) {
  std::optional<CombiningKind> own = linalg::getCombinerOpKind(op);
  bool combines = own && op->getNumOperands() == 2 &&
                  ((op->getOperand(0) == value && op->getOperand(1) == best) ||
                   (op->getOperand(1) == value && op->getOperand(0) == best));
  if (!combines)
    return std::nullopt;
  bool isSame =
      *own == kind ||
      (kind == CombiningKind::MAXNUMF && *own == CombiningKind::MAXIMUMF) ||
      (kind == CombiningKind::MINNUMF && *own == CombiningKind::MINIMUMF);
  return isSame ? own : std::nullopt;
}

static std::optional<Extreme> matchExtreme(linalg::LinalgOp op, unsigned loop,
                                           unsigned valueResult) {
  unsigned placeResult = 1 - valueResult;
  Operation *yield = op.getBlock()->getTerminator();
  BlockArgument best = op.getRegionOutputArgs()[valueResult],
                at = op.getRegionOutputArgs()[placeResult];
  auto choosePlace =
      yield->getOperand(placeResult).getDefiningOp<arith::SelectOp>();
  Operation *chooseValue = yield->getOperand(valueResult).getDefiningOp();
  if (!choosePlace || !chooseValue || choosePlace.getFalseValue() != at)
    return std::nullopt;
  Operation *compare = choosePlace.getCondition().getDefiningOp();
  if (!isa_and_nonnull<arith::CmpFOp, arith::CmpIOp>(compare))
    return std::nullopt;
  Value value = compare->getOperand(0);
  if (compare->getOperand(1) != best)
    return std::nullopt;
  auto found = isa<arith::CmpFOp>(compare)
                   ? getKind(cast<arith::CmpFOp>(compare).getPredicate())
                   : getKind(cast<arith::CmpIOp>(compare).getPredicate());
  if (!found)
    return std::nullopt;
  CombiningKind kind = found->first;
  if (auto select = dyn_cast<arith::SelectOp>(chooseValue)) {
    if (select.getCondition() != choosePlace.getCondition() ||
        select.getTrueValue() != value || select.getFalseValue() != best)
      return std::nullopt;
  } else if (auto own = getSameDirection(chooseValue, value, best, kind)) {
    kind = *own;
  } else {
    return std::nullopt;
  }
  auto isUsedBy = [](Value used, std::initializer_list<Operation *> users) {
    return llvm::all_of(used.getUsers(), [&](Operation *user) {
      return llvm::is_contained(users, user);
    });
  };
  if (!isUsedBy(best, {compare, chooseValue}) || !isUsedBy(at, {choosePlace}) ||
      !isUsedBy(compare->getResult(0), {chooseValue, choosePlace}) ||
      !isUsedBy(chooseValue->getResult(0), {yield}) ||
      !isUsedBy(choosePlace.getResult(), {yield}) ||
      !isFromIndex(op, choosePlace.getTrueValue(), loop))
    return std::nullopt;
  return Extreme{compare,
                 chooseValue,
                 choosePlace,
                 value,
                 choosePlace.getTrueValue(),
                 valueResult,
                 placeResult,
                 kind,
                 found->second};
}

std::optional<Extreme>
formwork::transforms::tiles::matchExtreme(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 2 || op.getNumReductionLoops() != 1)
    return std::nullopt;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  unsigned loop =
      llvm::find(types, utils::IteratorType::reduction) - types.begin();
  if (std::optional<Extreme> extreme = ::matchExtreme(op, loop, 0))
    return extreme;
  return ::matchExtreme(op, loop, 1);
}

//===----------------------------------------------------------------------===//
// Neutral elements
//===----------------------------------------------------------------------===//

TypedAttr formwork::transforms::tiles::getNeutral(CombiningKind kind,
                                                  Type type) {
  Builder builder(type.getContext());
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    auto get = [&](const APFloat &value) {
      return builder.getFloatAttr(type, value);
    };
    switch (kind) {
    case CombiningKind::MUL:
      return get(APFloat::getOne(semantics));
    // MINNUMF and MAXNUMF ignore a NaN. MINIMUMF and MAXIMUMF return NaN if any
    // element is NaN.
    case CombiningKind::MINNUMF:
    case CombiningKind::MAXNUMF:
      return get(APFloat::getQNaN(semantics));
    case CombiningKind::MINIMUMF:
      return get(APFloat::getInf(semantics));
    case CombiningKind::MAXIMUMF:
      return get(APFloat::getInf(semantics, /*Negative=*/true));
    default:
      return get(APFloat::getZero(semantics, /*Negative=*/true));
    }
  }
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto get = [&](const APInt &value) {
    return builder.getIntegerAttr(type, value);
  };
  switch (kind) {
  case CombiningKind::MUL:
    return get(APInt(bits, 1));
  case CombiningKind::AND:
  case CombiningKind::MINUI:
    return get(APInt::getAllOnes(bits));
  case CombiningKind::MINSI:
    return get(APInt::getSignedMaxValue(bits));
  case CombiningKind::MAXSI:
    return get(APInt::getSignedMinValue(bits));
  default:
    return get(APInt::getZero(bits));
  }
}
