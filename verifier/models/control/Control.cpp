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

#include "verifier/models/control/Control.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/step/Step.h"
#include "verifier/step/Walker.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

static void propagateSequence(const Step &step, Walker &walk) {
  auto sequence = cast<transform::SequenceOp>(step.op);
  Block &body = *sequence.getBodyBlock();
  // A handle whose argument the body consumes is invalid outside from the
  // start.
  consumeOperands(step);
  for (auto [argument, operand] :
       llvm::zip_first(body.getArguments(), step.op->getOperands()))
    bindFrom(step, argument, step.op, HandleState(step.lookup(operand)));
  for (BlockArgument argument :
       body.getArguments().drop_front(step.op->getNumOperands()))
    step.bind(argument, step.op, step.root);
  Yields yields;
  walk.visitSuppressing(sequence.getFailurePropagationMode() ==
                            transform::FailurePropagationMode::Suppress,
                        [&](Walker &visitor) {
                          visitor.visitRegion(body, {step.op});
                          yields = visitor.getYields();
                        });
  setYields(step, yields);
}

//===----------------------------------------------------------------------===//
// Named sequences
//===----------------------------------------------------------------------===//

bool formwork::verifier::enterCallee(const Step &step, Walker &walk,
                                     transform::NamedSequenceOp callee) {
  if (!llvm::is_contained(walk.callStack, callee.getOperation()))
    return true;
  step.report("fw-recursive-sequence",
              "requires sequences that do not run themselves but @" +
                  callee.getSymName() + " does",
              /*definite=*/true, /*silenceable=*/false)
      .note(NoteKind::Established, callee.getLoc(),
            "the sequence is defined here");
  summarize(step);
  return false;
}

/// Reports an argument that `callee` says it only reads, and consumes.
static void checkReadOnly(const Step &step, transform::NamedSequenceOp callee,
                          Time entered) {
  for (auto [i, argument] : llvm::enumerate(callee.getArguments())) {
    if (!callee.getArgAttr(i,
                           transform::TransformDialect::kArgReadOnlyAttrName))
      continue;
    HandleState handle = step.lookup(argument);
    handle.since = entered + 1;
    handle.consumedBy = nullptr;
    HandleInvalidation dead = step.state.getInvalidation(handle);
    if (dead.certainty != Certainty::Yes)
      continue;
    step.warn("fw-readonly-consumed",
              "requires @" + callee.getSymName() +
                  " to only read its argument #" + Twine(i) +
                  ", which is marked 'transform.readonly', but the payload of "
                  "the argument is consumed")
        .note(NoteKind::Established, callee.getLoc(),
              "the sequence is defined here")
        .note(NoteKind::Lost, dead.by->getLoc(),
              "'" + dead.by->getName().getStringRef() + "' consumes it")
        .note(NoteKind::FixIt, callee.getLoc(),
              "mark the argument 'transform.consumed'");
  }
}

transform::NamedSequenceOp
formwork::verifier::lookupSequence(const Step &step, SymbolRefAttr name,
                                   StringRef what) {
  auto found =
      step.analysis.symbols
          ->lookupNearestSymbolFrom<transform::NamedSequenceOp>(step.op, name);
  if (found && !found.isExternal())
    return found;
  step.report("fw-unknown-sequence",
              "requires a " + what + " with a body but has " +
                  Twine(found ? "a declaration" : "no such symbol"),
              /*definite=*/true, /*silenceable=*/false);
  return nullptr;
}

