//===- Control.cpp - Models of ops with regions -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How control flows through sequences, includes and alternatives (DESIGN §5).
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

void Interpreter::sequenceModel(Operation *op, const Contract &contract) {
  auto sequence = cast<transform::SequenceOp>(op);
  Block &body = *sequence.getBodyBlock();
  // What the body consumes of an argument is dead outside from the start.
  consumeOperands(op);
  for (auto [argument, operand] :
       llvm::zip_first(body.getArguments(), op->getOperands()))
    bindFrom(argument, op, HandleState(lookup(operand)));
  for (BlockArgument argument :
       body.getArguments().drop_front(op->getNumOperands()))
    bind(argument, op, root);
  Yields yields;
  visitSuppressing(sequence.getFailurePropagationMode() ==
                       transform::FailurePropagationMode::Suppress,
                   [&](Interpreter &visitor) {
                     visitor.visitRegion(body, {op});
                     yields = visitor.getYields();
                   });
  setYields(op, yields);
}

//===----------------------------------------------------------------------===//
// Named sequences
//===----------------------------------------------------------------------===//

bool Interpreter::enterCallee(Operation *op,
                              transform::NamedSequenceOp callee) {
  if (!llvm::is_contained(callStack, callee.getOperation()))
    return true;
  report(op, "fw-recursive-sequence",
         "requires sequences that do not run themselves but @" +
             callee.getSymName() + " is running",
         /*definite=*/true, /*silenceable=*/false)
      .note(NoteKind::Established, callee.getLoc(), "the sequence is this one");
  summarize(op);
  return false;
}

void Interpreter::checkReadOnly(Operation *op,
                                transform::NamedSequenceOp callee,
                                Time entered) {
  for (auto [i, argument] : llvm::enumerate(callee.getArguments())) {
    if (!callee.getArgAttr(i,
                           transform::TransformDialect::kArgReadOnlyAttrName))
      continue;
    HandleState handle = lookup(argument);
    handle.since = entered + 1;
    handle.consumedBy = nullptr;
    HandleInvalidation dead = state.getInvalidation(handle);
    if (dead.certainty != Certainty::Yes)
      continue;
    warn(op, "fw-readonly-consumed",
         "requires @" + callee.getSymName() + " to only read its argument #" +
             Twine(i) + ", as it is marked, but its payload is consumed")
        .note(NoteKind::Established, callee.getLoc(),
              "the sequence is defined here")
        .note(NoteKind::Lost, dead.by->getLoc(),
              "'" + dead.by->getName().getStringRef() + "' consumes it")
        .note(NoteKind::FixIt, callee.getLoc(),
              "mark the argument 'transform.consumed'");
  }
}

transform::NamedSequenceOp
Interpreter::lookupSequence(Operation *op, SymbolRefAttr name, StringRef what) {
  auto found =
      symbols->lookupNearestSymbolFrom<transform::NamedSequenceOp>(op, name);
  if (found && !found.isExternal())
    return found;
  report(op, "fw-unknown-sequence",
         "requires a " + what + " with a body but has " +
             Twine(found ? "a declaration" : "no such symbol"),
         /*definite=*/true, /*silenceable=*/false);
  return nullptr;
}

void Interpreter::includeModel(Operation *op, const Contract &contract) {
  auto include = cast<transform::IncludeOp>(op);
  transform::NamedSequenceOp callee =
      lookupSequence(op, include.getTarget(), "named sequence");
  if (!callee)
    return applyUnknown(op);
  if (!enterCallee(op, callee))
    return;
  if (isExhausted())
    return summarize(op);

  Yields arguments;
  for (Value operand : op->getOperands())
    arguments.push_back(lookup(operand));
  auto isSame = [](const HandleState &a, const HandleState &b) {
    return a.kind == b.kind && a.nodes == b.nodes && a.ordered == b.ordered &&
           a.params == b.params && a.opaqueReason == b.opaqueReason;
  };
  bool suppresses = include.getFailurePropagationMode() ==
                    transform::FailurePropagationMode::Suppress;
  bool isCertain = state.certain && !state.mayHaveLeft;
  // A call that changed nothing does nothing else in the same state. A policy
  // is asked at each visit, so that with one each visit takes place.
  for (const Call &call : calls[callee]) {
    if (policy || state.guard || call.stamp != state.payload.stamp() ||
        call.certain != isCertain ||
        call.suppressed != (state.suppressed || suppresses) ||
        call.recovers != state.recovers || call.forms != state.forms ||
        !llvm::equal(call.arguments, arguments, isSame))
      continue;
    result.numOps = llvm::SaturatingAdd(result.numOps, call.numOps);
    doubts += call.doubtful;
    setYields(op, call.yields);
    return;
  }

  Call call{arguments,
            isCertain,
            state.suppressed || suppresses,
            state.recovers,
            state.payload.stamp(),
            state.forms,
            {},
            result.numOps,
            false};
  unsigned doubtsBefore = doubts, writesBefore = numWrites;
  Time entered = state.payload.time();
  Block &body = callee.getBody().front();
  for (auto [argument, passed] :
       llvm::zip_first(body.getArguments(), arguments))
    bindFrom(argument, op, passed);
  callStack.push_back(callee);
  visitSuppressing(suppresses, [&](Interpreter &visitor) {
    visitor.visitRegion(body, {op});
    call.yields = visitor.getYields();
  });
  callStack.pop_back();
  checkReadOnly(op, callee, entered);
  // A write asks for the handles that are used later, which the next call may
  // find to be others.
  if (!state.guard && numWrites == writesBefore &&
      call.stamp == state.payload.stamp() && call.forms == state.forms) {
    call.numOps = result.numOps - call.numOps;
    call.doubtful = doubts != doubtsBefore;
    // The latest are the likeliest to come again.
    constexpr size_t maxCalls = 4;
    SmallVector<Call, 0> &known = calls[callee];
    if (known.size() == maxCalls)
      known.erase(known.begin());
    known.push_back(call);
  }
  setYields(op, call.yields);
}

