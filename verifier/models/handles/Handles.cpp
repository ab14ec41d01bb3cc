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
    ordered &= part.ordered;
    for (NodeId node : part.nodes)
      if (!deduplicates || !llvm::is_contained(nodes, node))
        nodes.push_back(node);
  }
  bool fuzzy = llvm::any_of(
      nodes, [&](NodeId node) { return !step.payload[node].exact; });
  if (deduplicates && fuzzy && nodes.size() > 1)
    step.unprove("may merge payload that is the same");
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

static void propagateSplit(const Step &step) {
  auto split = cast<transform::SplitHandleOp>(step.op);
  HandleState source = step.lookup(split.getHandle());
  unsigned numResults = step.op->getNumResults();
  if (source.kind == HandleState::Params) {
    step.unprove("splits parameters whose number is not known");
    return;
  }
  Count count = source.count(step.payload);
  bool passesEmpty = split.getPassThroughEmptyHandle();
  bool mayBeFewer = !split.getFailOnPayloadTooSmall();
  bool hasOverflow = split.getOverflowResult().has_value();
  bool tooFew =
      count.hi < numResults && !mayBeFewer && !(passesEmpty && count.lo == 0);
  bool tooMany = count.lo > numResults && !hasOverflow;
  // Upstream reserves a negative number of entries, which ends the process. It
  // refuses some numbers before that, which may go unseen.
  bool refusesSome = !mayBeFewer && count.hi > 0;
  bool surelyEnds = hasOverflow && count.hi < numResults &&
                    !(refusesSome && step.state.survivesFailures());
  bool surelyFits = (count.lo >= numResults || mayBeFewer ||
                     (passesEmpty && count.isExactly(0))) &&
                    (count.hi <= numResults || hasOverflow);
  if (tooFew || tooMany) {
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
  } else if (surelyEnds) {
    step.reportOf(split.getHandle(), "fw-cardinality",
                  "requires at least " + Twine(numResults) +
                      " payload ops in " + step.nameOf(split.getHandle()) +
                      " for an overflow result but it has at most " +
                      Twine(count.hi),
                  /*definite=*/true, /*silenceable=*/false);
  } else if (hasOverflow && count.lo < numResults) {
    step.unprove("may split fewer payload ops than results with an overflow "
                 "result, on which MLIR crashes");
  } else if (!surelyFits) {
    step.unprove("splits a handle whose number of payload ops is not known");
  }
  // In payload order, one op for each result, and the rest for that which takes
  // it; results that are left over are empty.
  bool isSimple = source.ordered && count.isExact() && surelyFits &&
                  source.nodes.size() == static_cast<size_t>(count.lo);
  if (isSimple) {
    SmallVector<NodeList> parts(numResults);
    for (auto [i, node] : llvm::enumerate(source.nodes))
      parts[i < numResults ? i : *split.getOverflowResult()].push_back(node);
    for (auto [i, part] : llvm::enumerate(parts))
      step.setResult(i, part);
    return;
  }
  // Elements of the handle; which is which is not known.
  Node all;
  all.origin = step.op;
  all.count = count;
  for (NodeId node : source.nodes)
    if (all.ups.empty())
      all.ups = step.payload[node].ups;
  if (source.nodes.size() == 1) {
    all.ups.assign({{source.nodes.front(), UpKind::Element}});
    all.kind = step.payload[source.nodes.front()].kind;
    all.apart = step.payload.isApart(source.nodes.front());
  } else {
    all.ups.assign({{step.root, UpKind::AtOrInside}});
    // The common kind.
    auto kindOf = [&](NodeId node) { return step.payload[node].kind; };
    if (!source.nodes.empty() &&
        llvm::all_equal(llvm::map_range(source.nodes, kindOf)))
      all.kind = kindOf(source.nodes.front());
  }
  std::optional<OperationName> kind = all.kind;
  NodeId set = step.payload.add(std::move(all));
  int64_t lo =
      tooFew || !surelyFits || mayBeFewer || (passesEmpty && count.lo == 0) ? 0
                                                                            : 1;
  for (unsigned i = 0; i < numResults; ++i) {
    bool takesRest = hasOverflow && *split.getOverflowResult() == i;
    step.setResult(i, step.payload.addSomewhere(
                          set, UpKind::Element, kind,
                          {lo, takesRest ? Count::unbounded : 1}, step.op));
  }
}

void formwork::verifier::registerHandlesModels(ModelRegistry &models) {
  models.add("cast", propagateCast);
  models.add("merge-handles", propagateMerge);
  models.add("replicate", propagateReplicate,
             leavesOpen{"replicates a number of times that is not known"});
  models.add("split-handle", propagateSplit, decides{"fw-cardinality"});
}
