//===- MapThreads.cpp - The model of map_nested_forall_to_threads ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of inner parallel loops to the threads of a block. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/MapThreads.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/EffectRules.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/MapForall.h"
#include "verifier/models/gpu/MappedLoops.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Wants as many `threads` for a forall in a loop as `block` has, where the
/// schedule pipelines loops. The step that pipelines says so of a number; of an
/// open one, this step.
static void wantAllThreads(const Step &step, NodeId forall,
                           solver::IntTerm threads, ArrayRef<int64_t> block,
                           bool present) {
  int64_t all = product(block);
  if (!threads.isConstant()) {
    bool isInLoop = step.payload
                        .getAncestor(forall, /*proper=*/true,
                                     {scf::ForOp::getOperationName()})
                        .has_value();
    if (isInLoop && step.analysis.schedule
                        .hasReached<transform::PipelineSharedMemoryCopiesOp>())
      step.require(
          step.op, "block.full",
          step.terms.equal(threads, step.terms.constant(all)),
          "all " + Twine(all) + " threads of a block share " +
              solver::toInfix(threads) +
              " steps, because a loop with a part that only some share is not "
              "pipelined",
          ConstraintKind::Wanted, present);
    return;
  }
  if (threads.getConstant() >= all)
    return;
  step.payload.walkUp(forall, [&](NodeId above) {
    const Node &node = step.payload[above];
    bool isFor = isKind<scf::ForOp>(node);
    if (isFor)
      step.state.memory.predicatedCopies.try_emplace(above, step.op);
    return !isFor && above != step.root;
  });
}

/// Requires that `block` has the threads that `mapped` takes; whether it may.
static bool requireThreads(const Step &step, const MappedLoops &mapped,
                           ArrayRef<int64_t> block, bool present) {
  Requirement need{"block.covers", "", present};
  bool fits = true;
  for (int axis = 0; axis < 3 && !mapped.isLinear; ++axis)
    fits &= requireAtMost(step, need, mapped.axes[axis], block[axis],
                          "threads along " + Twine("xyz"[axis]),
                          ", as block_dims say", [] {});
  fits &= requireAtMost(step, need, mapped.total, product(block),
                        "threads of the loop", ", as many as block_dims have",
                        [] {});
  return fits;
}

/// Wants a lane of its own for each step of loops that are mapped to lanes.
static void wantLanes(const Step &step, Location made,
                      const MappedLoops &mapped, int64_t warpSize,
                      bool present) {
  if (!mapped.isToLanes)
    return;
  requireAtMost(
      step, {"warp.lanes", "", present, ConstraintKind::Wanted}, mapped.total,
      warpSize, "lanes",
      ", as many as a warp has: the iterations of the others never run", [&] {
        step.warn("fw-too-many-lanes",
                  "requires at most " + Twine(warpSize) +
                      " iterations of a loop that is mapped to the lanes of a "
                      "warp but it has " +
                      solver::toInfix(mapped.total) +
                      ", of which the last ones never run")
            .note(NoteKind::Established, made, "the scf.forall is made here")
            .note(NoteKind::FixIt, made,
                  "use larger tiles, or map the loop to threads");
      });
}

/// Reports a block that has no whole number of groups of `threads` along x.
/// Both are attributes of the step, which no knob opens.
static void checkWarps(const Step &step, Location made, int64_t threads,
                       ArrayRef<int64_t> block, bool present) {
  if (block.front() % threads == 0)
    return;
  SmallVector<int64_t, 3> whole(block);
  whole[0] = llvm::alignTo(block.front(), threads);
  bool isPossible = product(whole) <= Target::maxThreadsPerBlock;
  step.report(
          "fw-partial-warp",
          "requires a multiple of " + Twine(threads) +
              " threads along x for a loop that is mapped to warps but has " +
              Twine(block.front()),
          present, /*silenceable=*/false)
      .note(NoteKind::Established, made, "the scf.forall is made here")
      .note(NoteKind::FixIt, step.op->getLoc(),
            isPossible ? "use block_dims = " + toString(whole)
                       : std::string("map the loop linearly: "
                                     "#gpu.warp<linear_dim_0>"),
            isPossible ? step.analysis.fixes.replaceClause(
                             step.op, "block_dims", toString(whole))
                       : TextEdits());
}

namespace {
/// One `map_nested_forall_to_threads`: its block, and the loops that need it.
class ThreadMapping {
public:
  explicit ThreadMapping(const Step &step)
      : step(step), payload(step.payload),
        map(cast<transform::MapNestedForallToThreads>(step.op)),
        source(step.lookup(map.getTarget())), block(map.getBlockDims()),
        tooSmallLoc(step.op->getLoc()) {}

  void propagate();

private:
  /// The checks of `block` alone. Errors: fw-block-dims-rank,
  /// fw-block-dims-not-positive, fw-too-many-threads.
  void checkBlock();
  void checkRank();
  void checkPositive();
  void checkLimits();
  /// Checks a loop that is mapped, and records how many threads it needs.
  void visitLoop(NodeId forall, bool present);
  void visitExactLoop(NodeId forall, bool present);
  /// Records that the block needs the threads that `mapped` takes.
  void need(const MappedLoops &mapped);
  /// Reports that `block` has fewer threads than `tooSmall` needs, with a
  /// block that all loops fit. Errors: fw-block-dims-too-small.
  void reportTooSmall(const MappedLoops &tooSmall);

