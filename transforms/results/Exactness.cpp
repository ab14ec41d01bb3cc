//===- Exactness.cpp - Whether sums are exact in any order ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/Exactness.h"

#include "engine/AnyBelow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

static bool isIntegral(const APFloat &value) {
  // An infinity starts a maximum.
  return value.isInfinity() || (value.isFinite() && value.isInteger());
}

static bool hasIntegralValue(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return isIntegral(number.getValue());
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
    return isIntegral(splat.getSplatValue<APFloat>());
  if (auto dense = dyn_cast<DenseFPElementsAttr>(attribute))
    return llvm::all_of(dense.getValues<APFloat>(), isIntegral);
  return false;
}

static bool keepsIntegers(Operation *op) {
  bool touchesFloat = llvm::any_of(op->getResultTypes(), isFloat);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !touchesFloat || hasIntegralValue(constant.getValue());
  if (isa_and_present<arith::ArithDialect>(op->getDialect()))
    return !touchesFloat ||
           isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
               arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
               arith::MinNumFOp, arith::ExtFOp, arith::TruncFOp,
               arith::SIToFPOp, arith::UIToFPOp, arith::SelectOp>(op);
  if (isa_and_present<math::MathDialect>(op->getDialect()))
    return !touchesFloat || isa<math::FmaOp, math::AbsFOp>(op);
  // These say what they compute by their name.
  if (isa_and_present<linalg::LinalgDialect>(op->getDialect()))
    return op->getNumRegions() != 0 ||
           isa<linalg::YieldOp, linalg::IndexOp, linalg::PackOp,
               linalg::UnPackOp>(op);
  return true;
}

bool formwork::transforms::keepsIntegers(ModuleOp module, std::string *why) {
  return !engine::anyBelow(module, [&](Operation *op) {
    bool keeps = ::keepsIntegers(op);
    if (!keeps && why)
      *why = op->getName().getStringRef().str();
    return !keeps;
  });
}

void formwork::transforms::boundMagnitudes(ModuleOp module) {
  SmallVector<Operation *> all;
  module.walk([&](Operation *op) {
    if (isa<arith::SubFOp, arith::NegFOp, arith::MinimumFOp, arith::MinNumFOp,
            arith::ConstantOp>(op))
      all.push_back(op);
  });
  for (Operation *op : all) {
    OpBuilder builder(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      // The start of a minimum would hide all that comes.
      FloatAttr number = dyn_cast<FloatAttr>(constant.getValue());
      if (number)
        constant.setValueAttr(FloatAttr::get(
            number.getType(),
            number.getValue().isInfinity()
                ? APFloat::getZero(number.getValue().getSemantics())
                : abs(number.getValue())));
      continue;
    }
    Value result;
    Location loc = op->getLoc();
    if (isa<arith::SubFOp>(op))
      result = arith::AddFOp::create(builder, loc, op->getOperand(0),
                                     op->getOperand(1));
    else if (isa<arith::NegFOp>(op))
      result = op->getOperand(0);
    else
      result = arith::MaximumFOp::create(builder, loc, op->getOperand(0),
                                         op->getOperand(1));
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}

double formwork::transforms::getExactLimit(ModuleOp module) {
  unsigned precision = 1024;
  auto take = [&](Type type) {
    if (auto number = dyn_cast<FloatType>(getElementTypeOrSelf(type)))
      precision = std::min<unsigned>(precision, number.getFPMantissaWidth());
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), take);
    llvm::for_each(op->getOperandTypes(), take);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), take);
  });
  return precision == 1024 ? HUGE_VAL : std::ldexp(1.0, precision);
}

bool formwork::transforms::computesIndices(ModuleOp module) {
  return engine::anyBelow(module, [](Operation *op) {
    if (auto cast = dyn_cast<arith::IndexCastOp>(op))
      return cast.getType().isIndex() &&
             !matchPattern(cast.getIn(), m_Constant());
    return isa<arith::IndexCastUIOp>(op);
  });
}
