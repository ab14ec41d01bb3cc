//===- Steps.cpp - Models of matchers and selections as steps ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matchers of one op that stand in a schedule by themselves, selection by name,
// and what runs code that no contract can describe. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/models/LoneRun.h"
#include "verifier/models/Matcher.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

void Interpreter::matcherModel(Operation *op, const Contract &contract) {
  auto setUnknown = [&] {
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      setOpaque(op, i);
  };
  // Inside of another matcher, that one runs it.
  if (op->getNumOperands() != 1 ||
      !isa<transform::TransformHandleTypeInterface>(
          op->getOperand(0).getType())) {
    unprove(op, "asks about something else than one op, which is not known");
    return setUnknown();
  }
  HandleState handle = lookup(op->getOperand(0));
  Count count = handle.count(state.payload);
  if (!count.isExactly(1) || handle.nodes.size() != 1) {
    if (count.lo > 1 || count.hi == 0)
      report(op, "fw-cardinality",
             "requires exactly one payload op but " +
                 nameOf(op->getOperand(0)) + " has " +
                 (count.isExact() ? "" : "at least ") + Twine(count.lo),
             /*definite=*/true, /*silenceable=*/false)
          .note(NoteKind::Established,
                handle.origin ? handle.origin->getLoc()
                              : op->getOperand(0).getLoc(),
                "handle " + nameOf(op->getOperand(0)) + " is set here");
    else
      unprove(op, "matches payload of which the number is not known");
    return setUnknown();
  }
  const Node held = state.payload[handle.nodes.front()];
  OwningOpRef<ModuleOp> module = wrapInSequence(op);
  auto sequence = *module->getOps<transform::NamedSequenceOp>().begin();
  MatcherAnswer answer =
      Matcher(sequence).ask(held.kind, held.op,
                            /*isPristine=*/state.payload.isAsGiven());
  bool isThere = held.present == Certainty::Yes;
  if (answer.failure) {
    report(op, "fw-matcher-failed",
           "requires a matcher that decides but it fails",
           isThere && answer.failsForSure, /*silenceable=*/false)
        .note(NoteKind::Evidence, op->getLoc(), *answer.failure);
    return setUnknown();
  }
  if (answer.certainty == Certainty::No)
    report(op, "fw-step-fails",
           "fails here: the payload of " + nameOf(op->getOperand(0)) +
               " is not what it asks for",
           isThere)
        .note(NoteKind::Established,
              handle.origin ? handle.origin->getLoc()
                            : op->getOperand(0).getLoc(),
              "handle " + nameOf(op->getOperand(0)) + " is set here");
  else if (answer.certainty == Certainty::Maybe)
    unprove(op, "asks for what is not known of the payload");
  if (answer.found.size() != op->getNumResults() ||
      answer.certainty != Certainty::Yes)
    return setUnknown();
  for (auto [i, found] : llvm::enumerate(answer.found)) {
    Value result = op->getResult(i);
    if (isa<transform::TransformParamTypeInterface>(result.getType())) {
      SmallVector<ParamValue> values;
      for (Size param : found.params)
        values.push_back({param});
      setParams(result, op, values);
      continue;
    }
    NodeList nodes;
    for (Operation *one : found.ops)
      nodes.push_back(state.payload.lookup(one));
    HandleState &made = setResult(op, i, nodes);
    // A value can be an argument of the op that was found.
    made.mayHoldArguments =
        isa<transform::TransformValueHandleTypeInterface>(result.getType());
  }
}

void Interpreter::selectModel(Operation *op, const Contract &contract) {
  auto select = cast<transform::SelectOp>(op);
  HandleState source = lookup(select.getTarget());
  NodeList nodes;
  for (NodeId id : source.nodes) {
    const Node &node = state.payload[id];
    if (node.kind) {
      if (node.kind->getStringRef() == select.getOpName())
        nodes.push_back(id);
      continue;
    }
    // Those of them that are of the kind, if any.
    nodes.push_back(state.payload.addSomewhere(
        id, UpKind::Element,
        OperationName(select.getOpName(), op->getContext()), {0, node.count.hi},
        op));
  }
  setResult(op, 0, nodes, source.ordered);
}

void Interpreter::opaqueModel(Operation *op, const Contract &contract) {
  unprove(op, "runs patterns of its own, which can do anything");
  applyWrite(op, nullptr);
  visitRegionsConservatively(op);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setOpaque(op, i);
}
