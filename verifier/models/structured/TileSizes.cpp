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
using namespace formwork;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

void formwork::verifier::requireTileSizes(const Step &step, NodeId target,
                                          ArrayRef<Size> sizes,
                                          bool areCounts) {
  const Node &node = step.payload[target];
  solver::TermContext &terms = step.terms;
  StringRef what = areCounts ? "the number of threads " : "the tile size ";
  bool definite = node.present == Certainty::Yes && node.count.lo > 0;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    // Of numbers, there is nothing to require.
    bool isLoopSymbolic = !areCounts && node.space &&
                          dim < node.space->loops.size() &&
                          node.space->loops[dim].size.isSymbolic();
    if (!size.isSymbolic() && !isLoopSymbolic)
      continue;
    std::optional<IntTerm> term = step.analysis.getTerm(size);
    if (!term)
      continue;
    std::string name = solver::toInfix(*term);
    BoolTerm isNonnegative = terms.lessEqual(terms.constant(0), *term);
    if (size.isSymbolic())
      step.require(step.op, "tile.nonnegative", isNonnegative,
                   what + name + " of dimension " + Twine(dim) +
                       " is not negative",
                   ConstraintKind::Required, definite);
    if (!node.space || dim >= node.space->loops.size() || areCounts)
      continue;
    const Extent &loop = node.space->loops[dim];
    std::optional<IntTerm> whole = step.analysis.getTerm(loop.size);
    if (whole && size != 0)
      step.require(step.op, "tile.within-extent",
                   terms.lessEqual(*term, *whole),
                   what + name + " is at most " + solver::toInfix(*whole) +
                       ", the size of dimension " + Twine(dim) + " of '" +
                       node.kind->getStringRef() + "'",
                   ConstraintKind::Canonical, definite);
  }
}

void formwork::verifier::requireTiledLoops(const Step &step,
                                           ArrayRef<Size> sizes,
                                           unsigned numMappings,
                                           bool definite) {
  // Of numbers alone, the model of the step has said what there is to say.
  if (llvm::none_of(sizes, [](const Size &size) { return size.isSymbolic(); }))
    return;
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

void formwork::verifier::requireVectorSizes(const Step &step, NodeId target,
                                            ArrayRef<Size> sizes) {
  const Node &node = step.payload[target];
  if (!node.space || node.space->loops.size() != sizes.size())
    return;
  solver::TermContext &terms = step.terms;
  bool present = node.present == Certainty::Yes && node.count.lo > 0;
  for (auto [dim, loop] : llvm::enumerate(node.space->loops)) {
    std::optional<IntTerm> vector = step.analysis.getTerm(sizes[dim]);
    if (sizes[dim].isSymbolic())
      step.require(
          step.op, "vector.positive", terms.less(terms.constant(0), *vector),
          "the vector size " + solver::toInfix(*vector) + " is positive",
          ConstraintKind::Required, present);
    // The most that a size is that is not static: that of a full tile.
    const DynamicReason &reason = loop.reason;
    bool isTile = loop.size.isUnknown() && reason.tiledBy && reason.tile != 0 &&
                  reason.tiledBy == node.origin;
    std::optional<IntTerm> size = step.analysis.getTerm(
        isTile ? Size(std::min(reason.tile, reason.size)) : loop.size);
    bool isSymbolic = sizes[dim].isSymbolic() || loop.size.isSymbolic();
    if (!isSymbolic || !vector || !size)
      continue;
    BoolTerm covers = terms.lessEqual(*size, *vector);
    std::string text = "the vector size " + solver::toInfix(*vector) +
                       " is at least " + solver::toInfix(*size) +
                       ", the size of dimension " + std::to_string(dim);
    if (loop.size || loop.condition)
      step.require(step.op, "vector.covers",
                   loop.condition ? terms.implies(loop.condition->holds, covers)
                                  : covers,
                   text + " where it is static", ConstraintKind::Required,
                   present);
    // A size that is not static is masked, however large it may be, and what is
    // behind the vector is left out.
    if (!loop.size)
      step.require(step.op, "vector.covers",
                   loop.condition
                       ? terms.logicalOr(loop.condition->holds, covers)
                       : covers,
                   text, ConstraintKind::Wanted, present);
  }
}