//===----------------------------------------------------------------------===//
// Alternatives
//===----------------------------------------------------------------------===//

void Interpreter::alternativesModel(Operation *op, const Contract &contract) {
  auto alternatives = cast<transform::AlternativesOp>(op);
  NodeList scopes = {root};
  if (alternatives.getScope())
    scopes.assign(lookup(alternatives.getScope()).nodes);
  auto refuse = [&](const Node &node, StringRef why, bool isSure = true) {
    report(op, "fw-alternatives-scope",
           Twine("requires scopes that are isolated from above and lie inside "
                 "another op but ") +
               (alternatives.getScope()
                    ? nameOf(alternatives.getScope()) + " has "
                    : "without a handle it is ") +
               why,
           isSure && node.present == Certainty::Yes && node.count.lo > 0,
           /*silenceable=*/false);
  };
  std::optional<Node> detached;
  for (NodeId scope : scopes) {
    const Node &node = state.payload[scope];
    if (scope == root)
      // Upstream crashes: there is no block to put the result into.
      refuse(node, "the root of the payload");
    else if (llvm::is_contained(state.detached, scope))
      // So is what other alternatives try something on.
      detached = node;
    else if (node.kind && !node.kind.isIsolated())
      refuse(node, ("'" + node.kind->getStringRef() + "'").str());
    else if (!node.exact &&
             (!node.kind || *node.kind == state.payload[root].kind))
      unprove(op, "may be given a scope that is not isolated from above, or "
                  "that is in no other op");
    else if (llvm::any_of(state.detached, [&](NodeId around) {
               return state.payload.isAtOrBelow(around, scope) != Certainty::No;
             }))
      unprove(op, "may be given the scope of the alternatives around it");
  }

  // Each region starts from the same state, on a clone of the scope; the first
  // that succeeds counts, so that one that fails for sure does not.
  consumeOperands(op);
  bool certain = state.certain, recovers = state.recovers;
  NodeList outerDetached = state.detached;
  state.fork();
  std::optional<State::Branch> joined;
  SmallVector<Yields> yields;
  bool succeeds = false, isReached = true;
  for (Region &region : op->getRegions()) {
    unsigned number = region.getRegionNumber();
    state.certain &= isReached;
    state.recovers = true;
    state.detached.append(scopes);
    unsigned doubtsBefore = doubts;
    for (BlockArgument argument : region.getArguments())
      bind(argument, op, scopes);
    visitRegion(region.front(), {op, number});
    succeeds = doubts == doubtsBefore && !state.ended;
    if (state.ended) {
      state.leave();
      continue;
    }
    isReached = false;
    yields.push_back(getYields());
    state.certain = certain;
    state.recovers = recovers;
    state.detached = outerDetached;
    if (joined)
      state.join(std::move(*joined), /*inPart=*/false);
    joined = state.leave();
    if (succeeds)
      break;
  }
  // Nothing is put anywhere before an alternative succeeds.
  if (detached && joined)
    refuse(*detached, "a scope of the alternatives around it", succeeds);
  if (joined)
    state.take(std::move(*joined));
  state.endFork();
  if (!joined)
    report(op, "fw-no-alternative",
           "requires an alternative that succeeds but each of them fails");
  else if (!succeeds)
    unprove(op, "may fail in all its alternatives");
  if (joined)
    setYields(op, yields);
  else
    setEmpty(op);
}

void Interpreter::visitRegionsConservatively(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      bool isSchedule = llvm::any_of(block, [](Operation &inner) {
        return isa<transform::TransformOpInterface>(inner);
      });
      if (!isSchedule)
        continue;
      for (BlockArgument argument : block.getArguments()) {
        NodeId any = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                                std::nullopt, Count(), op);
        bind(argument, op, any);
      }
      visitOptional(op, [&] { visitBlock(block); }, /*inPart=*/true);
    }
}
