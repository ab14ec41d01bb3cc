//===- ExpandMath.cpp - Functions that libdevice does not have ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of `math` for which the conversion of kernels has no function of
// libdevice become arithmetic or intrinsics of LLVM. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUEXPANDMATH
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

/// `number` in each element of `type`.
static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            int64_t number) {
  TypedAttr value = builder.getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = SplatElementsAttr::get(shaped, value);
  return arith::ConstantOp::create(builder, loc, value);
}

/// `type` with elements of type `element`.
static Type changeElement(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

/// match:  math.absi %x
/// result: max(%x, 0 - %x)
static LogicalResult expandAbs(math::AbsIOp op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value zero = createConstant(rewriter, loc, op.getType(), 0);
  Value negative = arith::SubIOp::create(rewriter, loc, zero, op.getOperand());
  rewriter.replaceOpWithNewOp<arith::MaxSIOp>(op, op.getOperand(), negative);
  return success();
}

/// Computes `make` of `value` and returns it as a value of the same type. An
/// index is counted as 64 bits.
static Value onBits(OpBuilder &builder, Location loc, Value value,
                    llvm::function_ref<Value(Value)> make) {
  Type type = value.getType();
  if (!getElementTypeOrSelf(type).isIndex())
    return make(value);
  Type bits = changeElement(type, builder.getI64Type());
  Value made = make(arith::IndexCastOp::create(builder, loc, bits, value));
  return arith::IndexCastOp::create(builder, loc, type, made);
}

/// match:  math.ctlz %x, math.cttz %x
/// result: the intrinsic, which is the width of the type for 0
template <typename MathOp, typename IntrinsicOp>
static LogicalResult expandZeros(MathOp op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  rewriter.replaceOp(
      op, onBits(rewriter, loc, op.getOperand(), [&](Value bits) -> Value {
        return IntrinsicOp::create(rewriter, loc, bits.getType(), bits,
                                   /*is_zero_poison=*/false);
      }));
  return success();
}

/// match:  math.ctpop %x
/// result: the intrinsic
static LogicalResult expandPopulation(math::CtPopOp op,
                                      PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  rewriter.replaceOp(
      op, onBits(rewriter, loc, op.getOperand(), [&](Value bits) -> Value {
        return LLVM::CtPopOp::create(rewriter, loc, bits.getType(), bits);
      }));
  return success();
}

/// match:  math.trunc %x
/// result: the intrinsic; of bf16, that of f32, which is exact
static LogicalResult expandTruncation(math::TruncOp op,
                                      PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Type type = op.getType();
  if (!getElementTypeOrSelf(type).isBF16()) {
    rewriter.replaceOpWithNewOp<LLVM::FTruncOp>(op, type, op.getOperand());
    return success();
  }
  Type wide = changeElement(type, rewriter.getF32Type());
  Value extended = arith::ExtFOp::create(rewriter, loc, wide, op.getOperand());
  Value whole = LLVM::FTruncOp::create(rewriter, loc, wide, extended);
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, whole);
  return success();
}

/// match:  math.ipowi %base, %exponent
/// result: for each bit of the exponent: a factor, the square of the last one,
///         or 1. For a negative exponent: 1 / %base, which is 1, -1 or 0, to
///         its magnitude.
static LogicalResult expandPower(math::IPowIOp op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Type type = op.getType();
  unsigned width = getElementTypeOrSelf(type).isIndex()
                       ? 64
                       : getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto constant = [&](int64_t number) {
    return createConstant(rewriter, loc, type, number);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(rewriter, loc, predicate, a, b);
  };
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(rewriter, loc, condition, a, b);
  };
  Value zero = constant(0), one = constant(1), minusOne = constant(-1);
  Value base = op.getLhs(), exponent = op.getRhs();
  // Only 1 and -1 have an inverse that is not 0.
  Value isNegative = compare(arith::CmpIPredicate::slt, exponent, zero);
  Value isUnit = arith::OrIOp::create(
      rewriter, loc, compare(arith::CmpIPredicate::eq, base, one),
      compare(arith::CmpIPredicate::eq, base, minusOne));
  Value factor = select(isNegative, select(isUnit, base, zero), base);
  Value magnitude =
      select(isNegative, arith::SubIOp::create(rewriter, loc, zero, exponent),
             exponent);
  Value power = one;
  for (unsigned bit = 0; bit < width; ++bit) {
    Value shifted = arith::ShRUIOp::create(rewriter, loc, magnitude,
                                           constant(int64_t(bit)));
    Value isSet =
        compare(arith::CmpIPredicate::ne,
                arith::AndIOp::create(rewriter, loc, shifted, one), zero);
    Value next = arith::MulIOp::create(rewriter, loc, power, factor);
    power = select(isSet, next, power);
    if (bit + 1 < width)
      factor = arith::MulIOp::create(rewriter, loc, factor, factor);
  }
  rewriter.replaceOp(op, power);
  return success();
}

namespace {
struct ExpandMath : formwork::transforms::impl::GpuExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(expandAbs);
    patterns.add(
        expandZeros<math::CountLeadingZerosOp, LLVM::CountLeadingZerosOp>);
    patterns.add(
        expandZeros<math::CountTrailingZerosOp, LLVM::CountTrailingZerosOp>);
    patterns.add(expandPopulation);
    patterns.add(expandTruncation);
    patterns.add(expandPower);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
