//===- HandleTable.cpp - What each transform value stands for -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/HandleTable.h"

using namespace mlir;
using namespace formwork::verifier;

std::pair<HandleState &, bool> HandleTable::findOrAdd(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, entries.size());
  if (isNew)
    entries.emplace_back();
  Entry &entry = entries.write(it->second);
  bool wasSet = entry.value != nullptr;
  entry.value = value;
  return {entry.state, !wasSet};
}

void HandleTable::forEach(
    llvm::function_ref<void(Value, const HandleState &)> fn) const {
  for (const Entry &entry : llvm::ArrayRef<Entry>(entries))
    if (entry.value)
      fn(entry.value, entry.state);
}

void HandleTable::join(Branch &&other) {
  auto join = [](Entry &mine, const Entry &theirs) {
    if (!mine.value)
      mine = theirs;
    else if (theirs.value)
      mine.state.join(theirs.state);
  };
  for (unsigned i : entries.getChanged(other))
    join(entries.write(i), entries.get(other, i));
  for (unsigned i = other.size; i < other.getEnd(); ++i)
    join(entries.write(i), entries.get(other, i));
}
