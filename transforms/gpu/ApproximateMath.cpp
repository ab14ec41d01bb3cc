//===- ApproximateMath.cpp - Fast functions instead of exact ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/ApproximateMath.h"

#include "engine/Diagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

namespace {
struct ApproximateKind {
  Approximate function;
  StringLiteral operation;
  StringLiteral error;
};
} // namespace

static constexpr ApproximateKind approximateKinds[] = {
    {Approximate::Exp, "math.exp",
     "2 + |1.173 x| ulp, |a| + |b| more for a difference x = a - b, and 0 for "
     "results below 2^-126"},
    {Approximate::Division, "arith.divf",
     "2 ulp for divisors between 2^-126 and 2^126, and 0 for larger ones"},
    // The exact form is a division by a root: both are approximate then.
    {Approximate::Rsqrt, "math.rsqrt", "2^-22.9, relative"},
    {Approximate::Rsqrt, "math.sqrt", "2^-23, relative"}};

/// match:  exp(a - broadcast(b)), maybe with a = s * c for a constant c
/// result: exp2(fma(s, c * log2(e), min(b * -log2(e), largest)))
///
/// One instruction for each element before the one of exp2, instead of three.
/// The least keeps a row whose largest element is the lowest number from
/// becoming NaN. None for what is no such difference.
static Value scaleDifference(OpBuilder &builder, math::ExpOp exp) {
  auto difference = exp.getOperand().getDefiningOp<arith::SubFOp>();
  auto broadcast =
      difference ? difference.getRhs().getDefiningOp<vector::BroadcastOp>()
                 : vector::BroadcastOp();
  if (!broadcast || !broadcast.getSource().getType().isF32())
    return {};
  Location loc = exp.getLoc();
  auto type = cast<VectorType>(exp.getType());
  Value a = difference.getLhs();
  double factor = llvm::numbers::log2e;
  if (auto product = a.getDefiningOp<arith::MulFOp>())
    for (auto [of, by] : {std::pair(product.getLhs(), product.getRhs()),
                          std::pair(product.getRhs(), product.getLhs())}) {
      APFloat number(0.0f);
      if (!matchPattern(by, m_ConstantFloat(&number)) || !number.isFinite())
        continue;
      a = of;
      factor *= number.convertToFloat();
      break;
    }
  auto getNumber = [&](Type type, const APFloat &number) {
    return createScalarOrSplatConstant(builder, loc, type, number);
  };
  Type single = builder.getF32Type();
  Value moved = arith::MulFOp::create(
      builder, loc, broadcast.getSource(),
      getNumber(single, APFloat(static_cast<float>(-llvm::numbers::log2e))));
  moved = arith::MinNumFOp::create(
      builder, loc, moved,
      getNumber(single, APFloat::getLargest(APFloat::IEEEsingle())));
  Value factors = getNumber(type, APFloat(static_cast<float>(factor)));
  return math::FmaOp::create(
      builder, loc, a, factors,
      vector::BroadcastOp::create(builder, loc, type, moved));
}

/// Replaces `exp` by the instruction for powers of two, which takes results
/// that are no normal numbers for zero.
static void expandExp(math::ExpOp exp) {
  OpBuilder builder(exp);
  Location loc = exp.getLoc();
  auto type = dyn_cast<VectorType>(exp.getType());
  if (type && type.getRank() != 1)
    return;
  Value scaled = scaleDifference(builder, exp);
  if (!scaled)
    scaled = arith::MulFOp::create(
        builder, loc, exp.getOperand(),
        createScalarOrSplatConstant(
            builder, loc, exp.getType(),
            APFloat(static_cast<float>(llvm::numbers::log2e))));
  auto raise = [&](Value element) -> Value {
    return LLVM::CallIntrinsicOp::create(
               builder, loc, builder.getF32Type(),
               builder.getStringAttr("llvm.nvvm.ex2.approx.ftz.f"),
               ValueRange(element))
        .getResult(0);
  };
  Value power;
  if (type) {
    SmallVector<Value> elements;
    for (int64_t i = 0; i != type.getNumElements(); ++i)
      elements.push_back(
          raise(vector::ExtractOp::create(builder, loc, scaled, i)));
    power = vector::FromElementsOp::create(builder, loc, type, elements);
  } else {
    power = raise(scaled);
  }
  exp.replaceAllUsesWith(power);
  exp.erase();
}

