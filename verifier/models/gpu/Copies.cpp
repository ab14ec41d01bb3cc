//===- Copies.cpp - Models of steps on copies ------------------ -*- C++
//-*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sharing a copy among the threads of a block, and taking copies ahead: how
// many threads, how wide an access, how many buffers. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/models/rewriting/Rewriting.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/ScheduleSteps.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Extents.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/GPUHeuristics.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/TransformOps/MemRefTransformOps.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

//===----------------------------------------------------------------------===//
// Threads for a copy
//===----------------------------------------------------------------------===//

namespace {
/// What decides how a copy is shared, beside its shape.
struct CopyRequest {
  int64_t numThreads;
  int64_t elementBits;
  /// The most elements that one thread may take, as alignment has it.
  int64_t maxVector;
};

/// How a copy is shared, as terms.
struct SharedCopy {
  /// There are threads enough.
  BoolTerm fits;
  /// All threads have work; otherwise each asks whether it has.
  BoolTerm isFull;
  /// The elements that a thread takes.
  IntTerm vector;
};
} // namespace

static std::optional<CopyRequest> makeRequest(transform::MapCopyToThreadsOp map,
                                              Type element) {
  constexpr int64_t maxBits =
      transform::gpu::CopyMappingInfo::kMaxVectorLoadBitWidth;
  int64_t threads = map.getTotalNumThreads();
  int64_t alignment = map.getDesiredBitAlignment();
  if (!element.isIntOrFloat() || threads <= 0 || threads > (1 << 20) ||
      alignment <= 0)
    return std::nullopt;
  int64_t bits = element.getIntOrFloatBitWidth();
  if (maxBits % bits != 0)
    return std::nullopt;
  // An alignment that no element has is taken for that of one.
  int64_t perThread = alignment % bits == 0 ? alignment / bits : 1;
  return CopyRequest{threads, bits, std::gcd(perThread, maxBits / bits)};
}

/// How upstream shares a copy of `outer` rows (1 if there are none) of `inner`
/// elements: each thread takes the widest vector that divides a row, or, as
/// long as not all threads have work, one of half the width; but a row has at
/// most as many vectors as there are threads. Where no width gives all of them
/// work, it is the widest again.
static SharedCopy shareCopy(solver::TermContext &terms,
                            const CopyRequest &request, IntTerm outer,
                            IntTerm inner) {
  IntTerm threads = terms.constant(request.numThreads);
  auto divides = [&](int64_t vector) {
    return terms.divides(terms.constant(vector), inner);
  };
  SharedCopy shared{terms.truth(false), terms.truth(false), terms.constant(1)};
  for (int64_t widest = 1; widest <= request.maxVector; widest *= 2) {
    // From the narrowest to `widest`, each in terms of the next narrower one.
    BoolTerm fits = terms.truth(true), isFull = terms.truth(false);
    IntTerm vector = terms.constant(widest);
    for (int64_t width = 1; width <= widest; width *= 2) {
      // Where `width` divides, as it does below, this rounds nothing.
      IntTerm perRow = terms.ceilDiv(inner, terms.constant(width));
      BoolTerm enough = terms.lessEqual(perRow, threads);
      BoolTerm all = terms.logicalAnd(
          terms.divides(perRow, threads),
          terms.divides(terms.ceilDiv(threads, perRow), outer));
      fits = terms.logicalAnd(enough, terms.logicalOr(all, fits));
      vector = terms.select(all, terms.constant(width), vector);
      isFull = terms.logicalOr(all, isFull);
    }
    BoolTerm isWidest = divides(widest);
    if (widest != request.maxVector)
      isWidest =
          terms.logicalAnd(isWidest, terms.logicalNot(divides(2 * widest)));
    shared.fits = terms.choose(isWidest, fits, shared.fits);
    shared.isFull = terms.choose(isWidest, isFull, shared.isFull);
    shared.vector = terms.select(isWidest, vector, shared.vector);
  }
  return shared;
}

