//===- DetachedScopes.cpp - What is out of reach ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops around a node that a detached scope keeps out of reach. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/DetachedScopes.h"

using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::mayLackAround(const Analysis &analysis, NodeId node,
                                       ArrayRef<KindPattern> kinds) {
  const PayloadModel &payload = analysis.state.payload;
  std::optional<NodeId> around =
      payload.getAncestor(node, /*proper=*/false, kinds);
  return llvm::any_of(analysis.state.detached, [&](NodeId scope) {
    return payload.isAtOrBelow(node, scope) != Certainty::No &&
           (!around || payload.isAtOrBelow(*around, scope) != Certainty::Yes);
  });
}

bool formwork::verifier::mayNotVerifyAlone(const Analysis &analysis,
                                           NodeId target) {
  const PayloadModel &payload = analysis.state.payload;
  bool mayBeKernel = mayBeOfKind(payload[target], {"gpu.func"});
  return (mayBeKernel && mayLackAround(analysis, target, {"gpu.module"})) ||
         (mayLackAround(analysis, target, {"builtin.module"}) &&
          payload.mayHold(target, "gpu.launch_func"));
}

bool formwork::verifier::mayLackDataLayout(const Analysis &analysis,
                                           NodeId target) {
  const PayloadModel &payload = analysis.state.payload;
  return mayLackAround(analysis, target, {"builtin.module"}) &&
         (!payload[target].kind ||
          payload.getAncestor(target, /*proper=*/false, {"gpu.module"}));
}

Operation *formwork::verifier::getReachableTop(const Analysis &analysis,
                                               Operation *op) {
  const State &state = analysis.state;
  auto isScope = [&](Operation *top) {
    return llvm::any_of(state.detached, [&](NodeId scope) {
      return state.payload[scope].op == top;
    });
  };
  while (op->getParentOp() && !isScope(op))
    op = op->getParentOp();
  return op;
}