static void propagateInclude(const Step &step, Walker &walk) {
  auto include = cast<transform::IncludeOp>(step.op);
  transform::NamedSequenceOp callee =
      lookupSequence(step, include.getTarget(), "named sequence");
  if (!callee)
    return applyUnknown(step, walk);
  if (!enterCallee(step, walk, callee))
    return;
  if (walk.isExhausted())
    return summarize(step);

  Yields arguments;
  for (Value operand : step.op->getOperands())
    arguments.push_back(step.lookup(operand));
  auto isSame = [](const HandleState &a, const HandleState &b) {
    return a.kind == b.kind && a.nodes == b.nodes && a.ordered == b.ordered &&
           a.params == b.params && a.opaqueReason == b.opaqueReason;
  };
  bool suppresses = include.getFailurePropagationMode() ==
                    transform::FailurePropagationMode::Suppress;
  bool isCertain = step.state.isReached();
  // A call that changed nothing does nothing else in the same state. A policy
  // is asked at each visit, so that with one each visit takes place.
  for (const Walker::Call &call : walk.calls[callee]) {
    if (step.analysis.policy || step.state.guard ||
        call.stamp != step.payload.stamp() || call.certain != isCertain ||
        call.suppressed != (step.state.suppressed || suppresses) ||
        call.recovers != step.state.recovers ||
        call.forms != step.state.forms ||
        !llvm::equal(call.arguments, arguments, isSame))
      continue;
    step.analysis.outcome.result.numOps =
        llvm::SaturatingAdd(step.analysis.outcome.result.numOps, call.numOps);
    // A few sequences that include each other twice run for days.
    constexpr unsigned maxSteps = 10'000'000;
    if (step.analysis.outcome.result.numOps > maxSteps)
      step.unprove("runs more than 10 million steps, which may take very long");
    step.analysis.outcome.doubts += call.doubtful;
    setYields(step, call.yields);
    return;
  }

  Walker::Call call{arguments,
                    isCertain,
                    step.state.suppressed || suppresses,
                    step.state.recovers,
                    step.payload.stamp(),
                    step.state.forms,
                    {},
                    step.analysis.outcome.result.numOps,
                    false};
  unsigned doubtsBefore = step.analysis.outcome.doubts,
           writesBefore = step.analysis.outcome.numWrites;
  Time entered = step.payload.time();
  Block &body = callee.getBody().front();
  for (auto [argument, passed] :
       llvm::zip_first(body.getArguments(), arguments))
    bindFrom(step, argument, step.op, passed);
  walk.callStack.push_back(callee);
  walk.visitSuppressing(suppresses, [&](Walker &visitor) {
    visitor.visitRegion(body, {step.op});
    call.yields = visitor.getYields();
  });
  walk.callStack.pop_back();
  checkReadOnly(step, callee, entered);
  // A write asks for the handles that are used later, which the next call may
  // find to be others.
  if (!step.state.guard && step.analysis.outcome.numWrites == writesBefore &&
      call.stamp == step.payload.stamp() && call.forms == step.state.forms) {
    call.numOps = step.analysis.outcome.result.numOps - call.numOps;
    call.doubtful = step.analysis.outcome.doubts != doubtsBefore;
    // The latest are the likeliest to come again.
    constexpr size_t maxCalls = 4;
    SmallVector<Walker::Call, 0> &known = walk.calls[callee];
    if (known.size() == maxCalls)
      known.erase(known.begin());
    known.push_back(call);
  }
  setYields(step, call.yields);
}

//===----------------------------------------------------------------------===//
// Alternatives
//===----------------------------------------------------------------------===//

