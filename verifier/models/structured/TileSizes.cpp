//===- TileSizes.cpp - What steps require of sizes --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The requirements of steps on tile sizes and on the order of loops. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/TileSizes.h"

#include "engine/AnyBelow.h"
#include "verifier/findings/Requirements.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

//===----------------------------------------------------------------------===//
// Sizes as a step gives them
//===----------------------------------------------------------------------===//

Sizes formwork::verifier::readSizes(const Step &step,
                                    ArrayRef<GivenSize> given) {
  return readSizes(given, [&](Value value) { return step.getParam(value); });
}

TileSpec formwork::verifier::readSpec(const Step &step, ArrayRef<Size> sizes,
                                      bool isNumThreads) {
  return readSpec(sizes, isNumThreads, [&](const Size &size) {
    return step.analysis.mayBeZero(size);
  });
}

bool formwork::verifier::areIndices(Analysis &analysis, Value sizes,
                                    ArrayRef<NodeId> targets) {
  const PayloadModel &payload = analysis.state.payload;
  // The op as it was given, where it stood then.
  auto getGiven = [&](NodeId id) -> Operation * {
    const Node &node = payload[id];
    bool isThere = node.present == Certainty::Yes && node.exact &&
                   node.count.isExactly(1) && node.ups.size() == 1 &&
                   !node.ups.front().isLoose();
    return isThere ? node.op : nullptr;
  };
  const HandleState &handle = analysis.lookup(sizes);
  if (handle.kind != HandleState::Ops || handle.nodes.size() != targets.size())
    return false;
  return llvm::all_of(handle.nodes, [&](NodeId id) {
    Operation *size = getGiven(id);
    // A constant is taken for the number that it is.
    if (!size || size->getNumResults() != 1 ||
        !size->getResult(0).getType().isIndex() ||
        size->hasTrait<OpTrait::ConstantLike>())
      return false;
    return llvm::all_of(targets, [&](NodeId target) {
      Operation *reader = getGiven(target);
      return reader && reader->getBlock() == size->getBlock() &&
             size->isBeforeInBlock(reader);
    });
  });
}

//===----------------------------------------------------------------------===//
// Whatever the target is
//===----------------------------------------------------------------------===//

/// Whether some step may erase loops that run zero times, or whose result
/// nothing reads.
static bool mayEraseLoops(const Step &step) {
  auto mayErase = [&](Operation *op) {
    return isa<transform::LoopUnrollOp, transform::LoopPeelOp,
               transform::ApplyRegisteredPassOp>(op) ||
           step.contracts.has(op, normalforms::SideEffect::CleansUp);
  };
  return llvm::any_of(step.analysis.schedule.getReached(),
                      [&](Operation *op) { return anyBelow(op, mayErase); });
}

/// Whether upstream refuses each tile of the targets by `size`, a negative
/// number: where the loop is static and the number divides its trip count, the
/// tile has that size. Elsewhere the size is computed while the payload runs.
/// Only numbers are asked about: this says of an error whether it is certain,
/// and values of open knobs are excluded by the requirement either way.
static bool isSignRefused(const Step &step, unsigned loop, int64_t size) {
  // What is wrong with the tile may go with it.
  if (mayEraseLoops(step))
    return false;
  // A scalable size is no number.
  auto tile = dyn_cast<transform::TileUsingForOp>(step.op);
  if (tile && loop < tile.getScalableSizes().size() &&
      tile.getScalableSizes()[loop])
    return false;
  // More sizes than loops are refused before a tile is made, in a way that a
  // sequence can suppress.
  size_t numSizes = tile ? tile.getStaticSizes().size() : 0;
  // Where an scf.forall comes to no tiles, nothing is refused.
  bool byForall = isa<transform::TileUsingForallOp>(step.op);
  return llvm::all_of(
      step.lookup(step.op->getOperand(0)).nodes, [&](NodeId target) {
        const std::shared_ptr<const IterationSpace> &space =
            step.payload[target].space;
        if (!space || !space->onTensors || loop >= space->loops.size() ||
            numSizes > space->loops.size() ||
            !llvm::all_of(space->loops, [&](const Extent &each) {
              return each.isStatic() && (!byForall || size > -*each.size);
            }))
          return false;
        int64_t trips = *space->loops[loop].size;
        return trips > 0 && trips % size == 0;
      });
}

