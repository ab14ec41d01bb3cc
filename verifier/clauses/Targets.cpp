//===- Targets.cpp - What a step may consume at once ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of a handle that is consumed are different ones, and none comes
// before what it holds. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Targets.h"
#include "verifier/findings/Suggestions.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

void formwork::verifier::checkDuplicates(const Step &step, OpOperand &operand) {
  if (step.effects.allowsRepeatedHandles(step.op))
    return;
  HandleState &handle = step.lookup(operand.get());
  // The usual case.
  if (handle.count(step.payload).hi <= 1)
    return;
  llvm::SmallDenseSet<NodeId, 8> seen;
  bool definite = false, possible = false;
  for (NodeId node : handle.nodes) {
    bool repeated = !seen.insert(node).second;
    definite |= repeated && step.payload[node].isSurelyThere();
    possible |= repeated || (!step.payload[node].exact &&
                             step.payload[node].present != Certainty::Yes);
  }
  if (definite)
    suggestDeduplicate(step,
                       step.report("fw-duplicate-payload",
                                   "requires each payload op only once but " +
                                       step.nameOf(operand.get()) +
                                       " holds one op more than once",
                                   /*definite=*/true),
                       operand.get());
  else if (handle.isDistinct(step.payload))
    return;
  else if (possible || (handle.nodes.size() > 1 &&
                        llvm::any_of(handle.nodes, [&](NodeId node) {
                          return !step.payload[node].exact;
                        })))
    step.unprove("may consume one payload op more than once");
}

/// Whether the order in which the handle has its ops is that of a walk, which
/// comes to what an op holds before it comes to the op.
static bool isInWalkOrder(const HandleState &handle) {
  return isa_and_nonnull<transform::MatchOp>(handle.origin);
}

void formwork::verifier::checkNesting(const Step &step, OpOperand &operand) {
  // Only ops that go from target to target look, at their first operand.
  const HandleState &handle = step.lookup(operand.get());
  if (operand.getOperandNumber() != 0 || isInWalkOrder(handle) ||
      !step.op->hasTrait<transform::TransformEachOpTrait>())
    return;
  const PayloadModel &payload = step.payload;
  if (handle.nodes.size() == 1 && payload[handle.nodes.front()].exact)
    return;
  llvm::DenseMap<NodeId, unsigned> position;
  for (auto [i, node] : llvm::enumerate(handle.nodes))
    position.try_emplace(node, i);
  std::optional<std::pair<NodeId, NodeId>> found;
  bool isOpen = false;
  for (auto [i, node] : llvm::enumerate(handle.nodes)) {
    // An unknown number of ops may hold each other.
    if (!payload[node].exact)
      isOpen |= (payload[node].count.hi > 1 && !payload.isApart(node)) ||
                llvm::any_of(handle.nodes, [&, node = node](NodeId other) {
                  return other != node &&
                         (payload.isAtOrBelow(other, node) != Certainty::No ||
                          payload.isAtOrBelow(node, other) != Certainty::No);
                });
    payload.walkEveryWay(node, [&, node = node, i = i](NodeId above) {
      auto at = position.find(above);
      if (above == node || at == position.end() ||
          (handle.ordered && at->second > i))
        return true;
      auto isThere = [&](NodeId id) {
        return payload[id].exact && payload[id].present == Certainty::Yes;
      };
      bool isSure = handle.ordered && isThere(node) && isThere(above) &&
                    payload.isAtOrBelow(node, above) == Certainty::Yes;
      if (isSure && !found)
        found = {above, node};
      isOpen |= !isSure;
      return true;
    });
  }
  if (found)
    step.reportOf(operand.get(), "fw-ancestor-first",
                  "requires inner ops before the ops around them but " +
                      step.nameOf(operand.get()) + " holds '" +
                      payload[found->first].kind->getStringRef() +
                      "' before an op inside of it",
                  /*definite=*/true, /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "consumes a handle pointing to an ancestor payload operation "
              "before its descendant")
        .note(NoteKind::FixIt, step.op->getLoc(),
              "merge the handles in the other order, inner ops first");
  else if (isOpen)
    step.unprove("may consume an op before an op inside of it");
}
