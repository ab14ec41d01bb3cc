//===- SymbolicSizes.cpp - Sizes as terms over knobs ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/SymbolicSizes.h"

#include "verifier/solver/TermPrinter.h"

using namespace formwork;
using namespace formwork::verifier;
using solver::BoolTerm;
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

/// An extent that is a number where nothing is symbolic about it.
static Extent makeExtent(IntTerm term, StaticCondition condition) {
  Extent extent;
  if (condition.holds.isTrue() && term.isConstant()) {
    extent.size = term.getConstant();
    return extent;
  }
  extent.size = Size::symbolic(term);
  extent.condition = std::make_shared<StaticCondition>(std::move(condition));
  return extent;
}

SplitLoop formwork::verifier::splitSymbolicLoop(TermContext &context,
                                                const Extent &loop,
                                                const LoopSplit &split) {
  IntTerm zero = context.constant(0), one = context.constant(1);
  IntTerm given = *toTerm(context, split.given);
  BoolTerm isLeft =
      split.mayBeZero ? context.equal(given, zero) : context.truth(false);
  std::optional<IntTerm> whole = toTerm(context, loop.size);
  // Of a symbolic size without a condition it is not known when it is static.
  bool isWholeKnown = loop.size || loop.condition;
  BoolTerm isWholeStatic =
      loop.condition ? loop.condition->holds : context.truth(loop.size ? 1 : 0);

  StaticCondition condition{context.truth(true), split.op, split.dim, "", ""};
  condition.tiles = toInfix(given);
  if (loop.condition && !loop.condition->tiles.empty()) {
    condition.tiles = loop.condition->tiles + ", then " + condition.tiles;
    condition.whole = loop.condition->whole;
  } else if (whole) {
    condition.whole = toInfix(*whole);
  }

  SplitLoop result;
  if (split.isCount) {
    result.trips =
        makeExtent(context.select(isLeft, one, given),
                   {context.truth(true), split.op, split.dim, "", ""});
    if (whole && isWholeKnown && !split.mayBeZero) {
      condition.holds =
          context.logicalAnd(isWholeStatic, context.divides(given, *whole));
      condition.tiles = "the number of threads " + toInfix(given);
      result.tile = makeExtent(context.ceilDiv(*whole, given), condition);
    }
    return result;
  }

  BoolTerm isSingle = context.equal(given, one);
  if (!whole || !isWholeKnown) {
    // The tile is at most what is given; a single element is static whatever
    // the dimension is.
    if (split.mayBeZero)
      return result;
    result.tile.size = Size::symbolic(given);
    result.tile.reason = loop.reason;
    if (!loop.reason.definite)
      return result;
    condition.holds = isSingle;
    result.tile = makeExtent(given, condition);
    return result;
  }
  result.trips =
      makeExtent(context.select(isLeft, one, context.ceilDiv(*whole, given)),
                 loop.condition ? *loop.condition
                                : StaticCondition{context.truth(true), split.op,
                                                  split.dim, "", ""});
  condition.holds = context.choose(
      isLeft, isWholeStatic,
      context.logicalOr(
          isSingle,
          context.logicalAnd(isWholeStatic, context.divides(given, *whole))));
  result.tile = makeExtent(context.select(isLeft, *whole, given), condition);
  return result;
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