void formwork::verifier::requireNonNegative(const Step &step, unsigned loop,
                                            const Size &size, bool definite) {
  std::optional<solver::IntTerm> term = step.analysis.getTerm(size);
  bool isIdle = step.lookup(step.op->getOperand(0)).count(step.payload).hi == 0;
  if (!term || isIdle)
    return;
  auto forall = dyn_cast<transform::TileUsingForallOp>(step.op);
  bool areCounts = forall && (!forall.getStaticNumThreads().empty() ||
                              forall.getPackedNumThreads());
  Requirement need{"tile.nonnegative", {}, definite};
  if (size.isSymbolic())
    need.text = (areCounts ? "the number of threads " : "the tile size ") +
                solver::toInfix(*term) + " of dimension " +
                std::to_string(loop) + " is not negative";
  require(step, need, step.terms.lessEqual(step.terms.constant(0), *term), [&] {
    step.report("fw-negative-tile-size",
                "requires tile sizes and numbers of threads that are "
                "not negative but has " +
                    solver::toInfix(*term),
                definite && size && isSignRefused(step, loop, *size),
                /*silenceable=*/false);
  });
}

/// Reports a size that is not one for each target, of tiling with loops, or
/// one for all, of tiling with an scf.forall.
static void checkNumberOfValues(const Step &step, Value size) {
  const HandleState &given = step.lookup(size);
  const HandleState &targets = step.lookup(step.op->getOperand(0));
  bool perTarget = isa<transform::TileUsingForOp>(step.op);
  Count count = targets.count(step.payload);
  int64_t numValues = given.params.size();
  if (given.kind != HandleState::Params) {
    if (!perTarget || !areIndices(step, size, targets.nodes))
      step.unprove("may have more or fewer parameter values than targets");
  } else if (numValues == 0 || (perTarget && !count.isExact())) {
    step.unprove("may have more or fewer parameter values than targets");
  } else if (perTarget && count.lo != numValues) {
    // Asked also where there is nothing to tile.
    step.report("fw-cardinality",
                "requires one parameter value per payload op but " +
                    step.nameOf(size) + " has " + Twine(numValues) + " for " +
                    Twine(count.lo));
  } else if (!perTarget && numValues != 1) {
    step.report("fw-cardinality", "requires one parameter value but " +
                                      step.nameOf(size) + " has " +
                                      Twine(numValues));
  }
}

void formwork::verifier::checkParamTypes(const Step &step, ValueRange numbers,
                                         bool definite, bool silenceable) {
  for (Value number : numbers)
    if (isa<transform::AnyParamType>(number.getType()))
      step.report("fw-any-param",
                  "requires a number of type !transform.param but " +
                      step.nameOf(number) + " is !transform.any_param",
                  definite, silenceable)
          .note(NoteKind::Evidence, step.op->getLoc(),
                silenceable
                    ? "unexpected value handle"
                    : "MLIR takes the parameter for a handle and crashes")
          .note(NoteKind::FixIt, number.getLoc(),
                "give it the type !transform.param<i64>");
}

void formwork::verifier::checkTileSizes(const Step &step,
                                        ArrayRef<GivenSize> given) {
  const HandleState &targets = step.lookup(step.op->getOperand(0));
  bool definite = targets.count(step.payload).lo > 0;
  for (auto [loop, size] : llvm::enumerate(given)) {
    if (!size.value) {
      requireNonNegative(step, loop, size.number, definite);
      continue;
    }
    unsigned numValues = step.lookup(size.value).params.size();
    for (unsigned i = 0; i < numValues; ++i)
      requireNonNegative(step, loop, step.getParam(size.value, i), definite);
    checkNumberOfValues(step, size.value);
  }
  for (NodeId target : targets.nodes)
    if (step.payload[target].space &&
        llvm::any_of(step.payload[target].space->loops,
                     [](const Extent &loop) { return loop.size == 0; }))
      step.unprove("tiles a loop without iterations");
}

//===----------------------------------------------------------------------===//
// Of one target
//===----------------------------------------------------------------------===//

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

void formwork::verifier::requireLoopOrder(const Step &step, const Node &node,
                                          ArrayRef<int64_t> interchange) {
  if (!node.space)
    return;
  int64_t numLoops = node.space->loops.size();
  ArrayRef<int64_t> used = interchange.take_front(numLoops);
  bool isOpen = llvm::any_of(used, [](int64_t loop) { return loop < 0; });
  // Upstream appends the loops from the number of these on.
  bool fits =
      isOpen ? llvm::all_of(used, [&](int64_t loop) { return loop < numLoops; })
             : isPermutationVector(used);
  if (fits)
    return;
  bool namesOthers =
      llvm::any_of(used, [&](int64_t loop) { return loop >= numLoops; });
  if (!namesOthers) {
    step.report("fw-bad-interchange",
                "requires an interchange that names each of the first " +
                    Twine(used.size()) + " loops of '" +
                    node.kind->getStringRef() + "' once but has " +
                    llvm::interleaved_array(interchange).str(),
                /*definite=*/false, /*silenceable=*/false);
    return;
  }
  // Upstream reads behind the loops, and what it finds there decides.
  step.report("fw-bad-interchange",
              "requires an interchange of the " + Twine(numLoops) +
                  " loops of '" + node.kind->getStringRef() +
                  "' but it has one of " + Twine(interchange.size()),
              /*definite=*/false, /*silenceable=*/false);
}
