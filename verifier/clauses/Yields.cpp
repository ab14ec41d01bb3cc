//===- Yields.cpp - What regions yield --------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins what the paths through an op yield. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Yields.h"
#include "verifier/clauses/Uses.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork::verifier;

HandleState &formwork::verifier::bindFrom(Analysis &analysis, Value value,
                                          Operation *origin,
                                          const HandleState &from) {
  HandleState &handle = analysis.bind(value, origin, from.nodes);
  handle.ordered = from.ordered;
  handle.distinctAt = from.distinctAt;
  handle.params = from.params;
  handle.opaqueReason = from.opaqueReason;
  return handle;
}

HandleState
formwork::verifier::joinYields(const Step &step,
                               ArrayRef<const HandleState *> yields) {
  HandleState joined = *yields.front();
  bool same = llvm::all_of(yields, [&](const HandleState *one) {
    return one->nodes == joined.nodes;
  });
  std::optional<Count> count;
  std::optional<OperationName> kind;
  bool sameKind = true;
  for (const HandleState *one : yields) {
    Count mine = one->count(step.payload);
    count = count ? Count{std::min(count->lo, mine.lo),
                          std::max(count->hi, mine.hi)}
                  : mine;
    joined.ordered &= one->ordered;
    joined.joinDistinct(*one);
    joined.reported |= one->reported;
    joined.since = std::min(joined.since, one->since);
    if (one->params != joined.params) {
      bool sameLength = one->params.size() == joined.params.size();
      joined.params.assign(sameLength ? joined.params.size() : 0, ParamValue());
    }
    if (one->consumedBy != joined.consumedBy) {
      joined.consumedBy =
          joined.consumedBy ? joined.consumedBy : one->consumedBy;
      joined.consumedForSure = false;
    }
    for (NodeId node : one->nodes) {
      sameKind &= step.payload[node].kind &&
                  (!kind || *kind == *step.payload[node].kind);
      kind = step.payload[node].kind;
    }
  }
  if (same || joined.kind == HandleState::Params)
    return joined;
  if (!sameKind)
    kind = std::nullopt;
  joined.ordered = count->hi <= 1;
  joined.nodes.assign({step.payload.addSomewhere(step.root, UpKind::AtOrInside,
                                                 kind, *count, step.op)});
  return joined;
}

void formwork::verifier::setYields(const Step &step, ArrayRef<Yields> paths,
                                   unsigned first) {
  for (unsigned i = first; i < step.op->getNumResults(); ++i) {
    SmallVector<const HandleState *> yields;
    for (const Yields &path : paths)
      if (i - first < path.size())
        yields.push_back(&path[i - first]);
    if (yields.empty()) {
      step.setOpaque(i);
      continue;
    }
    HandleState joined = joinYields(step, yields);
    // No path sees the changes of another.
    joined.since = step.payload.time() + 1;
    setYield(step, i, joined);
  }
}

void formwork::verifier::setYield(const Step &step, unsigned index,
                                  const HandleState &yield) {
  HandleInvalidation dead = step.state.getInvalidation(yield);
  HandleState &result = step.setResult(index, yield.nodes, yield.ordered);
  result.distinctAt = yield.distinctAt;
  result.params = yield.params;
  result.opaqueReason = yield.opaqueReason;
  result.reported = yield.reported;
  if (dead.certainty == Certainty::No)
    return;
  result.consumedBy = dead.by;
  result.consumedForSure = dead.certainty == Certainty::Yes;
}

void formwork::verifier::consumeOperands(const Step &step) {
  for (Value operand : step.op->getOperands())
    if (step.effects.consumes(step.op, operand))
      consumeHandle(step, operand);
}

void formwork::verifier::summarize(const Step &step) {
  step.unprove("runs a sequence that was followed so often that the check does "
               "not follow it again");
  step.analysis.outcome.summarized.insert(step.op);
  static const normalforms::KindPatterns any = {"*"};
  step.payload.touch(step.root, any, any);
  step.payload.loosen(step.root);
  step.state.forms.write(step.payload, step.root, nullptr);
  NodeId some = step.payload.addSomewhere(step.root, UpKind::AtOrInside,
                                          std::nullopt, Count(), step.op);
  step.payload.consume(some, step.op, /*certain=*/false);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i)
    step.setOpaque(i);
}