/// match:  arith.addf (arith.mulf %a, %b), %c
/// result: math.fma %a, %b, %c
/// when:   the product is of f32 and has no other use
///
/// A difference is the sum of the negative of one of them. Returns whether it
/// applies.
static bool fuseProduct(Operation *sum) {
  for (unsigned number : {0u, 1u}) {
    auto product = sum->getOperand(number).getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse())
      continue;
    OpBuilder builder(sum);
    Location loc = sum->getLoc();
    Value a = product.getLhs(), c = sum->getOperand(1 - number);
    if (isa<arith::SubFOp>(sum)) {
      Value &negative = number == 0 ? c : a;
      negative = arith::NegFOp::create(builder, loc, negative);
    }
    Value fused = math::FmaOp::create(builder, loc, a, product.getRhs(), c);
    sum->getResult(0).replaceAllUsesWith(fused);
    sum->erase();
    product->erase();
    return true;
  }
  return false;
}

/// Remarks on what was done at `places`, with an error of at most `error`.
static void report(ArrayRef<Location> places, const Twine &what,
                   StringRef error) {
  if (!places.empty())
    (void)emitFinding(engine::Finding(
        places.front(), "fw-approximates",
        what + llvm::formatv(" in {0} place{1} of the kernels, with an error "
                             "of at most {2}",
                             places.size(), places.size() == 1 ? "" : "s",
                             error),
        DiagnosticSeverity::Remark));
}

static void fuseProducts(ModuleOp outlined) {
  SmallVector<Operation *> sums;
  outlined.walk([&](Operation *op) {
    if (isa<arith::AddFOp, arith::SubFOp>(op) &&
        op->getParentOfType<gpu::GPUFuncOp>() &&
        getElementTypeOrSelf(op->getResult(0).getType()).isF32())
      sums.push_back(op);
  });
  SmallVector<Location> places;
  for (Operation *sum : sums)
    if (Location loc = sum->getLoc(); fuseProduct(sum))
      places.push_back(loc);
  report(places, "rounds a sum and its product once", "1/2 ulp");
}

void formwork::transforms::approximateMath(ModuleOp outlined,
                                           ApproximateSet functions) {
  for (const ApproximateKind &kind : approximateKinds) {
    if ((functions & (1u << static_cast<unsigned>(kind.function))) == 0)
      continue;
    SmallVector<Location> places;
    SmallVector<math::ExpOp> powers;
    outlined.walk([&](Operation *op) {
      if (op->getName().getStringRef() != kind.operation ||
          !op->getParentOfType<gpu::GPUFuncOp>() ||
          !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        return;
      auto flags = cast<arith::ArithFastMathInterface>(op);
      op->setAttr(
          flags.getFastMathAttrName(),
          arith::FastMathFlagsAttr::get(
              op->getContext(), flags.getFastMathFlagsAttr().getValue() |
                                    arith::FastMathFlags::afn));
      places.push_back(op->getLoc());
      if (auto exp = dyn_cast<math::ExpOp>(op))
        powers.push_back(exp);
    });
    for (math::ExpOp exp : powers)
      expandExp(exp);
    report(places, "approximates '" + kind.operation + "'", kind.error);
  }
  // Behind the powers, which look for the difference that they are of.
  if ((functions & (1u << static_cast<unsigned>(Approximate::Fma))) != 0)
    fuseProducts(outlined);
}
