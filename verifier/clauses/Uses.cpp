//===- Uses.cpp - The use of handles ----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether what a step is given is alive and of a kind that it takes.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Uses.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/clauses/OtherNames.h"
#include "verifier/clauses/Targets.h"
#include "verifier/findings/Requirements.h"
#include "verifier/findings/Suggestions.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

static void checkUse(const Step &step, OpOperand &operand);

void formwork::verifier::checkOperands(const Step &step,
                                       bool defersConsumption) {
  // An op that takes one handle twice looks at all before it consumes any.
  bool looksFirst = step.effects.allowsRepeatedHandles(step.op);
  if (looksFirst)
    for (OpOperand &operand : step.op->getOpOperands())
      checkUse(step, operand);
  // A later operand must not hold ops that an earlier one consumes, even if
  // they are consumed only when the body begins.
  if (defersConsumption && step.op->getNumOperands() > 1) {
    step.state.fork();
    checkOperands(step, /*defersConsumption=*/false);
    step.state.leave();
    step.state.endFork();
    return;
  }
  for (OpOperand &operand : step.op->getOpOperands()) {
    if (!looksFirst)
      checkUse(step, operand);
    if (!step.effects.consumes(step.op, operand.get()))
      continue;
    if (isa<transform::TransformParamTypeInterface>(operand.get().getType())) {
      step.report("fw-param-consumed",
                  "requires a handle for operand #" +
                      Twine(operand.getOperandNumber()) +
                      ", which is consumed, but " + step.nameOf(operand.get()) +
                      " is a parameter",
                  /*definite=*/true, /*silenceable=*/false)
          .note(NoteKind::FixIt, step.op->getLoc(),
                "mark the argument that takes the parameter "
                "'transform.readonly'");
      continue;
    }
    checkDuplicates(step, operand);
    checkNesting(step, operand);
    if (!defersConsumption)
      consumeHandle(step, operand.get());
  }
}

static bool isThere(const Node &node) { return node.isSurelyThere(); }

NodeList Analysis::getThere(Value value) {
  NodeList there;
  for (NodeId node : lookup(value).nodes)
    if (isThere(state.payload[node]))
      there.push_back(node);
  return there;
}

/// Whether a sequence that is called itself calls another one. A handle
/// that this one only declares consumed is consumed for its caller; the other
/// callers are not told.
static bool isInnerCall(const Step &step) {
  return isa<transform::IncludeOp>(step.op) &&
         llvm::any_of(step.analysis.running, [&](Operation *op) {
           return op != step.op &&
                  isa<transform::IncludeOp, transform::ForeachMatchOp>(op);
         });
}

void formwork::verifier::consumeHandle(const Step &step, Value value) {
  HandleState &handle = step.lookup(value);
  if (handle.kind == HandleState::Params)
    return;
  bool certain = step.state.isReached();
  handle.consumedBy = step.op;
  handle.consumedForSure = certain;
  // With payload, another name of the handle holds what is consumed.
  if (handle.nodes.empty())
    for (Value other : getOtherNames(value, *step.analysis.symbols))
      if (HandleState *known = step.state.handles.find(other)) {
        known->consumedBy = step.op;
        known->consumedForSure = false;
      }
  certain &= !isInnerCall(step);
  for (NodeId node : handle.nodes) {
    step.payload.consume(node, step.op, certain && isThere(step.payload[node]));
    if (!step.payload[node].exact)
      step.payload.blur(node);
  }
}

void formwork::verifier::checkForgotten(const Step &step, Value value) {
  if (step.lookup(value).mayBeForgotten(step.payload))
    step.unprove("uses " + step.nameOf(value) +
                 ", whose values may all have been erased: MLIR does not "
                 "survive that");
}

static void checkUse(const Step &step, OpOperand &operand) {
  HandleState &handle = step.lookup(operand.get());
  if (handle.kind == HandleState::Params || handle.reported)
    return;
  HandleInvalidation worst = step.state.getInvalidation(handle);
  if (worst.certainty == Certainty::No) {
    // Never looked at again: what happened up to here left it alone.
    handle.since = std::max(handle.since, step.payload.time());
    checkForgotten(step, operand.get());
    return;
  }
  Operation *by = worst.by;
  // That anything may have happened there has been said.
  if (step.analysis.outcome.summarized.contains(by) &&
      worst.certainty != Certainty::Yes) {
    handle.since = std::max(handle.since, step.payload.time());
    return;
  }
  bool definite = worst.certainty == Certainty::Yes;
  std::string how = "consumes this handle";
  if (!worst.direct) {
    const Node &consumed = step.payload[worst.event.node];
    std::string kind = consumed.kind
                           ? ("'" + consumed.kind->getStringRef() + "'").str()
                           : std::string("an op");
    bool isOwnResult = !definite && handle.origin == by &&
                       isa<transform::NamedSequenceOp>(by->getParentOp());
    if (isOwnResult)
      how = "consumes several targets, of which one may be inside another: the "
            "result for the inner one may be erased with the outer one";
    else if (worst.event.node == worst.dead || worst.event.partial)
      how = "consumes another handle to the same " +
            (consumed.kind ? kind : std::string("op"));
    else
      how = ("consumes " + Twine(kind) + ", which " +
             (definite ? "contains" : "may be or contain") +
             " the payload of this handle")
                .str();
  }
  std::string name = step.nameOf(operand.get());
  Finding &finding =
      definite ? step.report("fw-use-after-consume",
                             "requires a valid handle but " + name +
                                 " is invalidated",
                             /*definite=*/true, /*silenceable=*/false)
               : step.report("fw-use-after-consume",
                             "requires a valid handle but " + name +
                                 " may be invalidated on the path through '" +
                                 by->getName().getStringRef() + "'",
                             /*definite=*/false);
  step.noteSet(finding, operand.get());
  finding.note(NoteKind::Lost, by->getLoc(),
               "'" + by->getName().getStringRef() + "' " + how);
  if (worst.direct && isa<transform::IncludeOp>(by))
    finding.note(NoteKind::Evidence, by->getLoc(),
                 "the sequence marks this argument 'transform.consumed', "
                 "whatever its body does");
  suggestLiveHandle(step, finding, operand.get(), by);
  handle.reported = true;
}

