//===- Miscompilations.cpp - Steps that change what is computed ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Miscompilations.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

static const MiscompilationRegistry &getMiscompilations() {
  static const MiscompilationRegistry registry = [] {
    MiscompilationRegistry steps;
    addMiscompiledTiles(steps);
    addMiscompiledBodies(steps);
    addMiscompiledLoops(steps);
    addMiscompiledRewrites(steps);
    return steps;
  }();
  return registry;
}

void formwork::verifier::warnOfMiscompilation(const Step &step) {
  ArrayRef<FindMiscompiled> finds = getMiscompilations().lookup(step.op);
  if (finds.empty())
    return;
  const HandleState &handle = step.lookup(step.op->getOperand(0));
  if (handle.kind != HandleState::Ops)
    return;
  for (NodeId id : handle.nodes) {
    const Node &node = step.payload[id];
    std::optional<Miscompiled> found;
    for (FindMiscompiled find : finds)
      if (!found)
        found = find(step, id);
    if (!found)
      continue;
    Operation *op = found->op ? found->op : node.op ? node.op : node.body;
    if (!op)
      continue;
    Finding &finding =
        step.warn("fw-step-miscompiles",
                  (found->reachesOut ? "lets '" : "changes what '") +
                      op->getName().getStringRef() +
                      (found->reachesOut ? "' access elements out of bounds: "
                                         : "' computes: ") +
                      found->why)
            .note(NoteKind::Evidence, op->getLoc(), "the op");
    if (!found->fix.empty())
      finding.note(NoteKind::FixIt, step.op->getLoc(), found->fix);
    return;
  }
}
