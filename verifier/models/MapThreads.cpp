//===- MapThreads.cpp - The model of map_nested_forall_to_threads *- C++
//-*-===//
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

#include "verifier/Interpreter.h"
#include "verifier/models/MappedLoops.h"
#include "verifier/models/ScheduleSteps.h"
#include "verifier/parameters/SymbolicSizes.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

void Interpreter::notePredication(Operation *op, NodeId forall, int64_t threads,
                                  ArrayRef<int64_t> block) {
  if (threads >= product(block))
    return;
  state.payload.walkUp(forall, [&](NodeId above) {
    const Node &node = state.payload[above];
    bool isFor = isKind<scf::ForOp>(node);
    if (isFor)
      predicatedCopies.try_emplace(above, op);
    return !isFor && above != root;
  });
}

void Interpreter::requireAllThreads(Operation *op, NodeId forall,
                                    solver::IntTerm threads,
                                    ArrayRef<int64_t> block, bool present) {
  bool isInLoop = state.payload
                      .getAncestor(forall, /*proper=*/true,
                                   {scf::ForOp::getOperationName()})
                      .has_value();
  if (!isInLoop || !hasStep<transform::PipelineSharedMemoryCopiesOp>(op))
    return;
  require(op, op, "block.full",
          parameters->context->equal(
              threads, parameters->context->constant(product(block))),
          "all " + Twine(product(block)) + " threads of a block share " +
              solver::toInfix(threads) +
              " steps, because a loop with a part that only some share is not "
              "pipelined",
          ConstraintKind::Wanted, present);
}

void Interpreter::checkWarps(Operation *op, Location made, int64_t threads,
                             ArrayRef<int64_t> block, bool present) {
  if (block.front() % threads == 0)
    return;
  SmallVector<int64_t, 3> whole(block);
  whole[0] = llvm::alignTo(block.front(), threads);
  bool isPossible = product(whole) <= Target::maxThreadsPerBlock;
  report(op, "fw-partial-warp",
         "requires a number of threads along x that is a multiple of " +
             Twine(threads) + " for a loop that is mapped to warps but has " +
             Twine(block.front()),
         present, /*silenceable=*/false)
      .note(NoteKind::Established, made, "the scf.forall is made here")
      .note(NoteKind::FixIt, op->getLoc(),
            isPossible ? "use block_dims = " + toString(whole)
                       : std::string("map the loop linearly: "
                                     "#gpu.warp<linear_dim_0>"),
            isPossible ? fixes.replaceClause(op, "block_dims", toString(whole))
                       : TextEdits());
}

