//===- ApproximateMath.cpp - Fast functions instead of exact ones *- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/ApproximateMath.h"

#include "engine/Diagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

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
    {Approximate::Exp, "math.exp", "2 + |1.173 x| ulp"},
    {Approximate::Division, "arith.divf",
     "2 ulp for divisors between 2^-126 and 2^126, and 0 for larger ones"},
    // The exact form is a division by a root: both are approximate then.
    {Approximate::Rsqrt, "math.rsqrt", "2^-22.9, relative"},
    {Approximate::Rsqrt, "math.sqrt", "2^-23, relative"}};

void formwork::transforms::approximateMath(ModuleOp outlined,
                                           ApproximateSet functions) {
  for (const ApproximateKind &kind : approximateKinds) {
    if ((functions & (1u << static_cast<unsigned>(kind.function))) == 0)
      continue;
    std::optional<Location> first;
    unsigned number = 0;
    outlined.walk([&](Operation *op) {
      if (op->getName().getStringRef() != kind.operation ||
          !op->getParentOfType<gpu::GPUFuncOp>() ||
          !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        return;
      auto flags = cast<arith::ArithFastMathInterface>(op);
      op->setAttr(flags.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(
                      op->getContext(), flags.getFastMathFlagsAttr().getValue() |
                                            arith::FastMathFlags::afn));
      if (number++ == 0)
        first = op->getLoc();
    });
    if (first)
      (void)emitFinding(engine::Finding(
          *first, "fw-approximates",
          llvm::formatv("approximates '{0}' in {1} place{2} of the kernels, with "
                        "an error of at most {3}",
                        kind.operation, number, number == 1 ? "" : "s",
                        kind.error)
              .str(),
          DiagnosticSeverity::Remark));
  }
}
