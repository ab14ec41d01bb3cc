//===- FollowedHandles.cpp - Handles that are worth a look ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/report/FollowedHandles.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

/// A handle that has no use yet may get one in a step that is being written.
static constexpr unsigned kStepsBehind = 32;

FollowedHandles::Scope &FollowedHandles::getScope(Block *block) {
  auto [found, isNew] = scopes.try_emplace(block);
  if (isNew)
    for (Operation &op : *block)
      found->second.numbers.try_emplace(&op, found->second.numbers.size());
  return found->second;
}

void FollowedHandles::follow(Scope &scope, Value value, unsigned number) {
  unsigned lastUse = number;
  for (Operation *user : value.getUsers())
    if (Operation *at = value.getParentBlock()->findAncestorOpInBlock(*user))
      lastUse = std::max(lastUse, scope.numbers.lookup(at));
  scope.followed.push_back({value, lastUse, lastUse + kStepsBehind});
}

FollowedHandles::Scope &FollowedHandles::goTo(Operation *step, Callback leave) {
  Block *block = step->getBlock();
  Scope &scope = getScope(block);
  unsigned number = scope.numbers.lookup(step);
  // The body of a loop begins again.
  if (!scope.at || number < scope.numbers.lookup(scope.at)) {
    scope.at = nullptr;
    scope.followed.clear();
    for (Value argument : block->getArguments())
      follow(scope, argument, 0);
  }
  while (scope.at != step) {
    scope.at = scope.at ? scope.at->getNextNode() : &block->front();
    for (Value result : scope.at->getResults())
      follow(scope, result, scope.numbers.lookup(scope.at));
  }
  llvm::erase_if(scope.followed, [&](const Followed &one) {
    if (one.end >= number)
      return false;
    leave(one.value);
    return true;
  });
  return scope;
}

void FollowedHandles::visit(Operation *step, Callback look, Callback leave) {
  for (const Followed &one : goTo(step, leave).followed)
    look(one.value);
  // Handles of the regions around that nothing uses from here on can wait for
  // the end of the step that holds this one.
  for (Operation *at = step->getParentOp(); at && at->getBlock();
       at = at->getParentOp()) {
    Scope &scope = goTo(at, leave);
    unsigned number = scope.numbers.lookup(at);
    for (const Followed &one : scope.followed)
      if (one.lastUse >= number)
        look(one.value);
  }
  Block *block = step->getBlock();
  Operation *next = step->getNextNode();
  if (next && next != &block->back())
    return;
  for (Value argument : block->getArguments())
    look(argument);
  for (Operation &op : *block)
    for (Value result : op.getResults())
      look(result);
}