static void propagateAlternatives(const Step &step, Walker &walk) {
  auto alternatives = cast<transform::AlternativesOp>(step.op);
  NodeList scopes = {step.root};
  if (alternatives.getScope())
    scopes.assign(step.lookup(alternatives.getScope()).nodes);
  auto refuse = [&](const Node &node, StringRef why, bool isSure = true) {
    step.report(
        "fw-alternatives-scope",
        Twine("requires scopes that are isolated from above and lie inside "
              "another op but ") +
            (alternatives.getScope()
                 ? step.nameOf(alternatives.getScope()) + " is "
                 : "without a handle the scope is ") +
            why,
        isSure && node.isSurelyThere(),
        /*silenceable=*/false);
  };
  std::optional<Node> detached;
  for (NodeId scope : scopes) {
    const Node &node = step.payload[scope];
    if (scope == step.root)
      // Upstream crashes: there is no block to put the result into.
      refuse(node, "the root of the payload");
    else if (llvm::is_contained(step.state.detached, scope))
      // So is what other alternatives try something on.
      detached = node;
    else if (node.kind && !node.kind.isIsolated())
      refuse(node, ("'" + node.kind->getStringRef() + "'").str());
    else if (!node.exact &&
             (!node.kind || *node.kind == step.payload[step.root].kind))
      step.unprove("may be given a scope that is not isolated from above, or "
                   "that is in no other op");
    else if (llvm::any_of(step.state.detached, [&](NodeId around) {
               return step.payload.isAtOrBelow(around, scope) != Certainty::No;
             }))
      step.unprove("may be given the scope of the alternatives around it");
  }

  // Each region starts from the same state, on a clone of the scope; the first
  // that succeeds counts, so that one that fails for sure does not.
  consumeOperands(step);
  bool mayHaveLeft = step.state.mayHaveLeft;
  step.state.fork();
  std::optional<State::Branch> joined;
  SmallVector<Yields> yields;
  bool succeeds = false, isReached = true;
  for (Region &region : step.op->getRegions()) {
    unsigned number = region.getRegionNumber();
    step.state.certain &= isReached;
    step.state.recovers = true;
    step.state.detached.append(scopes);
    unsigned doubtsBefore = step.analysis.outcome.doubts;
    for (BlockArgument argument : region.getArguments())
      step.bind(argument, step.op, scopes);
    walk.visitRegion(region.front(), {step.op, number});
    succeeds =
        step.analysis.outcome.doubts == doubtsBefore && !step.state.ended;
    if (step.state.ended) {
      step.state.leave();
      continue;
    }
    isReached = false;
    yields.push_back(walk.getYields());
    if (joined)
      step.state.join(std::move(*joined), /*inPart=*/false);
    joined = step.state.leave();
    if (succeeds)
      break;
  }
  // Nothing is put anywhere before an alternative succeeds.
  if (detached && joined)
    refuse(*detached, "a scope of the alternatives around it", succeeds);
  if (joined)
    step.state.take(std::move(*joined));
  step.state.endFork();
  // A failure left an alternative, not what is around all of them.
  step.state.mayHaveLeft = mayHaveLeft;
  if (!joined)
    step.report("fw-no-alternative",
                "requires an alternative that succeeds but each of them fails");
  else if (!succeeds)
    step.unprove("may fail in all its alternatives");
  if (joined)
    setYields(step, yields);
  else
    step.setEmpty();
}

void formwork::verifier::visitRegionsConservatively(const Step &step,
                                                    Walker &walk) {
  for (Region &region : step.op->getRegions())
    for (Block &block : region) {
      bool isSchedule = llvm::any_of(block, [](Operation &inner) {
        return isa<transform::TransformOpInterface>(inner);
      });
      if (!isSchedule)
        continue;
      for (BlockArgument argument : block.getArguments()) {
        NodeId any = step.payload.addSomewhere(step.root, UpKind::AtOrInside,
                                               std::nullopt, Count(), step.op);
        step.bind(argument, step.op, any);
      }
      walk.visitOptional(
          step.op, [&] { walk.visitBlock(block); }, /*inPart=*/true);
    }
}

void formwork::verifier::registerControlModels(ModelRegistry &models) {
  models.add("sequence", propagateSequence);
  models.add("include", propagateInclude,
             decides{"fw-readonly-consumed", "fw-recursive-sequence",
                     "fw-unknown-sequence"});
  models.add("alternatives", propagateAlternatives,
             decides{"fw-alternatives-scope", "fw-no-alternative"});
}

void formwork::verifier::applyUnknown(const Step &step, Walker &walk) {
  StringRef name = step.op->getName().getStringRef();
  // The contract and the declared effects of the op are read together.
  if (!step.effects.isStep(step.op) && step.contracts.lookup(name)) {
    step.unprove(
        "has no contract that is used, because it is not registered as a "
        "transform op here");
  } else {
    step.analysis.outcome.withoutContract.insert(name);
    step.unprove("has no contract");
  }
  applyWrite(step, nullptr);
  visitRegionsConservatively(step, walk);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i)
    step.setOpaque(i);
}
