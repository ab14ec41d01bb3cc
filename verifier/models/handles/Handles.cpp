//===- Handles.cpp - Models of ops that regroup handles ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts, merges, copies and parts of handles. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Models.h"
#include "verifier/models/handles/Parameters.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

static void propagateCast(const Step &step) {
  HandleState source = step.lookup(step.op->getOperand(0));
  step.setResult(0, source.nodes, source.ordered).distinctAt =
      source.distinctAt;
}

static void propagateMerge(const Step &step) {
  bool deduplicates = step.op->hasAttr("deduplicate");
  NodeList nodes;
  bool ordered = true;
  for (Value operand : step.op->getOperands()) {
    HandleState &part = step.lookup(operand);
    if (part.kind == HandleState::Params)
      return mergeParams(step);
    if (nodes.size() + part.nodes.size() > maxListed) {
      step.unprove(kTooLong.str());
      return step.setOpaque(0);
    }
    // Of values, the nodes do not tell which are the same.
    if (deduplicates && part.kind == HandleState::Values)
      return step.setOpaque(0);
    ordered &= part.ordered;
    for (NodeId node : part.nodes)
      if (!deduplicates || !llvm::is_contained(nodes, node))
        nodes.push_back(node);
  }
  bool fuzzy = llvm::any_of(
      nodes, [&](NodeId node) { return !step.payload[node].exact; });
  if (deduplicates && fuzzy && nodes.size() > 1)
    step.unprove("may merge payload that is the same");
  // What is not known to be another op may be left out.
  if (deduplicates)
    for (NodeId &node : nodes) {
      Count count = step.payload[node].count;
      int64_t fewest = nodes.size() > 1 ? 0
                       : step.payload.isApart(node)
                           ? count.lo
                           : std::min<int64_t>(1, count.lo);
      if (!step.payload[node].exact && count.lo != fewest)
        node = step.payload.addElement(node, {fewest, count.hi}, step.op);
    }
  HandleState &merged = step.setResult(0, nodes, ordered);
  if (deduplicates)
    merged.distinctAt = step.payload.time();
}

static void propagateReplicate(const Step &step) {
  auto replicate = cast<transform::ReplicateOp>(step.op);
  Count times = step.lookup(replicate.getPattern()).count(step.payload);
  constexpr int64_t maxTimes = 64;
  bool isKnown = times.isExact() && times.lo <= maxTimes;
  if (!isKnown)
    step.unprove("replicates a number of times that is not known");
  for (auto [i, value] : llvm::enumerate(replicate.getHandles())) {
    const HandleState part = step.lookup(value);
    size_t size = std::max(part.nodes.size(), part.params.size());
    if (isKnown && size * times.lo > maxListed) {
      isKnown = false;
      step.unprove(kTooLong.str());
    }
    if (!isKnown || part.kind != HandleState::Ops) {
      bool isParam = part.kind == HandleState::Params;
      SmallVector<ParamValue> values;
      for (int64_t time = 0; isKnown && isParam && time < times.lo; ++time)
        llvm::append_range(values, part.params);
      if (isKnown && isParam && !part.params.empty())
        step.analysis.setParams(step.op->getResult(i), step.op, values);
      else if (isParam)
        step.analysis.setOpaqueParam(
            step.op->getResult(i), step.op,
            "is replicated a number of times that is not known");
      else
        step.setOpaque(i);
      continue;
    }
    NodeList nodes;
    for (int64_t time = 0; time < times.lo; ++time)
      llvm::append_range(nodes, part.nodes);
    step.setResult(i, nodes, part.ordered);
  }
}

/// Whether the number of payload ops in a handle suits `split_handle`.
struct SplitFit {
  Count count;
  bool mayBeFewer, passesEmpty, hasOverflow;
  bool tooFew, tooMany, surelyFits;
};

static SplitFit readSplitFit(const Step &step, transform::SplitHandleOp split,
                             const HandleState &source) {
  unsigned numResults = split->getNumResults();
  SplitFit fit;
  fit.count = source.count(step.payload);
  fit.passesEmpty = split.getPassThroughEmptyHandle();
  fit.mayBeFewer = !split.getFailOnPayloadTooSmall();
  fit.hasOverflow = split.getOverflowResult().has_value();
  fit.tooFew = fit.count.hi < numResults && !fit.mayBeFewer &&
               !(fit.passesEmpty && fit.count.lo == 0);
  fit.tooMany = fit.count.lo > numResults && !fit.hasOverflow;
  fit.surelyFits = (fit.count.lo >= numResults || fit.mayBeFewer ||
                    (fit.passesEmpty && fit.count.isExactly(0))) &&
                   (fit.count.hi <= numResults || fit.hasOverflow);
  return fit;
}

