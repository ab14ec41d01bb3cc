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

#include "verifier/models/handles/Steps.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/control/Control.h"
#include "verifier/models/control/Matcher.h"
#include "verifier/step/Step.h"
#include "verifier/step/Walker.h"
#include "verifier/trials/LoneRun.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

void formwork::verifier::propagateMatcher(const Step &step) {
  auto setUnknown = [&] {
    for (unsigned i = 0; i < step.op->getNumResults(); ++i)
      step.setOpaque(i);
  };
  // Inside of another matcher, that one runs it.
  if (step.op->getNumOperands() != 1 ||
      !isa<transform::TransformHandleTypeInterface>(
          step.op->getOperand(0).getType())) {
    step.unprove("asks about something other than one handle of ops, which the "
                 "check does not follow");
    return setUnknown();
  }
  HandleState handle = step.lookup(step.op->getOperand(0));
  Count count = handle.count(step.payload);
  // Nothing is what this one asks for; of several ops, MLIR asks nothing.
  if (isa<transform::MatchOperationEmptyOp>(step.op) && count.hi <= 1) {
    constexpr StringLiteral holds = "requires an empty handle but has an op";
    if (count.lo == 1)
      step.reportOf(step.op->getOperand(0), "fw-step-fails", holds);
    else if (count.hi == 1)
      step.unprove("matches payload that may not be empty",
                   /*silenceable=*/true);
    return;
  }
  if (!count.isExactly(1) || handle.nodes.size() != 1) {
    constexpr StringLiteral unsure = "matches an unknown number of payload ops";
    requireOne(step, step.op->getOperand(0), unsure, /*silenceable=*/false);
    if (count.isExactly(1))
      step.unprove(unsure);
    return setUnknown();
  }
  const Node held = step.payload[handle.nodes.front()];
  OwningOpRef<ModuleOp> module = wrapInSequence(step.op);
  auto sequence = *module->getOps<transform::NamedSequenceOp>().begin();
  MatcherAnswer answer =
      Matcher(sequence, step.contracts)
          .ask(held, /*isPristine=*/step.payload.isAsGiven());
  bool isThere = held.present == Certainty::Yes;
  if (answer.failure) {
    step.report(
            "fw-matcher-failed",
            "requires a matcher that accepts or rejects each op but it fails",
            isThere && answer.failsForSure, /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(), *answer.failure);
    return setUnknown();
  }
  if (answer.certainty == Certainty::No)
    step.reportOf(step.op->getOperand(0), "fw-step-fails",
                  "fails here: the payload of " +
                      step.nameOf(step.op->getOperand(0)) +
                      " is not what it asks for",
                  isThere);
  else if (answer.certainty == Certainty::Maybe)
    step.unprove("asks for a property of the payload that is not known");
  if (answer.found.size() != step.op->getNumResults() ||
      answer.certainty != Certainty::Yes)
    return setUnknown();
  for (auto [i, found] : llvm::enumerate(answer.found)) {
    Value result = step.op->getResult(i);
    if (isa<transform::TransformParamTypeInterface>(result.getType())) {
      SmallVector<ParamValue> values;
      for (Size param : found.params)
        values.push_back({param});
      step.analysis.setParams(result, step.op, values);
      continue;
    }
    NodeList nodes;
    for (Operation *one : found.ops)
      nodes.push_back(step.payload.lookup(one));
    HandleState &made = step.setResult(i, nodes);
    // A value can be an argument of the op that was found.
    made.mayHoldArguments =
        isa<transform::TransformValueHandleTypeInterface>(result.getType());
  }
}

static void propagateSelect(const Step &step) {
  auto select = cast<transform::SelectOp>(step.op);
  HandleState source = step.lookup(select.getTarget());
  NodeList nodes;
  for (NodeId id : source.nodes) {
    const Node &node = step.payload[id];
    if (node.kind) {
      if (node.kind->getStringRef() == select.getOpName())
        nodes.push_back(id);
      continue;
    }
    // Those of them that are of the kind, if any.
    nodes.push_back(step.payload.addSomewhere(
        id, UpKind::Element,
        OperationName(select.getOpName(), step.op->getContext()),
        {0, node.count.hi}, step.op));
  }
  step.setResult(0, nodes, source.ordered);
}

static void propagateOpaque(const Step &step, Walker &walk) {
  step.unprove("runs patterns of its own, which can do anything");
  applyWrite(step, nullptr);
  visitRegionsConservatively(step, walk);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i)
    step.setOpaque(i);
}

void formwork::verifier::registerStepsModels(ModelRegistry &models) {
  models.add("matcher", propagateMatcher,
             decides{"fw-cardinality", "fw-matcher-failed", "fw-step-fails"});
  models.add("select", propagateSelect);
  models.add("opaque", propagateOpaque,
             leavesOpen{"runs patterns of its own, which can do anything"});
}
