//===- MapBlocks.cpp - The model of map_forall_to_blocks --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of the outer parallel loop to the blocks of a grid. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/MapForall.h"
#include "verifier/models/gpu/MappedLoops.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// The node around the launch that replaces the only one of `loops`: a
/// function, if the target is a module.
static NodeId getPlaceOfLaunch(const PayloadModel &payload, NodeId target,
                               ArrayRef<std::pair<NodeId, Certainty>> loops) {
  if (loops.size() != 1)
    return target;
  std::optional<NodeId> holder =
      payload.getAncestor(loops.front().first, /*proper=*/true, {"$isolated"});
  bool isInTarget =
      holder && payload.isAtOrBelow(*holder, target) == Certainty::Yes;
  return isInTarget ? *holder : target;
}

/// Requires that a grid of `given` sizes, or of the trip counts of `forall`
/// without any, covers the loops, and that a device has such a grid.
static void requireGrid(const Step &step, NodeId forall,
                        ArrayRef<int64_t> given, bool present) {
  const Node &node = step.payload[forall];
  solver::TermContext &terms = step.terms;
  MappedLoops mapped = getMappedLoops(terms, *node.loop, /*warpSize=*/1);
  Location made = step.locOf(node);
  bool isGiven = given.size() == 3;
  std::array<solver::IntTerm, 3> grid = mapped.axes;
  bool fits = true;
  auto requireCovered = [&](solver::IntTerm number, int64_t limit,
                            const Twine &things, const Twine &why) {
    fits &= requireAtMost(step, {"grid.covers", "", present}, number, limit,
                          things, why, [] {});
  };
  for (int axis = 0; axis < 3 && isGiven; ++axis) {
    grid[axis] = terms.constant(given[axis]);
    if (!mapped.isLinear)
      requireCovered(mapped.axes[axis], given[axis],
                     "blocks along " + Twine("xyz"[axis]),
                     ", as grid_dims say");
  }
  if (isGiven && mapped.isLinear)
    requireCovered(mapped.total, product(given), "blocks of the loop",
                   ", as many as grid_dims have");
  if (!fits) {
    std::string needed = toString(mapped.axes);
    bool isKnown = llvm::all_of(
        mapped.axes, [](solver::IntTerm axis) { return axis.isConstant(); });
    step.report("fw-grid-dims-too-small",
                "requires grid_dims of at least " + needed +
                    " for the mapped loops but has " + toString(grid),
                present, /*silenceable=*/false)
        .note(NoteKind::Established, made, "the scf.forall is made here")
        .note(NoteKind::FixIt, step.op->getLoc(),
              (isKnown ? "use grid_dims = " + needed + ", or leave" : "leave") +
                  " grid_dims out",
              isKnown ? step.analysis.fixes.replaceClause(step.op, "grid_dims",
                                                          needed)
                      : TextEdits());
  }
  if (!requireGridLimits(step, made, grid, present))
    return;
  solver::IntTerm blocks = isGiven ? terms.product(grid) : mapped.total;
  requireAtMost(step, {"grid.limit", "", present}, blocks, Target::maxBlocks,
                "blocks", kMostOfGrid, [&] {
                  step.report("fw-grid-too-large",
                              "requires at most " + Twine(Target::maxBlocks) +
                                  " blocks but " + toString(grid) + " are " +
                                  solver::toInfix(blocks),
                              present)
                      .note(NoteKind::FixIt, step.op->getLoc(),
                            "use larger tiles");
                });
}