  const Step &step;
  PayloadModel &payload;
  transform::MapNestedForallToThreads map;
  HandleState source;
  ArrayRef<int64_t> block;
  /// Whether `block` has three positive sizes.
  bool isBlock = true;
  /// The least block that all loops fit, as far as sizes are numbers.
  std::array<int64_t, 3> needed = {1, 1, 1};
  int64_t neededTotal = 1;
  /// A loop that `block` does not cover.
  std::optional<MappedLoops> tooSmall;
  Location tooSmallLoc;
  bool tooSmallPresent = false;
};
} // namespace

void ThreadMapping::checkBlock() {
  checkRank();
  if (isBlock)
    checkPositive();
  if (isBlock)
    checkLimits();
}

void ThreadMapping::checkRank() {
  isBlock = block.size() == 3;
  if (isBlock)
    return;
  std::string filled = toString(block);
  for (size_t i = block.size(); i < 3; ++i)
    filled.insert(filled.size() - 1, ", 1");
  // Another kind of op is refused before.
  bool areLaunches = llvm::all_of(source.nodes, [&](NodeId target) {
    return isKind<gpu::LaunchOp>(payload[target]);
  });
  // Without any, upstream reads what is not there.
  step.report("fw-block-dims-rank",
              "requires three block_dims but has " + Twine(block.size()),
              areLaunches && source.count(payload).lo > 0 && !block.empty(),
              /*silenceable=*/false)
      .note(NoteKind::FixIt, step.op->getLoc(),
            "fill block_dims up with 1: one each for x, y and z",
            block.empty() || block.size() > 3
                ? TextEdits()
                : step.analysis.fixes.replaceClause(step.op, "block_dims",
                                                    filled));
}

void ThreadMapping::checkPositive() {
  if (llvm::all_of(block, [](int64_t size) { return size > 0; }))
    return;
  isBlock = false;
  // Where nothing is mapped, the step passes, and the launch does not run.
  bool mapsForall = llvm::any_of(source.nodes, [&](NodeId target) {
    return payload[target].isSurelyThere() &&
           llvm::any_of(payload.find(target, isForall), [](const auto &found) {
             return found.second == Certainty::Yes;
           });
  });
  step.report("fw-block-dims-not-positive",
              "requires positive block_dims but has " + toString(block),
              mapsForall, /*silenceable=*/false);
}

void ThreadMapping::checkLimits() {
  auto report = [&](const Twine &has, const Twine &needs) {
    step.report("fw-too-many-threads",
                "requires at most " + needs +
                    " but block_dims = " + toString(block) + " has " + has,
                source.count(payload).lo > 0)
        .note(NoteKind::FixIt, step.op->getLoc(),
              "use smaller block_dims, and larger tiles for the loops that "
              "are mapped to threads");
  };
  int64_t threads = product(block);
  if (threads > Target::maxThreadsPerBlock)
    return report(Twine(threads),
                  Twine(Target::maxThreadsPerBlock) + " threads per block");
  for (int axis = 0; axis < 3; ++axis)
    if (block[axis] > Target::maxBlockDims[axis])
      return report(Twine(block[axis]), Twine(Target::maxBlockDims[axis]) +
                                            " threads along " +
                                            Twine("xyz"[axis]));
}

void ThreadMapping::need(const MappedLoops &mapped) {
  auto raise = [](int64_t &least, solver::IntTerm number) {
    if (number.isConstant())
      least = std::max(least, number.getConstant());
  };
  raise(neededTotal, mapped.total);
  for (int axis = 0; axis < 3 && !mapped.isLinear; ++axis)
    raise(needed[axis], mapped.axes[axis]);
}

void ThreadMapping::visitExactLoop(NodeId forall, bool present) {
  int64_t warpSize = map.getWarpSize();
  // Out of its domain, so that the step is not proved.
  if (warpSize < 1 || !llvm::isInt<32>(warpSize))
    return;
  MappedLoops mapped =
      getMappedLoops(step.terms, *payload[forall].loop, warpSize);
  Location made = step.locOf(payload[forall]);
  checkWarps(step, made, mapped.isLinear ? 1 : mapped.factor, block, present);
  bool fits = requireThreads(step, mapped, block, present);
  wantAllThreads(step, forall, mapped.total, block, present);
  need(mapped);
  if (!fits && !tooSmallPresent) {
    tooSmall = mapped;
    tooSmallPresent = present;
    tooSmallLoc = made;
  }
  wantLanes(step, made, mapped, warpSize, present);
}

void ThreadMapping::visitLoop(NodeId forall, bool present) {
  bool known = checkMappable(step, forall, present, /*toThreads=*/true);
  if (!known || !isBlock)
    return;
  std::optional<int64_t> atMost = payload[forall].loop->totalAtMost;
  if (!atMost)
    return visitExactLoop(forall, present);
  if (*atMost > product(block))
    step.unprove("may have fewer threads than a copy takes");
  wantAllThreads(step, forall, step.terms.constant(*atMost), block, present);
}

