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

/// The node around the launch that replaces `loop`, if there is only one loop
/// to replace: what is around that, or a function, if the target is a module.
static NodeId getPlaceOfLaunch(const PayloadModel &payload, NodeId target,
                               std::optional<NodeId> loop) {
  if (!loop)
    return target;
  const Node &node = payload[*loop];
  if (node.exact && node.ups.size() == 1 && !node.ups.front().isLoose())
    return node.ups.front().node;
  std::optional<NodeId> holder =
      payload.getAncestor(*loop, /*proper=*/true, {"$isolated"});
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

//===----------------------------------------------------------------------===//
// The loop and the launch
//===----------------------------------------------------------------------===//

namespace {
/// The scf.foralls in a target that no other one holds.
struct TopLoops {
  SmallVector<std::pair<NodeId, Certainty>> loops;
  /// There may be more.
  bool mayHide = false;

  unsigned countSure() const {
    return llvm::count_if(
        loops, [](auto entry) { return entry.second == Certainty::Yes; });
  }
  /// The only one, unless others are hidden; none if there are several.
  std::optional<NodeId> getOne() const {
    return loops.size() == 1 ? std::optional(loops.front().first)
                             : std::nullopt;
  }
};
} // namespace

static TopLoops findTopLoops(const PayloadModel &payload, NodeId target) {
  TopLoops top;
  auto foralls = payload.find(target, isForall);
  for (auto [id, presence] : foralls) {
    Certainty nested = Certainty::No;
    for (auto [outer, outerPresence] : foralls)
      if (outer != id)
        nested = std::max(
            nested, std::min(outerPresence, payload.isAtOrBelow(id, outer)));
    if (nested != Certainty::Yes)
      top.loops.push_back(
          {id, nested == Certainty::No ? presence : Certainty::Maybe});
  }
  top.mayHide = payload.mayHide(target, [](const KindSet &kinds) {
    return kinds.contains(scf::ForallOp::getOperationName());
  });
  return top;
}

/// Checks that there is one loop to map. Returns false where there surely is
/// not.
static bool checkTopLoops(const Step &step, Value handle, NodeId target,
                          const TopLoops &top) {
  unsigned sure = top.countSure();
  bool areNone = top.loops.empty() && !top.mayHide;
  if (sure <= 1 && !areNone) {
    if (top.mayHide || !top.getOne() || sure != 1)
      step.unprove("may meet no top-level scf.forall, or more than one");
    return true;
  }
  Finding &finding = step.report(
      "fw-no-unique-forall",
      "requires exactly one outermost scf.forall but " + step.nameOf(handle) +
          " has " + (top.loops.empty() ? Twine("none") : Twine(sure)),
      step.payload[target].isSurelyThere(), /*silenceable=*/true);
  llvm::MapVector<Operation *, unsigned> made;
  for (auto [id, presence] : top.loops)
    if (Operation *origin = step.payload[id].origin)
      ++made[origin];
  for (auto [origin, number] : made)
    finding.note(NoteKind::Established, origin->getLoc(),
                 number == 1 ? "one is made here"
                             : Twine(number) + " are made here");
  if (top.loops.size() > 1)
    finding.note(NoteKind::FixIt, step.op->getLoc(),
                 "fuse them into one, or put each into a function of its own");
  return false;
}

/// Checks that the target is, or becomes, a launch with a grid.
static void checkTarget(const Step &step, transform::MapForallToBlocks map,
                        NodeId target) {
  const Node &node = step.payload[target];
  bool present = node.isSurelyThere();
  bool isLaunch = isKind<gpu::LaunchOp>(node);
  if (!map.getGenerateGpuLaunch() && node.kind && !isLaunch)
    step.report("fw-wrong-kind",
                "requires a gpu.launch, or 'generate_gpu_launch', but " +
                    step.nameOf(map.getTarget()) + " has '" +
                    node.kind->getStringRef() + "'",
                present)
        .note(NoteKind::FixIt, step.op->getLoc(), "add 'generate_gpu_launch'",
              step.analysis.fixes.insertBehindUse(step.op, map.getTarget(),
                                                  "generate_gpu_launch"));
  bool needsGrid = !map.getGenerateGpuLaunch() && map.getGridDims().empty();
  if (needsGrid && (isLaunch || !node.kind))
    step.report("fw-missing-grid-dims",
                "requires grid_dims, because the gpu.launch exists already, "
                "but has none",
                present, /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "transform require size-3 mapping")
        .note(NoteKind::FixIt, step.op->getLoc(),
              "add 'grid_dims = [...]', one each for x, y and z");
  // A parallel loop around the target hides those in it.
  if (!node.kind || !node.exact || isForall(node) ||
      step.payload.getAncestor(target, /*proper=*/true, {"scf.forall"}))
    step.unprove("maps payload whose kind or place is not known");
}

/// Adds the launch that the step makes in `target`.
static NodeId addLaunch(const Step &step, NodeId target, const TopLoops &top) {
  PayloadModel &payload = step.payload;
  NodeId launch = payload.addFresh(
      getPlaceOfLaunch(payload, target, top.getOne()),
      OperationName(gpu::LaunchOp::getOperationName(), step.op->getContext()),
      step.op);
  payload.edit(launch).live = true;
  payload.edit(launch).count = payload[target].count;
  payload.edit(launch).present = payload[target].present;
  if (std::optional<NodeId> loop = top.getOne()) {
    // The launch gets a copy of the loop.
    for (auto [id, place] : payload.getBelow(*loop))
      payload.forget(id);
  } else {
    // Where it stands in the target is not known: what steps put there may be
    // in it.
    payload.inheritIntroduced(target, launch);
  }
  return launch;
}

/// Checks that blocks can take the steps of `forall`; `present`: it is there.
static void checkMapping(const Step &step, transform::MapForallToBlocks map,
                         NodeId forall, bool present) {
  if (!checkMappable(step, forall, present, /*toThreads=*/false))
    return;
  ArrayRef<int64_t> grid = map.getGridDims();
  const LoopFacts &loop = *step.payload[forall].loop;
  // A grid has three sizes; those of further loops are dropped.
  if (grid.empty() && llvm::any_of(loop.mapping, [](Attribute attr) {
        return cast<DeviceMappingAttrInterface>(attr).getRelativeIndex() >= 3;
      }))
    step.unprove("maps more than three loops to blocks");
  else if (loop.totalAtMost)
    step.unprove("maps a loop whose trip counts are not known");
  else
    requireGrid(step, forall, grid, present);
}

static void propagateMapBlocks(const Step &step) {
  auto map = cast<transform::MapForallToBlocks>(step.op);
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(map.getTarget());
  NodeList launches;
  size_t refused = 0;
  for (NodeId target : source.nodes) {
    checkTarget(step, map, target);
    bool present = payload[target].isSurelyThere();
    TopLoops top = findTopLoops(payload, target);
    refused += !checkTopLoops(step, map.getTarget(), target, top);
    launches.push_back(map.getGenerateGpuLaunch() ? addLaunch(step, target, top)
                                                  : target);
    std::optional<NodeId> forall = top.getOne();
    if (!forall)
      continue;
    checkMapping(step, map, *forall, present && top.countSure() == 1);
    replaceForall(payload, *forall, target, launches.back());
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