static void propagateMapCopy(const Step &step) {
  auto map = cast<transform::MapCopyToThreadsOp>(step.op);
  PayloadModel &payload = step.payload;
  solver::TermContext &terms = step.terms;
  HandleState source = step.lookup(map.getTarget());
  NodeList loops, tiled;
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    bool present = old.present == Certainty::Yes && old.count.lo > 0;
    bool isCopy = isKind<linalg::CopyOp>(old);
    std::optional<CopyRequest> request;
    unsigned rank = 0;
    if (isCopy && old.space && !old.space->elementTypes.empty()) {
      rank = old.space->loops.size();
      request = makeRequest(map, old.space->elementTypes.back());
      checkStaticLoops(step, target, /*needed=*/true);
    }
    bool isKnown = request && rank >= 1 && rank <= 3 &&
                   llvm::all_of(old.space->loops, [](const Extent &loop) {
                     return loop.size ? *loop.size > 0 && *loop.size < (1 << 16)
                                      : loop.size.isSymbolic();
                   });
    if (!isKnown)
      step.unprove("shares a copy of which the shape is not known");
    else if (!old.space->onTensors)
      step.unprove("shares a copy on buffers");
    std::shared_ptr<LoopFacts> facts;
    std::shared_ptr<IterationSpace> space;
    if (isKnown) {
      facts = std::make_shared<LoopFacts>();
      facts->isForall = facts->isCopy = true;
      facts->hasResults = old.space->onTensors;
      space = std::make_shared<IterationSpace>(*old.space);
      for (unsigned i = 0; i < rank; ++i)
        facts->mapping.push_back(gpu::GPUThreadMappingAttr::get(
            step.op->getContext(),
            static_cast<gpu::MappingId>(
                static_cast<unsigned>(gpu::MappingId::LinearDim0) + rank - 1 -
                i)));
      facts->trips.resize(rank);
    }
    bool isNumber =
        isKnown && llvm::all_of(old.space->loops, [](const Extent &loop) {
          return loop.size.operator bool();
        });
    bool isAsynchronous = hasStep<transform::CreateAsyncGroupsOp>(step.op);
    if (isNumber) {
      SmallVector<int64_t> sizes;
      for (const Extent &loop : old.space->loops)
        sizes.push_back(*loop.size);
      transform::gpu::CopyMappingInfo shared(
          step.op->getContext(), request->numThreads,
          request->elementBits * request->maxVector, sizes,
          /*favorPredication=*/false, request->elementBits);
      if (shared.status == transform::gpu::CopyMappingInfo::Status::Invalid) {
        int64_t vector = std::gcd(request->maxVector, sizes.back());
        step.report(
                "fw-copy-threads",
                "requires a thread for each vector of a row but has " +
                    Twine(request->numThreads) + " threads for rows of " +
                    Twine(sizes.back()) +
                    " elements, of which a thread takes " +
                    (vector == 1 ? Twine("one") : "at most " + Twine(vector)),
                present)
            .note(NoteKind::Established,
                  old.origin ? old.origin->getLoc() : step.op->getLoc(),
                  "the copy is made here")
            .note(NoteKind::Evidence, step.op->getLoc(),
                  "too few threads to map copy op to threads on the most minor "
                  "dimension")
            .note(NoteKind::FixIt, step.op->getLoc(),
                  "use more threads, or smaller tiles");
        facts = nullptr;
        space = nullptr;
      } else if (shared.numThreads.size() != rank) {
        step.unprove("shares a copy of a shape for which upstream fails");
        facts = nullptr;
        space = nullptr;
      } else {
        for (auto [dim, threads] : llvm::enumerate(shared.numThreads)) {
          facts->trips[dim].size = threads;
          space->loops[dim].size = llvm::divideCeil(sizes[dim], threads);
        }
        int64_t bits = *space->loops.back().size * request->elementBits;
        if (isAsynchronous && bits < 32)
          step.warn(
                  "fw-copy-width",
                  "requires that a thread takes 4, 8 or 16 bytes, so that the "
                  "copy can be asynchronous, but it takes " +
                      Twine(llvm::divideCeil(bits, 8)))
              .note(NoteKind::FixIt, step.op->getLoc(),
                    "use tiles of more elements along the innermost "
                    "dimension, or fewer threads");
      }
    } else if (isKnown && rank <= 2) {
      IntTerm inner = *step.analysis.getTerm(old.space->loops.back().size);
      IntTerm outer =
          rank == 2 ? *step.analysis.getTerm(old.space->loops.front().size)
                    : terms.constant(1);
      SharedCopy shared = shareCopy(terms, *request, outer, inner);
      std::string rows = "rows of " + solver::toInfix(inner) + " elements";
      if (rank == 2)
        rows = solver::toInfix(outer) + " " + rows;
      step.require(
          step.op, "copy.threads", shared.fits,
          Twine(request->numThreads) + " threads can share a copy of " + rows +
              ", each at most " + Twine(request->maxVector) + " at once",
          ConstraintKind::Required, present);
      if (hasStep<transform::PipelineSharedMemoryCopiesOp>(step.op))
        step.require(
            step.op, "copy.covers", shared.isFull,
            "each of " + Twine(request->numThreads) +
                " threads has a part of a copy of " + rows +
                ", because a copy that only some make is not pipelined",
            ConstraintKind::Wanted, present);
      if (isAsynchronous)
        step.require(
            step.op, "copy.width",
            terms.lessEqual(
                terms.constant(32),
                terms.mul(shared.vector, terms.constant(request->elementBits))),
            "a thread takes at least 4 bytes of " + rows +
                ", because no other copy is asynchronous",
            ConstraintKind::Wanted, present);
      facts->totalAtMost = request->numThreads;
      llvm::fill(space->loops, Extent());
      space->loops.back().size = Size::of(shared.vector);
    } else if (isKnown) {
      step.unprove("shares a copy of three dimensions that are not all known");
      facts->totalAtMost = request->numThreads;
      llvm::fill(space->loops, Extent());
    }
    NodeId loop = addLoop(payload, target, std::nullopt,
                          getLoopKind<scf::ForallOp>(step.op->getContext()),
                          facts, step.op);
    loops.push_back(loop);
    tiled.push_back(addTiled(payload, target, loop, space, step.op));
    replaceOp(step, target, loop);
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, loops, source.ordered);
  step.setResult(1, tiled, source.ordered);
}

