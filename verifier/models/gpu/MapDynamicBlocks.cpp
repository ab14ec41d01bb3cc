//===- MapDynamicBlocks.cpp - A grid that the host computes -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of loops of any bounds to the blocks of grids. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/ConstantBound.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/MapForall.h"
#include "verifier/models/gpu/MappedLoops.h"
#include "verifier/models/gpu/TriedSteps.h"
#include "verifier/spaces/Extents.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether `attribute` is a place in a grid: an axis, or a linear one.
static bool isPlace(Attribute attribute, bool isLinear) {
  auto mapping = dyn_cast<gpu::GPUBlockMappingAttr>(attribute);
  return mapping && mapping.isLinearMapping() == isLinear;
}

/// The number that `value` is, also where it is computed from numbers.
static std::optional<int64_t> getNumber(scf::ForallOp loop,
                                        OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  Operation *around = loop->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
  return around ? findConstantBound(around, presburger::BoundType::EQ,
                                    cast<Value>(value))
                : std::nullopt;
}

/// The iterations of each dimension of the loop `node`; none where that is not
/// known.
static SmallVector<std::optional<solver::IntTerm>>
getIterations(solver::TermContext &terms, const Node &node) {
  SmallVector<std::optional<solver::IntTerm>> iterations;
  for (const Extent &trip : node.loop->trips)
    iterations.push_back(toTerm(terms, trip.size));
  auto loop = dyn_cast_or_null<scf::ForallOp>(node.op);
  if (!loop)
    return iterations;
  // The grid is computed from any bounds and steps.
  for (auto [known, lb, ub, by] :
       llvm::zip_equal(iterations, loop.getMixedLowerBound(),
                       loop.getMixedUpperBound(), loop.getMixedStep())) {
    std::optional<int64_t> low = getNumber(loop, lb),
                           high = getNumber(loop, ub),
                           step = getNumber(loop, by), range;
    if (low && high)
      range = llvm::checkedSub(*high, *low);
    if (!known && range && step && *step > 0)
      known = terms.ceilDiv(terms.constant(std::max<int64_t>(0, *range)),
                            terms.constant(*step));
  }
  return iterations;
}

/// Requires a grid that the target can launch, as far as the iterations of
/// `loop` are known.
static void requireLaunchable(const Step &step, NodeId loop) {
  const Node &node = step.payload[loop];
  solver::TermContext &terms = step.terms;
  solver::IntTerm one = terms.constant(1);
  std::array<solver::IntTerm, 3> grid = {one, one, one};
  auto iterations = getIterations(terms, node);
  if (isPlace(node.loop->mapping[0], /*isLinear=*/true)) {
    for (std::optional<solver::IntTerm> count : iterations) {
      if (!count)
        return;
      grid[0] = terms.mul(grid[0], *count);
    }
  } else {
    for (auto [attribute, count] :
         llvm::zip_equal(node.loop->mapping, iterations))
      if (count)
        grid[cast<gpu::GPUBlockMappingAttr>(attribute).getRelativeIndex()] =
            *count;
  }
  requireGridLimits(step, step.locOf(node), grid, node.isSurelyThere());
}

/// Whether all is known that decides whether `loop` is mapped. Reports what
/// keeps it from that, and what keeps the target from launching it.
static bool checkLoop(const Step &step, NodeId loop) {
  const Node &node = step.payload[loop];
  if (!node.loop || !isForall(node) || !node.exact)
    return false;
  bool present = node.isSurelyThere();
  const LoopFacts &facts = *node.loop;
  Location made = step.locOf(node);
  auto error = [&](StringRef id, const Twine &message) {
    step.report(id, message, present)
        .note(NoteKind::Established, made, "the scf.forall is made here");
    return true;
  };
  if (facts.hasResults)
    return error("fw-not-bufferized",
                 "requires a loop on buffers but has one with results");
  if (facts.mapping.empty())
    return error("fw-missing-mapping",
                 "requires a loop that is mapped to blocks but has one without "
                 "a mapping");
  if (facts.mapping.size() != facts.trips.size())
    return error("fw-wrong-mapping",
                 "requires a mapping for each of " + Twine(facts.trips.size()) +
                     " dimensions but has " + Twine(facts.mapping.size()));
  bool isLinear = isPlace(facts.mapping[0], /*isLinear=*/true);
  for (auto [i, attribute] : llvm::enumerate(facts.mapping)) {
    if (!isPlace(attribute, isLinear))
      return error("fw-wrong-mapping",
                   "requires dimensions that are mapped to blocks along x, y "
                   "or z, or are all linear, but has one that is mapped to "
                   "something else");
    if (llvm::is_contained(ArrayRef(facts.mapping).take_front(i), attribute))
      return error("fw-duplicate-mapping",
                   "requires each axis of the grid at most once but has one "
                   "twice");
  }
  if (auto forall = dyn_cast_or_null<scf::ForallOp>(node.op))
    for (OpFoldResult by : forall.getMixedStep())
      if (std::optional<int64_t> known = getConstantIntValue(by);
          known && *known <= 0)
        return error("fw-wrong-mapping",
                     "requires steps that are positive but has one of " +
                         Twine(*known));
  if (step.payload.getAncestor(loop, /*proper=*/true,
                               {gpu::LaunchOp::getOperationName(),
                                scf::ForallOp::getOperationName()}))
    return error("fw-wrong-mapping",
                 "requires a loop in host code but has one that is inside of a "
                 "kernel or of another parallel loop");
  // The step succeeds with any grid, but no launch of a larger one does.
  if (step.options.target)
    requireLaunchable(step, loop);
  return true;
}

/// transform.formwork.map_forall_to_blocks: each loop becomes a launch, with as
/// many blocks as it has iterations, of one thread each.
static void propagateDynamicBlocks(const Step &step) {
  const HandleState source = step.lookup(step.op->getOperand(0));
  bool areKnown = true;
  for (NodeId loop : source.nodes)
    areKnown &= checkLoop(step, loop);
  if (!areKnown && source.count(step.payload).hi != 0)
    (void)tryStep(step);
  applyClauses(step);
}

void formwork::verifier::registerMapDynamicBlocksModels(ModelRegistry &models) {
  Model &model = models.add("map-dynamic-blocks", propagateDynamicBlocks,
                            decides{"fw-duplicate-mapping", "fw-grid-too-large",
                                    "fw-missing-mapping", "fw-not-bufferized",
                                    "fw-wrong-kind", "fw-wrong-mapping"},
                            getUntriedReasons());
  model.isTriedFromHere = true;
}
