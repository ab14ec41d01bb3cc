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

void HandleHistory::record(Operation *step, Value value,
                           const verifier::State &state) {
  const verifier::HandleState *handle = state.handles.find(value);
  if (!handle)
    return;
  SmallVector<HandleEvent, 2> &known = events[value];
  HandleSummary summary = verifier::summarizeHandle(state, forms, *handle);
  // A use of what is dead does not kill it again.
  auto isDead = [](const HandleSummary &one) {
    return StringRef(one.validity).starts_with("dead: ");
  };
  if (!known.empty() && (known.back().summary == summary ||
                         (isDead(known.back().summary) && isDead(summary))))
    return;
  if (known.size() == kMaxEvents)
    known.pop_back();
  FileLineColLoc loc = engine::findSourcePlace(step->getLoc());
  known.push_back({step, loc ? loc.getLine() : 0, std::move(summary)});
}

void HandleHistory::observe(Operation *step, ArrayRef<verifier::RegionVisit>,
                            const verifier::State &state) {
  followed.visit(step, [&](Value value) { record(step, value, state); });
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