static void propagateMapBlocks(const Step &step) {
  auto map = cast<transform::MapForallToBlocks>(step.op);
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(map.getTarget());
  NodeList launches;
  size_t refused = 0;
  for (NodeId target : source.nodes) {
    bool targetPresent = payload[target].isSurelyThere();
    bool isLaunch = isKind<gpu::LaunchOp>(payload[target]);
    if (!map.getGenerateGpuLaunch() && payload[target].kind && !isLaunch)
      step.report("fw-wrong-kind",
                  "requires a gpu.launch, or 'generate_gpu_launch', but " +
                      step.nameOf(map.getTarget()) + " has '" +
                      payload[target].kind->getStringRef() + "'",
                  targetPresent)
          .note(NoteKind::FixIt, step.op->getLoc(), "add 'generate_gpu_launch'",
                step.analysis.fixes.insertBehindUse(step.op, map.getTarget(),
                                                    "generate_gpu_launch"));
    bool needsGrid = !map.getGenerateGpuLaunch() && map.getGridDims().empty();
    if (needsGrid && (isLaunch || !payload[target].kind))
      step.report("fw-missing-grid-dims",
                  "requires grid_dims, because the gpu.launch exists already, "
                  "but has none",
                  targetPresent, /*silenceable=*/false)
          .note(NoteKind::Evidence, step.op->getLoc(),
                "transform require size-3 mapping")
          .note(NoteKind::FixIt, step.op->getLoc(),
                "add 'grid_dims = [...]', one each for x, y and z");
    // A parallel loop around the target hides those in it.
    if (!payload[target].kind || !payload[target].exact ||
        isForall(payload[target]) ||
        payload.getAncestor(target, /*proper=*/true, {"scf.forall"}))
      step.unprove("maps payload whose kind or place is not known");

    // The foralls that no other forall holds.
    SmallVector<std::pair<NodeId, Certainty>> top;
    auto foralls = payload.find(target, isForall);
    for (auto [id, presence] : foralls) {
      Certainty nested = Certainty::No;
      for (auto [outer, outerPresence] : foralls)
        if (outer != id)
          nested = std::max(
              nested, std::min(outerPresence, payload.isAtOrBelow(id, outer)));
      if (nested != Certainty::Yes)
        top.push_back(
            {id, nested == Certainty::No ? presence : Certainty::Maybe});
    }
    bool hidden = payload.mayHide(target, [](const KindSet &kinds) {
      return kinds.contains(scf::ForallOp::getOperationName());
    });
    unsigned sure = llvm::count_if(
        top, [](auto entry) { return entry.second == Certainty::Yes; });
    if (sure > 1 || (top.empty() && !hidden)) {
      ++refused;
      Finding &finding =
          step.report("fw-no-unique-forall",
                      "requires exactly one outermost scf.forall but " +
                          step.nameOf(map.getTarget()) + " has " +
                          (top.empty() ? Twine("none") : Twine(sure)),
                      targetPresent, /*silenceable=*/true);
      for (auto [id, presence] : top)
        if (const Operation *origin = payload[id].origin)
          finding.note(NoteKind::Established,
                       const_cast<Operation *>(origin)->getLoc(),
                       "one is made here");
    } else if (hidden || top.size() != 1 || sure != 1) {
      step.unprove("may meet no top-level scf.forall, or more than one");
    }

    NodeId launch = target;
    if (map.getGenerateGpuLaunch()) {
      launch = payload.addFresh(getPlaceOfLaunch(payload, target, top),
                                OperationName(gpu::LaunchOp::getOperationName(),
                                              step.op->getContext()),
                                step.op);
      payload.edit(launch).live = true;
      payload.edit(launch).count = payload[target].count;
      payload.edit(launch).present = payload[target].present;
      // Where it stands in the target is not known: what steps put there may be
      // in it.
      if (top.size() != 1)
        payload.inheritIntroduced(target, launch);
    }
    launches.push_back(launch);
    if (top.size() != 1)
      continue;
    NodeId forall = top.front().first;
    // A launch of its own gets a copy of the loop.
    if (map.getGenerateGpuLaunch())
      for (auto [id, place] : payload.getBelow(forall))
        payload.forget(id);
    bool present = targetPresent && sure == 1;
    ArrayRef<int64_t> given = map.getGridDims();
    bool isMappable = checkMappable(step, forall, present, /*toThreads=*/false);
    // A grid has three sizes; those of further loops are dropped.
    if (isMappable && given.empty() &&
        llvm::any_of(payload[forall].loop->mapping, [](Attribute attr) {
          return cast<DeviceMappingAttrInterface>(attr).getRelativeIndex() >= 3;
        })) {
      step.unprove("maps more than three loops to blocks");
      isMappable = false;
    }
    if (isMappable && payload[forall].loop->totalAtMost)
      step.unprove("maps a loop whose trip counts are not known");
    else if (isMappable)
      requireGrid(step, forall, given, present);
    replaceForall(payload, forall, target, launch);
  }
  applyWriteOf(step, step.contract.payload->introduces);
  // It succeeds only where there is no target.
  if (refused != 0 && refused == launches.size())
    launches.clear();
  step.setResult(0, launches, source.ordered);
}

void formwork::verifier::registerMapBlocksModels(ModelRegistry &models) {
  Model &model = models.add(
      "map-blocks", propagateMapBlocks,
      decides{"fw-duplicate-mapping", "fw-dynamic-shape",
              "fw-grid-dims-too-small", "fw-grid-too-large", "fw-mapping-rank",
              "fw-missing-grid-dims", "fw-missing-mapping", "fw-mixed-mapping",
              "fw-no-unique-forall", "fw-not-bufferized", "fw-wrong-kind",
              "fw-wrong-mapping"},
      leavesOpen{"maps a loop to lanes along an axis",
                 "maps a loop to some of the threads or blocks, by a mask",
                 "maps a loop to something else than a GPU",
                 "maps more than three loops to blocks"});
  model.isTriedFromHere = true;
}
