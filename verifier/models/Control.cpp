//===- Control.cpp - Models of ops with regions -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How control flows through sequences, includes, loops and alternatives over
// payload (DESIGN §5). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "engine/Check.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

void Interpreter::consumeOperands(Operation *op) {
  auto transformOp = cast<transform::TransformOpInterface>(op);
  for (Value operand : op->getOperands())
    if (transform::isHandleConsumed(operand, transformOp))
      consumeHandle(op, operand);
}

void Interpreter::sequenceModel(Operation *op, const Contract &contract) {
  auto sequence = cast<transform::SequenceOp>(op);
  Block &body = *sequence.getBodyBlock();
  // What the body consumes of an argument is dead outside from the start.
  consumeOperands(op);
  for (auto [argument, operand] :
       llvm::zip_first(body.getArguments(), op->getOperands()))
    bind(argument, op, NodeList(lookup(operand).nodes));
  for (BlockArgument argument :
       body.getArguments().drop_front(op->getNumOperands()))
    bind(argument, op, root);
  bool wasSuppressed = state.suppressed;
  state.suppressed |= sequence.getFailurePropagationMode() ==
                      transform::FailurePropagationMode::Suppress;
  if (state.suppressed)
    unprove(op, "suppresses failures, after which the payload may be changed "
                "in part");
  visitRegion(body, {op});
  state.suppressed = wasSuppressed;
  for (auto [i, yielded] : llvm::enumerate(lastTerminator->getOperands()))
    setResult(op, i, NodeList(lookup(yielded).nodes));
}

void Interpreter::includeModel(Operation *op, const Contract &contract) {
  auto include = cast<transform::IncludeOp>(op);
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
          op, include.getTarget());
  if (!callee || callee.isExternal()) {
    report(op, "fw-unknown-sequence",
           "requires a named sequence with a body but has " +
               Twine(callee ? "a declaration" : "no such symbol"),
           /*definite=*/true, /*silenceable=*/false);
    applyUnknown(op);
    return;
  }
  FW_CHECK(!llvm::is_contained(callStack, callee.getOperation()),
           "the dialect's verifier lets no sequence include itself");
  Block &body = callee.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_first(body.getArguments(), op->getOperands())) {
    HandleState passed = lookup(operand);
    HandleState &bound = bind(argument, op, passed.nodes);
    bound.ordered = passed.ordered;
    bound.params = passed.params;
    bound.opaqueReason = passed.opaqueReason;
  }
  callStack.push_back(callee);
  bool wasSuppressed = state.suppressed;
  state.suppressed |= include.getFailurePropagationMode() ==
                      transform::FailurePropagationMode::Suppress;
  if (state.suppressed)
    unprove(op, "suppresses failures, after which the payload may be changed "
                "in part");
  visitRegion(body, {op});
  state.suppressed = wasSuppressed;
  callStack.pop_back();
  for (auto [i, yielded] : llvm::enumerate(lastTerminator->getOperands())) {
    HandleState from = lookup(yielded);
    HandleState &to = setResult(op, i, from.nodes, from.ordered);
    to.params = from.params;
    to.opaqueReason = from.opaqueReason;
  }
}

