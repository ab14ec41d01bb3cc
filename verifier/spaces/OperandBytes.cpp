//===- OperandBytes.cpp - Bytes of what a loop nest reads -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies what an indexing map says of each dimension. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/OperandBytes.h"
#include "verifier/spaces/Extents.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// The value of `expr`, a sum of products with positive numbers, in the last
/// iteration of all loops; none for any other expression.
static std::optional<solver::IntTerm> getLast(solver::TermContext &terms,
                                              const IterationSpace &space,
                                              AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    std::optional<solver::IntTerm> size =
        toTerm(terms, space.loops[dim.getPosition()].size);
    if (!size)
      return std::nullopt;
    return terms.sub(*size, terms.constant(1));
  }
  auto number = dyn_cast<AffineConstantExpr>(expr);
  if (number && number.getValue() >= 0)
    return terms.constant(number.getValue());
  auto both = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!both || !llvm::is_contained({AffineExprKind::Add, AffineExprKind::Mul},
                                   both.getKind()))
    return std::nullopt;
  std::optional<solver::IntTerm> left = getLast(terms, space, both.getLHS()),
                                 right = getLast(terms, space, both.getRHS());
  if (!left || !right)
    return std::nullopt;
  return both.getKind() == AffineExprKind::Add ? terms.add(*left, *right)
                                               : terms.mul(*left, *right);
}

Size formwork::verifier::getTileBytes(solver::TermContext &terms,
                                      const IterationSpace &space,
                                      unsigned operand) {
  if (operand >= space.maps.size() || operand >= space.elementTypes.size() ||
      !space.elementTypes[operand].isIntOrFloat())
    return std::nullopt;
  solver::IntTerm bytes = terms.constant(
      llvm::divideCeil(space.elementTypes[operand].getIntOrFloatBitWidth(), 8));
  for (AffineExpr expr : space.maps[operand].getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      std::optional<solver::IntTerm> size =
          toTerm(terms, space.loops[dim.getPosition()].size);
      if (!size)
        return std::nullopt;
      bytes = terms.mul(bytes, *size);
      continue;
    }
    std::optional<solver::IntTerm> last = getLast(terms, space, expr);
    if (!last)
      return std::nullopt;
    bytes = terms.mul(bytes, terms.add(*last, terms.constant(1)));
  }
  return Size::of(bytes);
}