//===----------------------------------------------------------------------===//
// Copies ahead of time
//===----------------------------------------------------------------------===//

/// The op that isolates `node`; the universe if that is not known.
static NodeId getIsolated(const PayloadModel &payload, NodeId node) {
  return payload.getAncestor(node, /*proper=*/true, {"$isolated"})
      .value_or(PayloadModel::universe);
}

/// Whether upstream surely makes several buffers of `alloc`: all its uses stand
/// in one loop, not in loops there, behind it; without `isTrusted`, a copy
/// overwrites it at each step before anything else uses it.
static bool isMultibufferable(memref::AllocOp alloc, bool isTrusted) {
  if (alloc->use_empty())
    return false;
  auto loop = alloc->user_begin()->getParentOfType<LoopLikeOpInterface>();
  bool isOne = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    return user->getParentOfType<LoopLikeOpInterface>() == loop;
  });
  auto steps = loop ? dyn_cast<scf::ForOp>(loop.getOperation()) : scf::ForOp();
  if (!isOne || !steps || steps->isAncestor(alloc))
    return false;
  return isTrusted || llvm::any_of(alloc->getUsers(), [&](Operation *first) {
           auto copy = dyn_cast<memref::CopyOp>(first);
           bool overwrites = copy && copy.getTarget() == alloc &&
                             copy.getSource() != alloc &&
                             copy->getBlock() == steps.getBody();
           return overwrites &&
                  llvm::all_of(alloc->getUsers(), [&](Operation *user) {
                    return user == first ||
                           first->isBeforeInBlock(
                               steps.getBody()->findAncestorOpInBlock(*user));
                  });
         });
}

static void propagateMultibuffer(const Step &step) {
  auto multibuffer = cast<transform::MemRefMultiBufferOp>(step.op);
  auto factor = static_cast<int64_t>(multibuffer.getFactor());
  HandleState target = step.lookup(multibuffer.getTarget());
  for (NodeId node : target.nodes)
    step.state.memory.multibufferings.push_back(
        {getIsolated(step.payload, node), step.op, factor, step.state.guard});
  // What the payload comes with may not be there; what there are several of
  // is.
  confirmGivenMemory(step);
  // An allocation that no loop around uses stays one buffer.
  growWorkgroupMemory(
      step, {factor, factor}, Twine(factor) + " buffers each",
      [&](const WorkgroupBuffer &buffer) {
        const PayloadModel &payload = step.payload;
        auto isIt = [&](NodeId node) {
          return mayBeBuffer(step, buffer, node);
        };
        if (llvm::none_of(target.nodes, isIt))
          return Certainty::No;
        auto alloc = dyn_cast<memref::AllocOp>(buffer.source);
        bool isSure = alloc && buffer.given && buffer.times.lo > 0 &&
                      llvm::is_contained(target.nodes, buffer.node) &&
                      payload.isUntouched(getIsolated(payload, buffer.node)) &&
                      isMultibufferable(alloc, multibuffer.getSkipAnalysis());
        return isSure ? Certainty::Yes : Certainty::Maybe;
      });
  applyClauses(step);
}

