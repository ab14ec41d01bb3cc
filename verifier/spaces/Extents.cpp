//===- Extents.cpp - Sizes of loops as terms --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Extents.h"

using namespace formwork::verifier;
using solver::IntTerm;
using solver::TermContext;

std::optional<IntTerm> formwork::verifier::toTerm(TermContext &context,
                                                  const Size &size) {
  if (size)
    return context.constant(*size);
  if (size.isSymbolic())
    return size.getTerm();
  return std::nullopt;
}

Extent formwork::verifier::makeExtent(IntTerm term, StaticCondition condition,
                                      const DynamicReason &otherwise) {
  Extent extent;
  if (condition.holds.isFalse()) {
    extent.reason = otherwise;
  } else if (condition.holds.isTrue() && term.isConstant()) {
    extent.size = term.getConstant();
  } else {
    extent.size = Size::symbolic(term);
    extent.condition = std::make_shared<StaticCondition>(std::move(condition));
  }
  return extent;
}

std::string
formwork::verifier::describeStatic(const StaticCondition &condition) {
  std::string given = condition.tiles;
  if (!llvm::StringRef(given).starts_with("the "))
    given = "the tile size " + given;
  if (condition.whole.empty())
    return given + " of dimension " + std::to_string(condition.dim) + " is 1";
  return given + " divides " + condition.whole + ", the size of dimension " +
         std::to_string(condition.dim);
}