void formwork::verifier::assumeKinds(const Step &step) {
  if (!step.state.certain || step.state.survivesFailures())
    return;
  for (const OperandClause &clause : step.contract.operands) {
    if (clause.kind != OperandClause::Accepts || !clause.when.empty() ||
        clause.operand >= step.op->getNumOperands())
      continue;
    bool areNames = llvm::all_of(clause.kinds, [](const KindPattern &kind) {
      return kind.getForm() == KindPattern::Form::Name;
    });
    bool isClass = clause.kinds.size() == 1 && clause.kinds.front().isClass();
    if (!areNames && !isClass)
      continue;
    for (NodeId id : step.lookup(step.op->getOperand(clause.operand)).nodes) {
      const Node &node = step.payload[id];
      if (node.kind || node.exact || !node.among->isEmpty())
        continue;
      AmongFacts &known = step.payload.edit(id).among.edit();
      if (isClass)
        known.cls = clause.kinds.front().getKind();
      else
        for (const KindPattern &kind : clause.kinds)
          known.kinds.push_back(OperationName(kind, step.op->getContext()));
    }
  }
}

/// The kinds of a contract in words: `a loop or 'func.func'`.
static std::string describeKinds(ArrayRef<KindPattern> kinds) {
  auto describe = [](StringRef kind) {
    return llvm::StringSwitch<std::string>(kind)
        .Case("$loop", "a loop")
        .Case("$isolated", "an op isolated from above")
        .Case("$structured", "a structured op")
        .Case("$tileable", "a tileable op")
        .Default(("'" + kind + "'").str());
  };
  return llvm::join(llvm::map_range(kinds, describe), " or ");
}

void formwork::verifier::checkOperandClauses(const Step &step) {
  for (const OperandClause &clause : step.contract.operands) {
    if (clause.operand >= step.op->getNumOperands())
      continue;
    if (clause.kind == OperandClause::NeedsAncestor) {
      checkAncestors(step, clause);
      continue;
    }
    Value operand = step.op->getOperand(clause.operand);
    HandleState &handle = step.lookup(operand);
    // Whether the clause applies at all.
    bool applies = clause.when.empty();
    if (clause.kind == OperandClause::Single) {
      constexpr StringLiteral unsure =
          "requires exactly one payload op, and the number of ops in the "
          "handle is not known";
      Count count = handle.count(step.payload);
      if (!applies && !count.isExactly(1))
        step.unprove(unsure);
      else if (Finding *finding = requireOne(step, operand, unsure)) {
        finding->note(NoteKind::Evidence, step.op->getLoc(), clause.otherwise);
        if (count.lo > 1)
          finding->note(NoteKind::FixIt, step.op->getLoc(),
                        isa<transform::MatchOp>(step.op)
                            ? "match in one op that all of them are in, or "
                              "repeat the step with transform.foreach"
                            : "split the handle with transform.split_handle, "
                              "or repeat the step with transform.foreach");
      }
      continue;
    }
    for (NodeId id : handle.nodes) {
      const Node &node = step.payload[id];
      if (isSurelyOfKind(node, clause.kinds))
        continue;
      bool definite = applies && node.kind && node.isSurelyThere();
      // The ops inside of another target may be erased before the step visits
      // them.
      definite = definite && llvm::none_of(handle.nodes, [&](NodeId other) {
                   return other != id &&
                          step.payload.isAtOrBelow(id, other) != Certainty::No;
                 });
      if (!definite) {
        step.unprove("may have payload of a kind that it does not accept: " +
                     Twine(clause.otherwise));
        continue;
      }
      step.reportOf(operand, "fw-wrong-kind",
                    "requires " + describeKinds(clause.kinds) + " but " +
                        step.nameOf(operand) + " has '" +
                        node.kind->getStringRef() + "'")
          .note(NoteKind::Evidence, step.op->getLoc(), clause.otherwise);
      break;
    }
  }
}
