//===- TileSizes.cpp - What steps require of sizes --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints on tile sizes and vector sizes. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/TileSizes.h"
#include "verifier/solver/TermPrinter.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

void formwork::verifier::keepWithinLoops(const Step &step, NodeId target,
                                         ArrayRef<Size> sizes) {
  const Node &node = step.payload[target];
  if (!node.space)
    return;
  solver::TermContext &terms = step.terms;
  bool definite = node.isSurelyThere();
  // Too many sizes are an error, behind which the check goes on.
  size_t number = std::min(sizes.size(), node.space->loops.size());
  for (size_t dim = 0; dim < number; ++dim) {
    const Size &size = sizes[dim];
    const Extent &loop = node.space->loops[dim];
    std::optional<IntTerm> tile = step.analysis.getTerm(size),
                           whole = step.analysis.getTerm(loop.size);
    if (!tile || !whole || size == 0)
      continue;
    // A number that is larger than the loop is a choice of the author.
    BoolTerm isWithin = terms.lessEqual(*tile, *whole);
    if (!isWithin.isFalse())
      step.require(step.op, "tile.within-extent", isWithin,
                   "the tile size " + solver::toInfix(*tile) + " is at most " +
                       solver::toInfix(*whole) + ", the size of dimension " +
                       Twine(dim) + " of '" + node.kind->getStringRef() + "'",
                   ConstraintKind::Canonical, definite);
  }
}

void formwork::verifier::requireTiledLoops(const Step &step,
                                           ArrayRef<Size> sizes,
                                           unsigned numMappings,
                                           bool definite) {
  solver::TermContext &terms = step.terms;
  IntTerm zero = terms.constant(0);
  SmallVector<BoolTerm> areTiled;
  SmallVector<IntTerm> ones;
  unsigned numTiled = 0;
  for (const Size &size : sizes) {
    std::optional<IntTerm> term = step.analysis.getTerm(size);
    if (!term)
      return;
    areTiled.push_back(terms.notEqual(*term, zero));
    ones.push_back(terms.select(areTiled.back(), terms.constant(1), zero));
    numTiled += size != 0;
  }
  if (numMappings == 0) {
    step.require(step.op, "tile.some-dimension", terms.anyOf(areTiled),
                 "some tile size of the forall is not 0",
                 ConstraintKind::Required, definite);
    return;
  }
  if (numMappings != numTiled) {
    step.require(step.op, "tile.mapped",
                 terms.equal(terms.sum(ones), terms.constant(numMappings)),
                 "as many tile sizes are not 0 as there are mappings",
                 ConstraintKind::Required, definite);
    return;
  }
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size.isSymbolic() && step.analysis.mayBeZero(size))
      step.require(step.op, "tile.mapped", areTiled[dim],
                   "the tile size " + solver::toInfix(size.getTerm()) +
                       " of dimension " + Twine(dim) +
                       " is not 0, because the loop is mapped",
                   ConstraintKind::Required, definite);
}

void formwork::verifier::requireLoopOrder(const Step &step, NodeId target,
                                          ArrayRef<int64_t> interchange) {
  const Node &node = step.payload[target];
  if (!node.space)
    return;
  int64_t numLoops = node.space->loops.size();
  if (llvm::all_of(interchange.take_front(numLoops),
                   [&](int64_t loop) { return loop < numLoops; }))
    return;
  // Upstream reads behind the loops, and what it finds there decides.
  step.report("fw-bad-interchange",
              "requires an interchange of the " + Twine(numLoops) +
                  " loops of '" + node.kind->getStringRef() +
                  "' but it has one of " + Twine(interchange.size()),
              /*definite=*/false, /*silenceable=*/false);
}
