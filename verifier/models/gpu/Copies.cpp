//===- Copies.cpp - Models of steps that take copies ahead ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Taking copies ahead: how many buffers, and how many steps of a loop. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "engine/AnyBelow.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/EffectRules.h"
#include "verifier/models/Models.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/TransformOps/MemRefTransformOps.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

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

/// Buffers are multiplied only if each of their uses is in a loop.
static std::optional<std::string> explainOneBuffer(Operation *target) {
  if (!isa<memref::AllocOp>(target))
    return std::nullopt;
  for (Operation *user : target->getUsers())
    if (!isa<memref::DeallocOp>(user) &&
        !user->getParentOfType<LoopLikeOpInterface>())
      return ("'" + user->getName().getStringRef() +
              "' uses it outside of loops")
          .str();
  return std::nullopt;
}

static void propagateMultibuffer(const Step &step) {
  auto multibuffer = cast<transform::MemRefMultiBufferOp>(step.op);
  auto factor = static_cast<int64_t>(multibuffer.getFactor());
  HandleState target = step.lookup(multibuffer.getTarget());
  for (NodeId node : target.nodes)
    step.state.memory.multibufferings.push_back(
        {getIsolated(step.payload, node), step.op, factor, step.state.guard});
  // A single buffer of the payload may be erased; one of several is certain.
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

/// Whether an op of `payload` has a tensor, memref or vector of a type that
/// `isOne` accepts.
static bool holdsShaped(Operation *payload,
                        llvm::function_ref<bool(ShapedType)> isOne) {
  auto isShaped = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && isOne(shaped);
  };
  return anyBelow(payload, [&](Operation *op) {
    return llvm::any_of(op->getResultTypes(), isShaped) ||
           llvm::any_of(op->getOperandTypes(), isShaped);
  });
}

/// Whether the payload comes with memory of its own for the threads of a block.
static bool hasWorkgroupMemory(Operation *payload) {
  return holdsShaped(payload, [](ShapedType type) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    return memref && memref.getMemorySpace();
  });
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
    BoolTerm areEnough = terms.lessEqual(terms.constant(depth), *trips);
    Requirement need{"pipeline.steps",
                     "a loop that is pipelined " + std::to_string(depth) +
                         " deep has at least as many iterations, " +
                         solver::toInfix(*trips),
                     definite && node.isSurelyThere()};
    if (!definite)
      return step.require(step.op, need.constraint, areEnough, need.text,
                          need.kind, need.definite);
    require(step, need, areEnough, [&] {
      step.report(
              "fw-pipeline-steps",
              "requires at least " + Twine(depth) +
                  " iterations, the depth of the pipeline, but the loop has " +
                  solver::toInfix(*trips),
              need.definite)
          .note(NoteKind::Established,
                node.origin ? const_cast<Operation *>(node.origin)->getLoc()
                            : step.op->getLoc(),
                "the loop is made here")
          .note(NoteKind::Evidence, step.op->getLoc(),
                "pipelining preconditions failed")
          .note(NoteKind::FixIt, step.op->getLoc(),
                "use depth = " + solver::toInfix(*trips) +
                    ", or smaller tiles along the loop");
    });
  };
  if (isKnown)
    return requireSteps(*node.loop, /*definite=*/true);
  // A loop is pipelined if it has copies into workgroup memory.
  for (const auto &[kernel, use] : step.state.memory.uses)
    for (const WorkgroupBuffer &buffer : use.buffers)
      if (buffer.loop && isBufferBelow(step, buffer, loop))
        requireSteps(*buffer.loop, /*definite=*/false);
}

static constexpr StringLiteral kSpaceIsNoNumber =
    "may meet a transfer from a memory space that is no number, which MLIR "
    "takes for one";

/// Whether `loop` may read a vector from memory whose space is no number, given
/// or made by a step. Upstream casts the space without asking, and reads past
/// the attribute.
static bool mayReadNamedSpace(const PayloadModel &payload, NodeId loop) {
  return !payload.isUntouched(loop) ||
         anyBelow(payload[loop].op, [](vector::TransferReadOp read) {
           auto memref = dyn_cast<BaseMemRefType>(read.getShapedType());
           return memref && memref.getMemorySpace() &&
                  !isa<IntegerAttr>(memref.getMemorySpace());
         });
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
      step.report("fw-predicated-copy",
                  "requires that all threads of a block share the copies in "
                  "the loop but fewer share one of them",
                  /*definite=*/false)
          .note(NoteKind::Established, copy->second->getLoc(),
                "the copy is mapped to a block with more threads here")
          .note(NoteKind::Evidence, step.op->getLoc(),
                "cannot find stage 0 ops for pipelining")
          .note(NoteKind::FixIt, copy->second->getLoc(),
                "share the copy among as many threads as block_dims have");
    requirePipelineSteps(step, loop, depth);
    if (mayReadNamedSpace(payload, loop)) {
      step.unprove(kSpaceIsNoNumber);
      // Memory beyond the attribute is another in each process.
      step.analysis.knowsOnlyKinds = false;
    }
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
    // The number of buffers that existed before is not known.
    if (isChosen && depth > 1 && ownBuffers)
      suffices.push_back(terms.anyOf(areMade));
    bool isEnough = least ? least->factor >= depth : depth <= 1 || !ownBuffers;
    // Values for what is open are of no use where all of them race.
    if (isChosen || (step.options.knobsAreOpen && !isEnough)) {
      step.require(step.op, "pipeline.depth",
                   isChosen ? terms.allOf(suffices) : terms.truth(false),
                   "allocations have a buffer for each of the " + Twine(depth) +
                       " copies that are in flight at once" +
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
                      " copies that are in flight at once but " +
                      (least ? "an allocation has " + Twine(least->factor)
                             : Twine("no allocation has more than one")) +
                      ", so a copy overwrites data that is still to be read");
    if (least)
      finding.note(NoteKind::Established, least->step->getLoc(),
                   "the allocation gets its buffers here");
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

static void propagateAsyncGroups(const Step &step) {
  Operation *payload = step.analysis.payloadRoot;
  // Upstream asks how many bits an element has, and an index does not say.
  if (payload && holdsShaped(payload, [](ShapedType type) {
        return type.getElementType().isIndex();
      }))
    step.unprove("may make a copy of 'index' elements asynchronous, on which "
                 "MLIR crashes");
  // It asks of each transfer whether it is in bounds of its first dimension.
  if (payload && holdsShaped(payload, [](ShapedType type) {
        return type.hasRank() && type.getRank() == 0;
      }))
    step.unprove("may meet a transfer of a vector without dimensions, on which "
                 "MLIR crashes");
  applyClauses(step);
}

void formwork::verifier::addCopiesEffects(EffectRegistry &effects) {
  effects.add<transform::MemRefMultiBufferOp>(
      {.explainIdle = explainOneBuffer});
}

void formwork::verifier::registerCopiesModels(ModelRegistry &models) {
  models.add(
      "async-groups", propagateAsyncGroups, decides{},
      leavesOpen{"works on payload with 'index' elements, or with shapes "
                 "without dimensions"});
  models.add("multibuffer", propagateMultibuffer,
             decides{"fw-workgroup-memory"});
  models.add(
      "pipeline", propagatePipeline,
      decides{"fw-pipeline-depth", "fw-pipeline-steps", "fw-predicated-copy"},
      leavesOpen{kSpaceIsNoNumber});
}
