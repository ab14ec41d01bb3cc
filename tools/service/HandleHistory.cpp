//===- HandleHistory.cpp - What is known of handles, step by step ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/HandleHistory.h"

#include "engine/SourcePlace.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using verifier::HandleSummary;

/// A handle in a loop changes each time that the check comes by; more of it
/// tells a reader nothing.
static constexpr size_t kMaxEvents = 24;
/// Behind a name, there is room for so many.
static constexpr size_t kMaxForms = 2;
/// A handle that has no use yet may get one in a step that is being written.
static constexpr unsigned kStepsBehind = 32;

HandleHistory::Scope &HandleHistory::getScope(Block *block) {
  auto [found, isNew] = scopes.try_emplace(block);
  if (isNew)
    for (Operation &op : *block)
      found->second.numbers.try_emplace(&op, found->second.numbers.size());
  return found->second;
}

void HandleHistory::follow(Scope &scope, Value value, unsigned number) const {
  unsigned lastUse = number;
  for (Operation *user : value.getUsers())
    if (Operation *at = value.getParentBlock()->findAncestorOpInBlock(*user))
      lastUse = std::max(lastUse, scope.numbers.lookup(at));
  scope.followed.push_back({value, lastUse, lastUse + kStepsBehind});
}

HandleHistory::Scope &HandleHistory::goTo(Operation *step) {
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
  llvm::erase_if(scope.followed,
                 [&](const Followed &one) { return one.end < number; });
  return scope;
}

void HandleHistory::record(Operation *step, Value value,
                           const verifier::State &state) {
  const verifier::HandleState *handle = state.handles.find(value);
  if (!handle)
    return;
  SmallVector<HandleEvent, 2> &known = events[value];
  HandleSummary summary = verifier::summarizeHandle(state, forms, *handle);
  if (!known.empty() && known.back().summary == summary)
    return;
  if (known.size() == kMaxEvents)
    known.pop_back();
  FileLineColLoc loc = engine::findSourcePlace(step->getLoc());
  known.push_back({step, loc ? loc.getLine() : 0, std::move(summary)});
}

void HandleHistory::observe(Operation *step, ArrayRef<verifier::RegionVisit>,
                            const verifier::State &state) {
  for (const Followed &one : goTo(step).followed)
    record(step, one.value, state);
  // Handles of the regions around that nothing uses from here on can wait for
  // the end of the step that holds this one.
  for (Operation *at = step->getParentOp(); at && at->getBlock();
       at = at->getParentOp()) {
    Scope &scope = goTo(at);
    unsigned number = scope.numbers.lookup(at);
    for (const Followed &one : scope.followed)
      if (one.lastUse >= number)
        record(step, one.value, state);
  }
  Block *block = step->getBlock();
  Operation *next = step->getNextNode();
  if (next && next != &block->back())
    return;
  for (Value argument : block->getArguments())
    record(step, argument, state);
  for (Operation &op : *block)
    for (Value result : op.getResults())
      record(step, result, state);
}

ArrayRef<HandleEvent> HandleHistory::get(Value handle) const {
  auto found = events.find(handle);
  return found == events.end() ? ArrayRef<HandleEvent>() : found->second;
}

std::string formwork::tools::describeValidity(StringRef validity) {
  if (validity.consume_front("dead: "))
    return ("dead since line " + validity).str();
  if (validity.consume_front("dead?: "))
    return ("may be dead since line " + validity).str();
  return validity.str();
}

std::string HandleHistory::describeShortly(Value handle) const {
  ArrayRef<HandleEvent> all = get(handle);
  if (all.empty())
    return "";
  SmallVector<std::string, 3> words;
  const HandleSummary &first = all.front().summary;
  if (first.payload != "-")
    words.push_back(first.payload);
  if (first.forms != "-") {
    SmallVector<StringRef> forms;
    StringRef(first.forms).split(forms, ", ");
    for (StringRef form : ArrayRef(forms).take_front(kMaxForms))
      words.push_back(form.str());
    if (forms.size() > kMaxForms)
      words.push_back(
          llvm::formatv("{0} more forms", forms.size() - kMaxForms));
  }
  // A use of what is dead by then does not kill it again.
  size_t last = all.size() - 1;
  auto isDead = [&](size_t at) {
    return StringRef(all[at].summary.validity).starts_with("dead");
  };
  while (last > 0 && isDead(last) && isDead(last - 1))
    --last;
  if (all[last].summary.validity != "valid")
    words.push_back(describeValidity(all[last].summary.validity));
  return llvm::join(words, ", ");
}
