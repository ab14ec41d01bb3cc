//===- ConstantDivisions.cpp - Quotients by constants, exactly ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division of f32 is a call for operands of unusual magnitude, and what waits
// for it in registers may have to be spilled. By a constant, it is two
// operations of f64 with the same result. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"
#include "transforms/gpu/Reciprocal.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUCONSTANTDIVISIONS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

std::optional<Reciprocal>
formwork::transforms::getReciprocal(const APFloat &divisor) {
  if (!divisor.isFiniteNonZero() || divisor.getExactLog2Abs() != INT_MIN)
    return std::nullopt;
  bool loses = false;
  APFloat c = divisor, one(1.0);
  c.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  APFloat high = one;
  high.divide(c, APFloat::rmTowardZero);
  // 1 - high * c, which has as many bits as c at most.
  APFloat low = -high;
  low.fusedMultiplyAdd(c, one, APFloat::rmNearestTiesToEven);
  low.divide(c, APFloat::rmNearestTiesToEven);
  return Reciprocal{high, low};
}

static bool hasFastDoubles(gpu::GPUModuleOp kernels) {
  ArrayAttr targets = kernels.getTargetsAttr();
  return targets && !targets.empty() &&
         llvm::all_of(targets, [](Attribute attr) {
           auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr);
           const verifier::Target *known =
               target ? verifier::lookupTarget(target.getChip()) : nullptr;
           return known && known->hasFastDoubles;
         });
}

std::optional<Reciprocal>
formwork::transforms::getReciprocal(arith::DivFOp division) {
  APFloat divisor(0.0f);
  if (!getElementTypeOrSelf(division.getType()).isF32() ||
      !matchPattern(division.getRhs(), m_ConstantFloat(&divisor)) ||
      bitEnumContainsAny(division.getFastmath(),
                         arith::FastMathFlags::afn |
                             arith::FastMathFlags::arcp))
    return std::nullopt;
  return getReciprocal(divisor);
}

/// match:  arith.divf %x, %c
/// result: truncate(fma(x, high, x * low)), with x extended to f64 and
///         high + low the reciprocal of c
/// when:   c is one constant, and the quotient may not be approximated
static void divideByReciprocal(arith::DivFOp division) {
  std::optional<Reciprocal> reciprocal = getReciprocal(division);
  if (!reciprocal)
    return;
  OpBuilder builder(division);
  Location loc = division.getLoc();
  Type type = division.getType(), wide = builder.getF64Type();
  if (auto vector = dyn_cast<VectorType>(type))
    wide = vector.clone(wide);
  auto getConstant = [&](const APFloat &number) {
    return createScalarOrSplatConstant(builder, loc, wide, number);
  };
  Value x = arith::ExtFOp::create(builder, loc, wide, division.getLhs());
  Value rest =
      arith::MulFOp::create(builder, loc, x, getConstant(reciprocal->low));
  Value quotient = LLVM::FMAOp::create(builder, loc, wide, x,
                                       getConstant(reciprocal->high), rest);
  Value rounded = arith::TruncFOp::create(builder, loc, type, quotient);
  division.getResult().replaceAllUsesWith(rounded);
  division.erase();
}

namespace {
struct ConstantDivisions
    : formwork::transforms::impl::GpuConstantDivisionsBase<ConstantDivisions> {
  void runOnOperation() override {
    if (hasFastDoubles(getOperation()))
      getOperation().walk(divideByReciprocal);
  }
};
} // namespace
