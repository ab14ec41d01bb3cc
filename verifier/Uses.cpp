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

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

void Interpreter::checkOperands(Operation *op, bool defersConsumption) {
  // An op that takes one handle twice looks at all before it consumes any.
  bool looksFirst = effects->allowsRepeatedHandles(op);
  if (looksFirst)
    for (OpOperand &operand : op->getOpOperands())
      checkUse(op, operand);
  // What an operand consumes, the next ones must not hold, even where it is
  // consumed only when the body begins.
  if (defersConsumption && op->getNumOperands() > 1) {
    state.fork();
    checkOperands(op, /*defersConsumption=*/false);
    state.leave();
    state.endFork();
    return;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!looksFirst)
      checkUse(op, operand);
    if (!effects->consumes(op, operand.get()))
      continue;
    if (isa<transform::TransformParamTypeInterface>(operand.get().getType())) {
      report(op, "fw-param-consumed",
             "requires handles where it consumes but operand #" +
                 Twine(operand.getOperandNumber()) + ", " +
                 nameOf(operand.get()) + ", is a parameter",
             /*definite=*/true, /*silenceable=*/false)
          .note(NoteKind::FixIt, op->getLoc(),
                "mark what takes the parameter 'transform.readonly'");
      continue;
    }
    checkDuplicates(op, operand);
    checkNesting(op, operand);
    if (!defersConsumption)
      consumeHandle(op, operand.get());
  }
}

static bool isThere(const Node &node) {
  return node.present == Certainty::Yes && node.count.lo > 0;
}

NodeList Interpreter::getThere(Value value) {
  NodeList there;
  for (NodeId node : lookup(value).nodes)
    if (isThere(state.payload[node]))
      there.push_back(node);
  return there;
}

void Interpreter::consumeHandle(Operation *op, Value value) {
  HandleState &handle = lookup(value);
  if (handle.kind == HandleState::Params)
    return;
  bool certain = state.certain && !state.mayHaveLeft;
  handle.consumedBy = op;
  handle.consumedForSure = certain;
  for (NodeId node : handle.nodes) {
    state.payload.consume(node, op, certain && isThere(state.payload[node]));
    if (!state.payload[node].exact)
      state.payload.blur(node);
  }
}

void Interpreter::checkUse(Operation *op, OpOperand &operand) {
  HandleState &handle = lookup(operand.get());
  if (handle.kind == HandleState::Params || handle.reported)
    return;
  HandleInvalidation worst = state.getInvalidation(handle);
  if (worst.certainty == Certainty::No) {
    // Never looked at again: what happened up to here left it alone.
    handle.since = std::max(handle.since, state.payload.time());
    return;
  }
  Operation *by = worst.by;
  // That anything may have happened there has been said.
  if (summarized.contains(by) && worst.certainty != Certainty::Yes) {
    handle.since = std::max(handle.since, state.payload.time());
    return;
  }
  bool definite = worst.certainty == Certainty::Yes;
  std::string how = "consumes this handle";
  if (!worst.direct) {
    const Node &consumed = state.payload[worst.event.node];
    std::string kind = consumed.kind
                           ? ("'" + consumed.kind->getStringRef() + "'").str()
                           : std::string("an op");
    if (worst.event.node == worst.dead || worst.event.partial)
      how = "consumes another handle to the same " +
            (consumed.kind ? kind : std::string("op"));
    else
      how = ("consumes " + Twine(kind) + ", which " +
             (definite ? "contains" : "may be or contain") +
             " the payload of this handle")
                .str();
  }
  std::string name = nameOf(operand.get());
  Finding &finding =
      definite
          ? report(op, "fw-use-after-consume",
                   "requires a valid handle but " + name + " is invalidated",
                   /*definite=*/true, /*silenceable=*/false)
          : report(op, "fw-use-after-consume",
                   "requires a valid handle but " + name +
                       " may be invalidated on the path through '" +
                       by->getName().getStringRef() + "'",
                   /*definite=*/false);
  Location established =
      handle.origin ? handle.origin->getLoc() : operand.get().getLoc();
  finding.note(NoteKind::Established, established,
               "handle " + name + " is set here");
  finding.note(NoteKind::Lost, by->getLoc(),
               "'" + by->getName().getStringRef() + "' " + how);
  if (worst.direct && isa<transform::IncludeOp>(by))
    finding.note(NoteKind::Evidence, by->getLoc(),
                 "the sequence marks this argument 'transform.consumed', "
                 "whatever its body does");
  suggestLiveHandle(finding, op, operand.get(), by);
  handle.reported = true;
}