void Interpreter::foreachModel(Operation *op, const Contract &contract) {
  auto foreach = cast<transform::ForeachOp>(op);
  Block &body = foreach.getBody().front();
  Count trips = Count{0, Count::unbounded};
  for (Value target : foreach.getTargets()) {
    HandleState &handle = lookup(target);
    if (handle.kind == HandleState::Params) {
      trips = Count();
      break;
    }
    Count count = handle.count(state.payload);
    if (target == foreach.getTargets().front())
      trips = count;
    else if (!(trips == count))
      trips = Count();
  }
  if (!trips.isExact())
    unprove(op, "iterates over a number of payload ops that is not known");
  auto finish = [&](bool visited) {
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      NodeList nodes;
      if (visited && i < lastTerminator->getNumOperands())
        nodes.assign(lookup(lastTerminator->getOperand(i)).nodes);
      if (visited && trips.isExactly(1))
        setResult(op, i, nodes);
      else if (visited)
        setOpaque(op, i);
      else
        setResult(op, i, {});
    }
  };
  consumeOperands(op);
  Time entered = state.payload.time();
  if (trips.hi == 0)
    return finish(/*visited=*/false);

  // An exact list is walked entry by entry, as the interpreter does; of any
  // other, one entry stands for all, twice, so that what an iteration leaves is
  // seen by the next.
  bool unrolls = trips.isExact() && trips.hi <= 64;
  if (unrolls)
    for (Value target : foreach.getTargets())
      unrolls &= static_cast<int64_t>(lookup(target).nodes.size()) == trips.hi;
  bool wasCertain = state.certain;
  int64_t rounds = unrolls ? trips.hi : (trips.hi == 1 ? 1 : 2);
  state.certain &= unrolls || trips.lo >= 1;
  SmallVector<NodeList> yielded(op->getNumResults());
  for (int64_t round = 0; round < rounds; ++round) {
    if (!unrolls && round == 1)
      state.certain &= trips.lo >= 2;
    state.payload.tick();
    for (auto [argument, target] :
         llvm::zip_first(body.getArguments(), foreach.getTargets())) {
      HandleState source = lookup(target);
      if (source.kind == HandleState::Params) {
        bind(argument, op, {});
        continue;
      }
      NodeId entry = PayloadModel::universe;
      if (unrolls) {
        entry = source.nodes[round];
      } else {
        NodeId scope = source.nodes.size() == 1 ? source.nodes.front() : root;
        entry = state.payload.addSomewhere(
            scope,
            source.nodes.size() == 1 ? UpKind::Element : UpKind::AtOrInside,
            state.payload[scope].kind, Count::exactly(1), op);
      }
      HandleState &bound = bind(argument, op, entry);
      // The list was taken when the loop began: what an earlier iteration
      // consumed of it is dead here.
      bound.since = entered + 1;
    }
    // Unless the iterations are known one by one, the last round stands for all
    // that follow.
    bool standsForMore = !unrolls && round + 1 == rounds && trips.hi != 1;
    visitRegion(body, {op, /*region=*/0, round,
                       standsForMore ? RegionVisit::anyLater : round});
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      if (i < lastTerminator->getNumOperands())
        llvm::append_range(yielded[i],
                           lookup(lastTerminator->getOperand(i)).nodes);
  }
  state.certain = wasCertain;
  finish(/*visited=*/true);
  if (unrolls)
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      setResult(op, i, yielded[i]);
}

void Interpreter::alternativesModel(Operation *op, const Contract &contract) {
  // Each region starts from the same state, on a clone of the scope; the first
  // that succeeds counts. That is the first region when it is known to succeed,
  // else any of them.
  consumeOperands(op);
  State before = state;
  bool firstProved = true;
  for (Region &region : op->getRegions()) {
    bool isFirst = region.getRegionNumber() == 0;
    unsigned known = unproved.size();
    State after = state;
    state = before;
    state.certain &= isFirst;
    state.suppressed = true;
    Block &body = region.front();
    for (BlockArgument argument : body.getArguments()) {
      NodeList nodes = {root};
      if (op->getNumOperands() != 0)
        nodes.assign(lookup(op->getOperand(0)).nodes);
      bind(argument, op, nodes);
      llvm::append_range(state.detached, nodes);
    }
    visitRegion(body, {op, region.getRegionNumber()});
    if (isFirst) {
      firstProved = unproved.size() == known;
      SmallVector<NodeList> yielded;
      for (Value value : lastTerminator->getOperands())
        yielded.emplace_back(lookup(value).nodes);
      for (unsigned i = 0; i < op->getNumResults(); ++i)
        setResult(op, i,
                  i < yielded.size() ? ArrayRef<NodeId>(yielded[i])
                                     : ArrayRef<NodeId>());
      state.certain = before.certain;
      state.suppressed = before.suppressed;
      state.detached = before.detached;
      if (firstProved)
        break;
      continue;
    }
    state = std::move(after);
  }
  if (!firstProved) {
    // Whatever region it was, only the scope and what is below can differ.
    state = std::move(before);
    NodeId scope = root;
    if (op->getNumOperands() != 0 &&
        lookup(op->getOperand(0)).nodes.size() == 1)
      scope = lookup(op->getOperand(0)).nodes.front();
    static const normalforms::KindPatterns any = {"*"};
    state.payload.touch(scope, any, any);
    state.forms.write(state.payload, scope, nullptr);
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      setResult(op, i,
                state.payload.addSomewhere(scope, UpKind::AtOrInside,
                                           std::nullopt, Count(), op),
                /*ordered=*/false);
  }
}

void Interpreter::visitRegionsConservatively(Operation *op) {
  bool wasCertain = state.certain;
  state.certain = false;
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
      visitBlock(block);
    }
  state.certain = wasCertain;
}