void Interpreter::mapThreadsModel(Operation *op, const Contract &contract) {
  auto map = cast<transform::MapNestedForallToThreads>(op);
  PayloadModel &payload = state.payload;
  HandleState source = lookup(map.getTarget());
  Count targetCount = source.count(payload);
  ArrayRef<int64_t> block = map.getBlockDims();
  bool sizesFit = block.size() == 3;
  std::string filled = toString(block);
  for (size_t i = block.size(); i < 3; ++i)
    filled.insert(filled.size() - 1, ", 1");
  if (!sizesFit)
    report(op, "fw-block-dims-rank",
           "requires three block_dims but has " + Twine(block.size()),
           targetCount.lo > 0, /*silenceable=*/false)
        .note(NoteKind::FixIt, op->getLoc(),
              "fill block_dims up with 1: one each for x, y and z",
              block.empty() || block.size() > 3
                  ? TextEdits()
                  : fixes.replaceClause(op, "block_dims", filled));

  bool tooMany = false;
  if (sizesFit && llvm::any_of(block, [](int64_t size) { return size <= 0; })) {
    report(op, "fw-block-dims-not-positive",
           "requires positive block_dims but has " + toString(block),
           targetCount.lo > 0, /*silenceable=*/false);
    sizesFit = false;
  }
  if (sizesFit) {
    int64_t threads = product(block);
    auto limit = [&](const Twine &has, const Twine &needs) {
      if (tooMany)
        return;
      tooMany = true;
      report(op, "fw-too-many-threads",
             "requires at most " + needs +
                 " but block_dims = " + toString(block) + " has " + has,
             targetCount.lo > 0)
          .note(NoteKind::FixIt, op->getLoc(),
                "use smaller block_dims, and larger tiles for the loops that "
                "are mapped to threads");
    };
    if (threads > Target::maxThreadsPerBlock)
      limit(Twine(threads),
            Twine(Target::maxThreadsPerBlock) + " threads per block");
    for (int axis = 0; axis < 3; ++axis)
      if (block[axis] > Target::maxBlockDims[axis])
        limit(Twine(block[axis]), Twine(Target::maxBlockDims[axis]) +
                                      " threads along " + Twine("xyz"[axis]));
  }

  std::array<int64_t, 3> needed = {1, 1, 1};
  Location tooSmallLoc = op->getLoc();
  int64_t neededTotal = 1;
  std::optional<MappedLoops> tooSmall;
  bool tooSmallPresent = false;
  int64_t warpSize = map.getWarpSize();
  for (NodeId target : source.nodes) {
    bool hidden = payload.mayHide(target, [](const KindSet &kinds) {
      return kinds.contains(scf::ForallOp::getOperationName());
    });
    if (hidden)
      unprove(op, "may map loops of which nothing is known");
    for (auto [forall, presence] : payload.find(target, isForall)) {
      bool present = presence == Certainty::Yes &&
                     payload[target].count.lo > 0 &&
                     payload[target].present == Certainty::Yes;
      bool known = checkMappable(op, forall, present, /*toThreads=*/true);
      if (known && sizesFit && payload[forall].loop->totalAtMost) {
        if (*payload[forall].loop->totalAtMost > product(block))
          unprove(op, "may have fewer threads than a copy takes");
        notePredication(op, forall, *payload[forall].loop->totalAtMost, block);
      } else if (known && sizesFit) {
        const LoopFacts &facts = *payload[forall].loop;
        MappedLoops mapped =
            getMappedLoops(*parameters->context, facts, warpSize);
        Location made = payload[forall].origin
                            ? payload[forall].origin->getLoc()
                            : op->getLoc();
        checkWarps(op, made, mapped.isLinear ? 1 : mapped.factor, block,
                   present);
        if (mapped.isSymbolic) {
          requireCovered(op, facts, block, present, /*toThreads=*/true,
                         warpSize);
          requireAllThreads(op, forall, mapped.total, block, present);
        } else {
          std::array<int64_t, 3> axes = mapped.getAxes();
          int64_t total = mapped.total.getConstant();
          bool covered = total <= product(block);
          notePredication(op, forall, total, block);
          neededTotal = std::max(neededTotal, total);
          for (int axis = 0; axis < 3 && !mapped.isLinear; ++axis) {
            covered &= axes[axis] <= block[axis];
            needed[axis] = std::max(needed[axis], axes[axis]);
          }
          if (!covered && !tooSmallPresent) {
            tooSmall = mapped;
            tooSmallPresent = present;
            tooSmallLoc = made;
          }
          if (mapped.isToLanes && total > warpSize)
            warn(op, "fw-too-many-lanes",
                 "requires at most " + Twine(warpSize) +
                     " steps of a loop that is mapped to the lanes of a warp "
                     "but it has " +
                     Twine(total) + ", of which the last ones never run")
                .note(NoteKind::Established, made,
                      "the scf.forall is made here")
                .note(NoteKind::FixIt, made,
                      "use larger tiles, or map the loop to threads");
        }
      }
      replaceForall(payload, forall, target, target);
    }
  }
  if (tooSmall) {
    // What is numbered one by one may lie along any axis.
    int64_t others = product(ArrayRef(needed).drop_front());
    needed[0] = std::max(
        needed[0], static_cast<int64_t>(llvm::divideCeil(neededTotal, others)));
    int64_t total = tooSmall->total.getConstant();
    std::string wanted = tooSmall->isLinear
                             ? ", " + std::to_string(total) + " threads in all,"
                             : " " + toString(tooSmall->getAxes());
    int64_t steps = total / tooSmall->factor;
    std::string along = tooSmall->factor != 1 || tooSmall->isLinear
                            ? std::to_string(tooSmall->factor) + " threads each"
                            : "along x, y, z: " + toString(tooSmall->getAxes());
    Finding &finding =
        report(op, "fw-block-dims-too-small",
               "requires block_dims that cover the mapped loops" + wanted +
                   " but has " + toString(block),
               tooSmallPresent, /*silenceable=*/false);
    finding.note(NoteKind::Established, tooSmallLoc,
                 "the scf.forall with " + Twine(steps) + " iterations (" +
                     along + ") is made here");
    bool possible = product(needed) <= Target::maxThreadsPerBlock;
    for (int axis = 0; axis < 3; ++axis)
      possible &= needed[axis] <= Target::maxBlockDims[axis];
    finding.note(
        NoteKind::FixIt, op->getLoc(),
        possible ? "use block_dims = " + toString(needed)
                 : "use larger tiles for the loops that are mapped "
                   "to threads: " +
                       toString(needed) + " is more than a block can have",
        possible ? fixes.replaceClause(op, "block_dims", toString(needed))
                 : TextEdits());
  }
  applyWriteOf(op, contract, contract.payload->introduces);
  setResult(op, 0, source.nodes, source.ordered);
}

void Interpreter::checkUnmapped(Operation *end) {
  PayloadModel &payload = state.payload;
  if (!payload.hadNode(gpu::LaunchOp::getOperationName()))
    return;
  auto isLaunch = [](const std::optional<OperationName> &kind) {
    return isKind<gpu::LaunchOp>(kind);
  };
  auto isAny = [](const Node &) { return true; };
  for (auto [launch, presence] : payload.find(root, isAny, isLaunch))
    for (auto [forall, below] : payload.find(launch, isForall)) {
      if (below != Certainty::Yes || presence != Certainty::Yes)
        continue;
      const Node &node = payload[forall];
      Operation *at = node.origin ? node.origin : end;
      warn(at, "fw-unmapped-loop",
           "requires every scf.forall in a kernel to be mapped but this one "
           "is not, so that each thread runs all of it")
          .note(NoteKind::FixIt, at->getLoc(),
                "map it with transform.gpu.map_nested_forall_to_threads");
    }
}