static void checkSplitHandle(const Step &step, transform::SplitHandleOp split,
                             const SplitFit &fit) {
  const Count &count = fit.count;
  unsigned numResults = split->getNumResults();
  if (fit.tooFew || fit.tooMany) {
    step.reportOf(split.getHandle(), "fw-cardinality",
                  "requires " + Twine(numResults) + " payload ops in " +
                      step.nameOf(split.getHandle()) + " but it has " +
                      (count.isExact() ? Twine(count.lo)
                                       : "between " + Twine(count.lo) +
                                             " and " + Twine(count.hi)))
        .note(NoteKind::FixIt, step.op->getLoc(),
              count.isExact() ? "split into " + Twine(count.lo) +
                                    (count.lo == 1 ? " result" : " results")
                              : "allow for another number of results with "
                                "'fail_on_payload_too_small' or "
                                "'overflow_result'",
              count.isExact()
                  ? step.analysis.fixes.resizeResults(step.op, count.lo)
                  : TextEdits());
    return;
  }
  // Upstream reserves a negative number of entries, which ends the process. It
  // refuses some numbers before that, which may go unseen.
  bool refusesSome = !fit.mayBeFewer && count.hi > 0;
  bool surelyEnds = fit.hasOverflow && count.hi < numResults &&
                    !(refusesSome && step.state.survivesFailures());
  if (surelyEnds)
    step.reportOf(split.getHandle(), "fw-cardinality",
                  "requires at least " + Twine(numResults) +
                      " payload ops in " + step.nameOf(split.getHandle()) +
                      " for an overflow result but it has at most " +
                      Twine(count.hi),
                  /*definite=*/true, /*silenceable=*/false);
  else if (fit.hasOverflow && count.lo < numResults)
    step.unprove("may split fewer payload ops than results with an overflow "
                 "result, on which MLIR crashes");
  else if (!fit.surelyFits)
    step.unprove("splits a handle whose number of payload ops is not known");
}

/// The elements of the handle; which is which is not known.
static Node makeElements(const Step &step, const HandleState &source,
                         Count count) {
  Node all;
  all.origin = step.op;
  all.count = count;
  if (source.nodes.size() == 1) {
    all.ups.assign({{source.nodes.front(), UpKind::Element}});
    all.kind = step.payload[source.nodes.front()].kind;
    if (!all.kind)
      all.among = step.payload[source.nodes.front()].among;
    all.apart = step.payload.isApart(source.nodes.front());
    return all;
  }
  all.ups.assign({{step.root, UpKind::AtOrInside}});
  // The common kind.
  auto kindOf = [&](NodeId node) { return step.payload[node].kind; };
  if (!source.nodes.empty() &&
      llvm::all_equal(llvm::map_range(source.nodes, kindOf)))
    all.kind = kindOf(source.nodes.front());
  return all;
}

static void propagateSplit(const Step &step) {
  auto split = cast<transform::SplitHandleOp>(step.op);
  HandleState source = step.lookup(split.getHandle());
  unsigned numResults = step.op->getNumResults();
  if (source.kind == HandleState::Params) {
    step.unprove("splits parameters whose number is not known");
    return;
  }
  SplitFit fit = readSplitFit(step, split, source);
  checkSplitHandle(step, split, fit);
  // In payload order, one op for each result, and the rest for that which takes
  // it; results that are left over are empty.
  bool isSimple = source.ordered && fit.count.isExact() && fit.surelyFits &&
                  source.nodes.size() == static_cast<size_t>(fit.count.lo);
  if (isSimple) {
    SmallVector<NodeList> parts(numResults);
    for (auto [i, node] : llvm::enumerate(source.nodes))
      parts[i < numResults ? i : *split.getOverflowResult()].push_back(node);
    for (auto [i, part] : llvm::enumerate(parts))
      step.setResult(i, part);
    return;
  }
  Node all = makeElements(step, source, fit.count);
  NodeId set = step.payload.add(std::move(all));
  bool mayBeEmpty = fit.tooFew || !fit.surelyFits || fit.mayBeFewer ||
                    (fit.passesEmpty && fit.count.lo == 0);
  for (unsigned i = 0; i < numResults; ++i) {
    bool takesRest = fit.hasOverflow && *split.getOverflowResult() == i;
    step.setResult(
        i, step.payload.addElement(
               set, {mayBeEmpty ? 0 : 1, takesRest ? Count::unbounded : 1},
               step.op, step.payload.time()));
  }
}

void formwork::verifier::registerHandlesModels(ModelRegistry &models) {
  models.add("cast", propagateCast);
  models.add("merge-handles", propagateMerge);
  models.add("replicate", propagateReplicate,
             leavesOpen{"replicates a number of times that is not known"});
  models.add("split-handle", propagateSplit, decides{"fw-cardinality"});
}
