//===- Decomposition.cpp - Models of decompositions -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A two-dimensional convolution of which one dimension of the window has size 1
// becomes a one-dimensional one. A softmax becomes reductions and element-wise
// ops. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::verifier;

namespace {
/// The loops of a convolution over its window and the points that it makes.
struct Window {
  unsigned height, width, filterHeight, filterWidth;
  StringRef decomposed;
};
} // namespace

static std::optional<Window> getWindow(OperationName kind) {
  if (isKind<linalg::Conv2DNhwcHwcfOp>(kind))
    return Window{1, 2, 4, 5, linalg::Conv1DNwcWcfOp::getOperationName()};
  if (isKind<linalg::Conv2DNchwFchwOp>(kind))
    return Window{2, 3, 5, 6, linalg::Conv1DNcwFcwOp::getOperationName()};
  return std::nullopt;
}

/// `space` without two loops of one iteration, and the dimensions of operands
/// that only these index.
static std::shared_ptr<const IterationSpace>
dropLoops(const IterationSpace &space, unsigned first, unsigned second,
          MLIRContext *context) {
  auto dropped = std::make_shared<IterationSpace>(space);
  dropped->loops.clear();
  dropped->iterators.clear();
  SmallVector<AffineExpr> renumbered;
  for (unsigned dim = 0; dim < space.loops.size(); ++dim) {
    if (dim == first || dim == second) {
      renumbered.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    renumbered.push_back(getAffineDimExpr(dropped->loops.size(), context));
    dropped->loops.push_back(space.loops[dim]);
    dropped->iterators.push_back(space.iterators[dim]);
  }
  for (AffineMap &map : dropped->maps) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults()) {
      AffineExpr kept = expr.replaceDims(renumbered);
      if (!isa<AffineConstantExpr>(kept))
        results.push_back(kept);
    }
    map = AffineMap::get(dropped->loops.size(), 0, results, context);
  }
  return dropped;
}

/// Whether all operands of a tile of `body` have size 1 where the loops `out`
/// and `filter` of the window, both of one iteration, index them. Upstream
/// drops this dimension of the input, too, which may be longer where tiling
/// did not slice it.
static bool isOneWide(const Node &old, unsigned out, unsigned filter) {
  // Upstream itself tells of an op that no step has changed.
  if (old.op)
    return true;
  auto body = dyn_cast_or_null<linalg::LinalgOp>(old.body);
  bool isTile =
      isa_and_nonnull<transform::TileUsingForOp, transform::TileUsingForallOp>(
          old.origin);
  if (!body || !isTile)
    return false;
  SmallVector<int64_t> ranges = body.getStaticLoopRanges();
  if (ranges[out] != 1 || ranges[filter] != 1)
    return true;
  // The dimensions of the input and of the result are in one order.
  auto input =
      dyn_cast<RankedTensorType>(body.getDpsInputOperand(0)->get().getType());
  return input && input.getDimSize(out) == 1;
}

/// The op that a convolution becomes, and its loops; none if they are not
/// known.
static std::optional<
    std::pair<OperationName, std::shared_ptr<const IterationSpace>>>
getDecomposed(const Node &old) {
  if (!old.kind || !old.space || !old.space->onTensors ||
      old.space->loops.size() != 7)
    return std::nullopt;
  std::optional<Window> window = getWindow(*old.kind);
  if (!window)
    return std::nullopt;
  OperationName given = *old.kind;
  MLIRContext *context = given.getContext();
  const IterationSpace &space = *old.space;
  auto isOne = [&](unsigned loop) {
    return space.loops[loop].isStatic() && space.loops[loop].size == 1;
  };
  // A size that is not known may be 1 as well, and the height comes first.
  bool height = isOne(window->height) && isOne(window->filterHeight) &&
                isOneWide(old, window->height, window->filterHeight);
  auto differs = [&](unsigned loop) {
    return bool(space.loops[loop].size) && !isOne(loop);
  };
  bool width = isOne(window->width) && isOne(window->filterWidth) &&
               isOneWide(old, window->width, window->filterWidth) &&
               (differs(window->height) || differs(window->filterHeight));
  OperationName kind(window->decomposed, context);
  if (height)
    return {{kind,
             dropLoops(space, window->height, window->filterHeight, context)}};
  if (width)
    return {
        {kind, dropLoops(space, window->width, window->filterWidth, context)}};
  return std::nullopt;
}

static void propagateDecompose(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  bool areModelled = llvm::all_of(source.nodes, [&](NodeId target) {
    const Node &old = payload[target];
    const LoneRun *run = old.op ? runAlone(step, /*index=*/0, target) : nullptr;
    return getDecomposed(old) && (!old.op || (run && !run->failure));
  });
  bool areTried = llvm::all_of(source.nodes, [&](NodeId target) {
    const LoneRun *run = runAlone(step, /*index=*/0, target);
    return run && !run->failure;
  });
  if (!areModelled && areTried)
    return applyClauses(step);
  NodeList results;
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    Node fresh = makeBeside(old, step.op);
    fresh.kind = std::nullopt;
    fresh.exact = false;
    const LoneRun *run = runAlone(step, /*index=*/0, target);
    auto decomposed = getDecomposed(old);
    if (decomposed && (old.op ? run && !run->failure : !run)) {
      std::tie(fresh.kind, fresh.space) = *decomposed;
      fresh.exact = old.exact;
      fresh.producers = old.producers;
    } else if (!run || (run->failure && !old.isSurelyThere())) {
      step.unprove("decomposes a window that may be larger than 1");
    } else if (run->failure) {
      formwork::engine::Finding &failure =
          reportTrial(step, *run, /*mayBeMended=*/run->leavesInvalid);
      if (old.kind && getWindow(*old.kind))
        failure.note(formwork::engine::NoteKind::Evidence, step.locOf(old),
                     "requires a window and an output of size 1 along the same "
                     "dimension");
    }
    results.push_back(payload.add(std::move(fresh)));
    payload.inheritContents(target, results.back());
    replaceOp(step, target, results.back());
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, results, source.ordered);
}

/// transform.structured.decompose_interface. Nothing but the softmax itself is
/// replaced: its last part, which divides, is read in its place.
static void propagateDecomposeInterface(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  bool areKnown = llvm::all_of(source.nodes, [&](NodeId target) {
    return isKind<linalg::SoftmaxOp>(payload[target]);
  });
  if (!areKnown)
    return applyClauses(step);
  NodeList made;
  for (NodeId target : source.nodes) {
    doubtYields(payload, target);
    payload.hideTags(target);
    made.push_back(
        payload.add(makePlain<linalg::GenericOp>(payload[target], step.op)));
    replaceOp(step, target, made.back());
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, made, source.ordered);
}

void formwork::verifier::registerDecompositionModels(ModelRegistry &models) {
  models.add("decompose-interface", propagateDecomposeInterface);
  models.add("decompose", propagateDecompose, decides{"fw-step-fails"},
             leavesOpen{"decomposes a window that may be larger than 1"});
}
