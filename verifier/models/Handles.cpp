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

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

void Interpreter::castModel(Operation *op, const Contract &contract) {
  HandleState source = lookup(op->getOperand(0));
  setResult(op, 0, source.nodes, source.ordered).distinctAt = source.distinctAt;
}

void Interpreter::mergeModel(Operation *op, const Contract &contract) {
  bool deduplicates = op->hasAttr("deduplicate");
  NodeList nodes;
  bool ordered = true;
  for (Value operand : op->getOperands()) {
    HandleState &part = lookup(operand);
    if (part.kind == HandleState::Params)
      return mergeParams(op);
    ordered &= part.ordered;
    for (NodeId node : part.nodes)
      if (!deduplicates || !llvm::is_contained(nodes, node))
        nodes.push_back(node);
  }
  bool fuzzy = llvm::any_of(
      nodes, [&](NodeId node) { return !state.payload[node].exact; });
  if (deduplicates && fuzzy && nodes.size() > 1)
    unprove(op, "may merge payload that is the same");
  HandleState &merged = setResult(op, 0, nodes, ordered);
  if (deduplicates)
    merged.distinctAt = state.payload.time();
}

void Interpreter::replicateModel(Operation *op, const Contract &contract) {
  auto replicate = cast<transform::ReplicateOp>(op);
  Count times = lookup(replicate.getPattern()).count(state.payload);
  constexpr int64_t maxTimes = 64;
  bool isKnown = times.isExact() && times.lo <= maxTimes;
  if (!isKnown)
    unprove(op, "replicates a number of times that is not known");
  for (auto [i, value] : llvm::enumerate(replicate.getHandles())) {
    const HandleState part = lookup(value);
    if (!isKnown || part.kind != HandleState::Ops) {
      bool isParam = part.kind == HandleState::Params;
      SmallVector<ParamValue> values;
      for (int64_t time = 0; isKnown && isParam && time < times.lo; ++time)
        llvm::append_range(values, part.params);
      if (isKnown && isParam && !part.params.empty())
        setParams(op->getResult(i), op, values);
      else if (isParam)
        setOpaqueParam(op->getResult(i), op,
                       "is replicated a number of times that is not known");
      else
        setOpaque(op, i);
      continue;
    }
    NodeList nodes;
    for (int64_t time = 0; time < times.lo; ++time)
      llvm::append_range(nodes, part.nodes);
    setResult(op, i, nodes, part.ordered);
  }
}

void Interpreter::splitModel(Operation *op, const Contract &contract) {
  auto split = cast<transform::SplitHandleOp>(op);
  HandleState source = lookup(split.getHandle());
  unsigned numResults = op->getNumResults();
  if (source.kind == HandleState::Params) {
    unprove(op, "splits parameters, of which no count is known");
    return;
  }
  Count count = source.count(state.payload);
  bool passesEmpty = split.getPassThroughEmptyHandle();
  bool mayBeFewer = !split.getFailOnPayloadTooSmall();
  bool hasOverflow = split.getOverflowResult().has_value();
  bool tooFew =
      count.hi < numResults && !mayBeFewer && !(passesEmpty && count.lo == 0);
  bool tooMany = count.lo > numResults && !hasOverflow;
  bool surelyFits = (count.lo >= numResults || mayBeFewer ||
                     (passesEmpty && count.isExactly(0))) &&
                    (count.hi <= numResults || hasOverflow);
  if (tooFew || tooMany) {
    report(op, "fw-cardinality",
           "requires " + Twine(numResults) + " payload ops in " +
               nameOf(split.getHandle()) + " but it has " +
               (count.isExact()
                    ? Twine(count.lo)
                    : "between " + Twine(count.lo) + " and " + Twine(count.hi)))
        .note(NoteKind::Established,
              source.origin ? source.origin->getLoc() : op->getLoc(),
              "handle " + nameOf(split.getHandle()) + " is set here")
        .note(NoteKind::FixIt, op->getLoc(),
              count.isExact() ? "split into " + Twine(count.lo) +
                                    (count.lo == 1 ? " result" : " results")
                              : "allow for another number of results with "
                                "'fail_on_payload_too_small' or "
                                "'overflow_result'",
              count.isExact() ? fixes.resizeResults(op, count.lo)
                              : TextEdits());
  } else if (hasOverflow && count.hi < numResults) {
    // Upstream reserves a negative number of entries, which ends the process.
    report(op, "fw-cardinality",
           "requires at least " + Twine(numResults) + " payload ops in " +
               nameOf(split.getHandle()) +
               " for an overflow result but it has at most " + Twine(count.hi),
           /*definite=*/true, /*silenceable=*/false)
        .note(NoteKind::Established,
              source.origin ? source.origin->getLoc() : op->getLoc(),
              "handle " + nameOf(split.getHandle()) + " is set here");
  } else if (hasOverflow && count.lo < numResults) {
    unprove(op, "may split fewer payload ops than results with an overflow "
                "result, which ends the process");
  } else if (!surelyFits) {
    unprove(op, "splits a handle whose number of payload ops is not known");
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
      setResult(op, i, part);
    return;
  }
  // Elements of the handle; which is which is not known.
  Node all;
  all.origin = op;
  all.count = count;
  for (NodeId node : source.nodes)
    if (all.ups.empty())
      all.ups = state.payload[node].ups;
  if (source.nodes.size() == 1) {
    all.ups.assign({{source.nodes.front(), UpKind::Element}});
    all.kind = state.payload[source.nodes.front()].kind;
    all.apart = state.payload.isApart(source.nodes.front());
  } else {
    all.ups.assign({{root, UpKind::AtOrInside}});
    // What all have in common.
    auto kindOf = [&](NodeId node) { return state.payload[node].kind; };
    if (!source.nodes.empty() &&
        llvm::all_equal(llvm::map_range(source.nodes, kindOf)))
      all.kind = kindOf(source.nodes.front());
  }
  std::optional<OperationName> kind = all.kind;
  NodeId set = state.payload.add(std::move(all));
  int64_t lo =
      tooFew || !surelyFits || mayBeFewer || (passesEmpty && count.lo == 0) ? 0
                                                                            : 1;
  for (unsigned i = 0; i < numResults; ++i) {
    bool takesRest = hasOverflow && *split.getOverflowResult() == i;
    setResult(op, i,
              state.payload.addSomewhere(set, UpKind::Element, kind,
                                         {lo, takesRest ? Count::unbounded : 1},
                                         op));
  }
}
