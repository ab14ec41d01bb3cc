//===- MapCopy.cpp - The model of map_copy_to_threads ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sharing a copy among the threads of a block: how many threads, how wide an
// access. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/rewriting/Rewriting.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/SharedCopy.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::IntTerm;

/// The sizes of a copy that can be shared; none where upstream may fail.
static std::optional<SmallVector<IntTerm>> getSizes(const Step &step,
                                                    const Node &copy) {
  ArrayRef<Extent> loops = copy.space->loops;
  if (loops.empty() || loops.size() > 3)
    return std::nullopt;
  SmallVector<IntTerm> sizes;
  for (const Extent &loop : loops) {
    std::optional<IntTerm> size = step.analysis.getTerm(loop.size);
    bool isTooLarge = loop.size && (*loop.size <= 0 || *loop.size >= (1 << 16));
    if (!size || isTooLarge)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

/// Adds the requirements on the threads that share a copy of `sizes`; false if
/// they cannot share it.
static bool requireSharing(const Step &step, const Node &copy,
                           const CopyRequest &request, const SharedCopy &shared,
                           ArrayRef<IntTerm> sizes) {
  solver::TermContext &terms = step.terms;
  bool present = copy.isSurelyThere();
  std::string row = "rows of " + solver::toInfix(sizes.back()) + " elements";
  std::string rows =
      sizes.size() == 1 ? row : solver::toInfix(sizes.front()) + " " + row;
  std::string threads = std::to_string(request.numThreads) + " threads";
  auto refuse = [&] {
    int64_t most = sizes.back().isConstant()
                       ? std::gcd(request.maxVector, sizes.back().getConstant())
                       : request.maxVector;
    step.report("fw-copy-threads",
                "requires enough threads for a row but has " + threads +
                    " for " + row + ", of which a thread copies " +
                    (most == 1 ? Twine("one") : "at most " + Twine(most)),
                present)
        .note(NoteKind::Established, step.locOf(copy), "the copy is made here")
        .note(NoteKind::Evidence, step.op->getLoc(),
              "too few threads to map copy op to threads on the most minor "
              "dimension")
        .note(NoteKind::FixIt, step.op->getLoc(),
              "use more threads, or smaller tiles");
  };
  Requirement fits{"copy.threads",
                   threads + " can share a copy of " + rows +
                       ", each at most " + std::to_string(request.maxVector) +
                       " at once",
                   present};
  if (!require(step, fits, shared.fits, refuse))
    return false;
  // For constant sizes, the step that pipelines reports this.
  if (step.analysis.schedule
          .hasReached<transform::PipelineSharedMemoryCopiesOp>())
    require(step,
            {"copy.covers",
             "each of " + threads + " has a part of a copy of " + rows +
                 ", because a copy that only some make is not pipelined",
             present, ConstraintKind::Wanted},
            shared.isFull, [] {});
  IntTerm bits = terms.mul(shared.vector, terms.constant(request.elementBits));
  auto warn = [&] {
    step.warn("fw-copy-width",
              "requires threads that copy 4, 8 or 16 bytes each, so that the "
              "copy can be asynchronous, but a thread copies " +
                  Twine(llvm::divideCeil(bits.getConstant(), 8)))
        .note(NoteKind::FixIt, step.op->getLoc(),
              "use tiles of more elements along the innermost dimension, or "
              "fewer threads");
  };
  if (step.analysis.schedule.hasReached<transform::CreateAsyncGroupsOp>())
    require(step,
            {"copy.width",
             "a thread takes at least 4 bytes of " + rows +
                 ", because no other copy is asynchronous",
             present, ConstraintKind::Wanted},
            terms.lessEqual(terms.constant(32), bits), warn);
  return true;
}

static void propagateMapCopy(const Step &step) {
  auto map = cast<transform::MapCopyToThreadsOp>(step.op);
  PayloadModel &payload = step.payload;
  MLIRContext *context = step.op->getContext();
  HandleState source = step.lookup(map.getTarget());
  NodeList loops, tiled;
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    std::optional<CopyRequest> request;
    std::optional<SmallVector<IntTerm>> sizes;
    if (isKind<linalg::CopyOp>(old) && old.space &&
        !old.space->elementTypes.empty()) {
      Type element = old.space->elementTypes.back();
      if (element.isIntOrFloat())
        request = makeCopyRequest(map.getTotalNumThreads(),
                                  element.getIntOrFloatBitWidth(),
                                  map.getDesiredBitAlignment());
      checkStaticLoops(step, target, /*needed=*/true);
      sizes = getSizes(step, old);
    }
    std::shared_ptr<LoopFacts> facts;
    std::shared_ptr<IterationSpace> space;
    if (!request || !sizes) {
      step.unprove("shares a copy whose shape is not known");
    } else {
      if (!old.space->onTensors)
        step.unprove("shares a copy on buffers");
      unsigned rank = sizes->size();
      facts = std::make_shared<LoopFacts>();
      facts->isForall = facts->isCopy = true;
      facts->hasResults = old.space->onTensors;
      for (unsigned i = 0; i < rank; ++i)
        facts->mapping.push_back(gpu::GPUThreadMappingAttr::get(
            context, static_cast<gpu::MappingId>(
                         static_cast<unsigned>(gpu::MappingId::LinearDim0) +
                         rank - 1 - i)));
      facts->trips.resize(rank);
      space = std::make_shared<IterationSpace>(*old.space);
      std::optional<SharedCopy> shared =
          shareCopy(step.terms, context, *request, *sizes);
      bool areNumbers =
          llvm::all_of(*sizes, [](IntTerm size) { return size.isConstant(); });
      if (!shared && !areNumbers)
        step.unprove(
            "shares a copy of three dimensions that are not all known");
      else if (!shared)
        step.unprove("shares a copy of a shape for which MLIR fails");
      bool isShared = shared
                          ? requireSharing(step, old, *request, *shared, *sizes)
                          : !areNumbers;
      if (!isShared) {
        facts = nullptr;
        space = nullptr;
      } else if (areNumbers) {
        for (unsigned dim = 0; dim < rank; ++dim) {
          facts->trips[dim].size = shared->threads[dim];
          space->loops[dim].size = shared->parts[dim];
        }
      } else {
        facts->totalAtMost = request->numThreads;
        llvm::fill(space->loops, Extent());
        if (shared)
          space->loops.back().size = Size::of(shared->vector);
      }
    }
    NodeId loop = addLoop(payload, target, std::nullopt,
                          getLoopKind<scf::ForallOp>(context), facts, step.op);
    loops.push_back(loop);
    tiled.push_back(addTiled(payload, target, loop, space, step.op));
    replaceOp(step, target, loop);
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, loops, source.ordered);
  step.setResult(1, tiled, source.ordered);
}

void formwork::verifier::registerMapCopyModels(ModelRegistry &models) {
  models.add("map-copy", propagateMapCopy,
             decides{"fw-copy-threads", "fw-copy-width", "fw-dynamic-shape"},
             leavesOpen{"shares a copy of a shape for which MLIR fails",
                        "shares a copy on buffers"});
}
