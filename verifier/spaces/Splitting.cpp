//===- Splitting.cpp - A loop in two parts --------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Splitting.h"
#include "verifier/solver/TermPrinter.h"

using namespace formwork::verifier;
using solver::IntTerm;

std::optional<LoopParts>
formwork::verifier::splitAfter(solver::TermContext &terms, mlir::Operation *op,
                               unsigned dim, const Extent &loop,
                               const Size &chunk) {
  std::optional<IntTerm> first = toTerm(terms, chunk);
  std::optional<IntTerm> whole = toTerm(terms, loop.size);
  if (!first || !whole || (!loop.size && !loop.condition))
    return std::nullopt;
  StaticCondition condition{terms.truth(true), op, dim, "", ""};
  if (loop.condition) {
    condition = *loop.condition;
    condition.tiles += " (split after " + solver::toInfix(*first) + ")";
  }
  LoopParts parts{makeExtent(*first, condition, {}),
                  makeExtent(terms.sub(*whole, *first), condition, {}),
                  terms.less(terms.constant(0), *first),
                  terms.less(*first, *whole)};
  parts.first.isMixed = parts.rest.isMixed = loop.isMixed;
  return parts;
}