void ThreadMapping::reportTooSmall(const MappedLoops &tooSmall) {
  // Linear indices may lie along any axis.
  int64_t others = product(ArrayRef(needed).drop_front());
  needed[0] = std::max(
      needed[0], static_cast<int64_t>(llvm::divideCeil(neededTotal, others)));
  std::string axes = toString(tooSmall.axes);
  std::string wanted =
      tooSmall.isLinear
          ? ", " + solver::toInfix(tooSmall.total) + " threads in all,"
          : " " + axes;
  std::string along = tooSmall.factor != 1 || tooSmall.isLinear
                          ? std::to_string(tooSmall.factor) + " threads each"
                          : "along x, y, z: " + axes;
  bool possible = product(needed) <= Target::maxThreadsPerBlock;
  for (int axis = 0; axis < 3; ++axis)
    possible &= needed[axis] <= Target::maxBlockDims[axis];
  step.report("fw-block-dims-too-small",
              "requires block_dims that cover the mapped loops" + wanted +
                  " but has " + toString(block),
              tooSmallPresent, /*silenceable=*/false)
      .note(NoteKind::Established, tooSmallLoc,
            "the scf.forall with " + solver::toInfix(tooSmall.steps) +
                " iterations (" + along + ") is made here")
      .note(NoteKind::FixIt, step.op->getLoc(),
            possible ? "use block_dims = " + toString(needed)
                     : "use larger tiles for the loops that are mapped "
                       "to threads: " +
                           toString(needed) + " is more than a block can have",
            possible ? step.analysis.fixes.replaceClause(step.op, "block_dims",
                                                         toString(needed))
                     : TextEdits());
}

void ThreadMapping::propagate() {
  checkBlock();
  for (NodeId target : source.nodes) {
    bool hidden = payload.mayHide(target, [](const KindSet &kinds) {
      return kinds.contains(scf::ForallOp::getOperationName());
    });
    if (hidden)
      step.unprove("may map loops that are not known");
    for (auto [forall, presence] : payload.find(target, isForall)) {
      visitLoop(forall,
                presence == Certainty::Yes && payload[target].isSurelyThere());
      replaceForall(payload, forall, target, target);
    }
  }
  if (tooSmall)
    reportTooSmall(*tooSmall);
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, source.nodes, source.ordered);
}

static void propagateMapThreads(const Step &step) {
  ThreadMapping(step).propagate();
}

void formwork::verifier::checkUnmapped(Analysis &analysis, Operation *end) {
  PayloadModel &payload = analysis.state.payload;
  if (!payload.hadNode(gpu::LaunchOp::getOperationName()))
    return;
  auto isLaunch = [](const std::optional<OperationName> &kind) {
    return isKind<gpu::LaunchOp>(kind);
  };
  auto isAny = [](const Node &) { return true; };
  for (auto [launch, presence] : payload.find(analysis.root, isAny, isLaunch))
    for (auto [forall, below] : payload.find(launch, isForall)) {
      if (below != Certainty::Yes || presence != Certainty::Yes)
        continue;
      const Node &node = payload[forall];
      Operation *at = node.origin ? node.origin : end;
      analysis.at(at)
          .warn("fw-unmapped-loop",
                "requires every scf.forall in a kernel to be mapped but this "
                "one is not, so each thread runs all of it")
          .note(NoteKind::FixIt, at->getLoc(),
                "map it with transform.gpu.map_nested_forall_to_threads");
    }
}

/// The size of a block is set whether a loop is mapped or not.
static std::optional<llvm::hash_code> measureBlock(Operation *target) {
  auto launch = dyn_cast<gpu::LaunchOp>(target);
  if (!launch)
    return std::nullopt;
  // A constant may be made anew.
  gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
  auto hash = [](Value value) {
    return llvm::hash_value(getAsOpFoldResult(value).getOpaqueValue());
  };
  return llvm::hash_combine(hash(sizes.x), hash(sizes.y), hash(sizes.z));
}

void formwork::verifier::addMapThreadsEffects(EffectRegistry &effects) {
  effects.add<transform::MapNestedForallToThreads>(
      {.measureBesides = measureBlock,
       .mayDoBesides = [](const PayloadModel &, NodeId) { return true; }});
}

void formwork::verifier::registerMapThreadsModels(ModelRegistry &models) {
  models.add(
      "map-threads", propagateMapThreads,
      decides{"fw-block-dims-not-positive", "fw-block-dims-rank",
              "fw-block-dims-too-small", "fw-duplicate-mapping",
              "fw-dynamic-shape", "fw-mapping-rank", "fw-missing-mapping",
              "fw-mixed-mapping", "fw-not-bufferized", "fw-partial-warp",
              "fw-too-many-lanes", "fw-too-many-threads", "fw-wrong-mapping"},
      leavesOpen{"maps a loop to lanes along an axis",
                 "maps a loop to some of the threads or blocks, by a mask",
                 "maps a loop to something else than a GPU"});
}