void Interpreter::assumeKinds(Operation *op, const Contract &contract) {
  if (!state.certain || state.suppressed || state.recovers)
    return;
  for (const OperandClause &clause : contract.operands) {
    if (clause.kind != OperandClause::Accepts || !clause.when.empty() ||
        clause.operand >= op->getNumOperands())
      continue;
    bool areNames = llvm::all_of(clause.kinds, [](const KindPattern &kind) {
      return kind.getForm() == KindPattern::Form::Name;
    });
    bool isClass = clause.kinds.size() == 1 && clause.kinds.front().isClass();
    if (!areNames && !isClass)
      continue;
    for (NodeId id : lookup(op->getOperand(clause.operand)).nodes) {
      const Node &node = state.payload[id];
      if (node.kind || node.exact || !node.among.empty() || !node.cls.empty())
        continue;
      Node &known = state.payload.edit(id);
      if (isClass)
        known.cls = clause.kinds.front().getKind();
      else
        for (const KindPattern &kind : clause.kinds)
          known.among.push_back(OperationName(kind, op->getContext()));
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

void Interpreter::checkOperandClauses(Operation *op, const Contract &contract) {
  for (const OperandClause &clause : contract.operands) {
    if (clause.operand >= op->getNumOperands())
      continue;
    if (clause.kind == OperandClause::NeedsAncestor) {
      checkAncestors(op, clause);
      continue;
    }
    Value operand = op->getOperand(clause.operand);
    HandleState &handle = lookup(operand);
    // Whether the clause applies at all.
    bool applies = clause.when.empty();
    Location established =
        handle.origin ? handle.origin->getLoc() : operand.getLoc();
    if (clause.kind == OperandClause::Single) {
      Count count = handle.count(state.payload);
      if (count.isExactly(1))
        continue;
      if (!applies || (count.lo <= 1 && count.hi != 0)) {
        unprove(op, "requires exactly one payload op in a handle of which no "
                    "count is known");
        continue;
      }
      Finding &finding = report(
          op, "fw-cardinality",
          "requires exactly one payload op but " + nameOf(operand) + " has " +
              (count.isExact() ? "" : "at least ") + Twine(count.lo));
      finding.note(NoteKind::Established, established,
                   "handle " + nameOf(operand) + " is set here");
      finding.note(NoteKind::Evidence, op->getLoc(), clause.otherwise);
      continue;
    }
    for (NodeId id : handle.nodes) {
      const Node &node = state.payload[id];
      if (isSurelyOfKind(node, clause.kinds))
        continue;
      bool definite = applies && node.kind && node.count.lo > 0 &&
                      node.present == Certainty::Yes;
      // What another target holds may be gone when its turn comes.
      definite = definite && llvm::none_of(handle.nodes, [&](NodeId other) {
                   return other != id &&
                          state.payload.isAtOrBelow(id, other) != Certainty::No;
                 });
      if (!definite) {
        unprove(op, "may have payload of a kind that it does not accept: " +
                        Twine(clause.otherwise));
        continue;
      }
      Finding &finding = report(op, "fw-wrong-kind",
                                "requires " + describeKinds(clause.kinds) +
                                    " but " + nameOf(operand) + " has '" +
                                    node.kind->getStringRef() + "'");
      finding.note(NoteKind::Established, established,
                   "handle " + nameOf(operand) + " is set here");
      finding.note(NoteKind::Evidence, op->getLoc(), clause.otherwise);
      break;
    }
  }
}