/// Whether the payload comes with memory of its own for the threads of a block.
static bool hasWorkgroupMemory(Operation *payload) {
  auto isWorkgroup = [](Type type) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    return memref && memref.getMemorySpace();
  };
  return payload
      ->walk([&](Operation *op) {
        bool has = llvm::any_of(op->getResultTypes(), isWorkgroup) ||
                   llvm::any_of(op->getOperandTypes(), isWorkgroup);
        return has ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// That a loop that is pipelined `depth` deep has as many steps.
static void requirePipelineSteps(const Step &step, NodeId loop, int64_t depth) {
  solver::TermContext &terms = step.terms;
  const Node &node = step.payload[loop];
  bool isKnown = node.loop && node.loop->trips.size() == 1 && node.exact;
  auto requireSteps = [&](const LoopFacts &facts, bool definite) {
    std::optional<IntTerm> trips =
        facts.trips.size() == 1 && !facts.isForall
            ? step.analysis.getTerm(facts.trips.front().size)
            : std::nullopt;
    if (!trips)
      return;
    if (definite && trips->isConstant() && trips->getConstant() < depth) {
      step.report("fw-pipeline-steps",
                  "requires at least " + Twine(depth) +
                      " steps of a loop that is pipelined as deep but it has " +
                      Twine(trips->getConstant()),
                  node.present == Certainty::Yes && node.count.lo > 0)
          .note(NoteKind::Established,
                node.origin ? const_cast<Operation *>(node.origin)->getLoc()
                            : step.op->getLoc(),
                "the loop is made here")
          .note(NoteKind::Evidence, step.op->getLoc(),
                "pipelining preconditions failed")
          .note(NoteKind::FixIt, step.op->getLoc(),
                "use depth = " + Twine(trips->getConstant()) +
                    ", or smaller tiles along the loop");
      return;
    }
    step.require(
        step.op, "pipeline.steps",
        terms.lessEqual(terms.constant(depth), *trips),
        "a loop that is pipelined " + Twine(depth) +
            " deep has at least as many steps, " + solver::toInfix(*trips),
        ConstraintKind::Required,
        definite && node.present == Certainty::Yes && node.count.lo > 0);
  };
  if (isKnown)
    return requireSteps(*node.loop, /*definite=*/true);
  // What is pipelined is a loop with copies into what a block shares.
  for (const auto &[kernel, use] : step.state.memory.uses)
    for (const WorkgroupBuffer &buffer : use.buffers)
      if (buffer.loop && isBufferBelow(step, buffer, loop))
        requireSteps(*buffer.loop, /*definite=*/false);
}

static void propagatePipeline(const Step &step) {
  auto pipeline = cast<transform::PipelineSharedMemoryCopiesOp>(step.op);
  const PayloadModel &payload = step.payload;
  int64_t depth = pipeline.getDepth();
  bool ownBuffers = step.analysis.payloadRoot &&
                    !hasWorkgroupMemory(step.analysis.payloadRoot);
  for (NodeId loop : NodeList(step.lookup(step.op->getOperand(0)).nodes)) {
    if (auto copy = step.state.memory.predicatedCopies.find(loop);
        copy != step.state.memory.predicatedCopies.end())
      step.report(
              "fw-predicated-copy",
              "requires that all threads of a block share what is in the loop "
              "but fewer share a part of it",
              /*definite=*/false)
          .note(NoteKind::Established, copy->second->getLoc(),
                "it is mapped to a block with more threads here")
          .note(NoteKind::Evidence, step.op->getLoc(),
                "cannot find stage 0 ops for pipelining")
          .note(NoteKind::FixIt, copy->second->getLoc(),
                "share it among as many threads as block_dims have");
    requirePipelineSteps(step, loop, depth);
    NodeId scope = getIsolated(payload, loop);
    const Multibuffering *least = nullptr;
    // Where regions are chosen: what each buffering asks for, if it is chosen.
    solver::TermContext &terms = step.terms;
    bool isChosen = step.state.guard.has_value();
    SmallVector<BoolTerm> suffices, areMade;
    for (const Multibuffering &buffers : step.state.memory.multibufferings) {
      bool isHere =
          buffers.scope == PayloadModel::universe ||
          scope == PayloadModel::universe ||
          payload.isAtOrBelow(buffers.scope, scope) != Certainty::No ||
          payload.isAtOrBelow(scope, buffers.scope) != Certainty::No;
      if (!isHere)
        continue;
      if (!least || buffers.factor < least->factor)
        least = &buffers;
      isChosen |= buffers.guard.has_value();
      areMade.push_back(buffers.guard ? *buffers.guard : terms.truth(true));
      suffices.push_back(
          terms.implies(areMade.back(), terms.truth(buffers.factor >= depth)));
    }
    // Of buffers that were there before, it is not known how many they are.
    if (isChosen && depth > 1 && ownBuffers)
      suffices.push_back(terms.anyOf(areMade));
    bool isEnough = least ? least->factor >= depth : depth <= 1 || !ownBuffers;
    // Values for what is open are of no use where all of them race.
    if (isChosen || (step.options.knobsAreOpen && !isEnough)) {
      step.require(step.op, "pipeline.depth",
                   isChosen ? terms.allOf(suffices) : terms.truth(false),
                   "allocations have a buffer for each of the " + Twine(depth) +
                       " copies that are under way at once" +
                       (isChosen ? Twine()
                        : least  ? " but one has " + Twine(least->factor)
                                 : Twine(" but none has more than one")),
                   ConstraintKind::Wanted);
      continue;
    }
    if (isEnough)
      continue;
    Finding &finding =
        step.warn("fw-pipeline-depth",
                  "requires a buffer for each of the " + Twine(depth) +
                      " copies that are under way at once but " +
                      (least ? "an allocation has " + Twine(least->factor)
                             : Twine("no allocation has more than one")) +
                      ", so that a copy overwrites what is still read");
    if (least)
      finding.note(NoteKind::Established, least->step->getLoc(),
                   "it gets its buffers here");
    finding.note(NoteKind::FixIt,
                 least ? least->step->getLoc() : step.op->getLoc(),
                 least ? "use factor = " + Twine(depth)
                       : "before this op: transform.memref.multibuffer with "
                         "factor = " +
                             Twine(depth));
  }
  applyClauses(step);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// Whether an op of `payload` has a tensor, memref or vector of index.
static bool holdsIndices(Operation *payload) {
  auto isOfIndex = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.getElementType().isIndex();
  };
  return payload
      ->walk([&](Operation *op) {
        bool holds = llvm::any_of(op->getResultTypes(), isOfIndex) ||
                     llvm::any_of(op->getOperandTypes(), isOfIndex);
        return holds ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static void propagateAsyncGroups(const Step &step) {
  // Upstream asks how many bits an element has, and an index does not say.
  Operation *payload = step.analysis.payloadRoot;
  if (payload && holdsIndices(payload))
    step.unprove("may make a copy of indices asynchronous, which ends the "
                 "process");
  applyClauses(step);
}

void formwork::verifier::registerCopiesModels(ModelRegistry &models) {
  models.add("async-groups", propagateAsyncGroups, decides{},
             leavesOpen{"works on payload with elements of index"});
  models.add("map-copy", propagateMapCopy,
             decides{"fw-copy-threads", "fw-copy-width", "fw-dynamic-shape"},
             leavesOpen{"shares a copy of a shape for which upstream fails",
                        "shares a copy on buffers"});
  models.add("multibuffer", propagateMultibuffer,
             decides{"fw-workgroup-memory"});
  models.add(
      "pipeline", propagatePipeline,
      decides{"fw-pipeline-depth", "fw-pipeline-steps", "fw-predicated-copy"});
}
