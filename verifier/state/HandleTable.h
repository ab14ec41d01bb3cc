//===- HandleTable.h - What each transform value stands for -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transform values of a schedule, with what is known of each. Layer:
// verifier; a container.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_HANDLETABLE_H
#define FORMWORK_VERIFIER_STATE_HANDLETABLE_H

#include "verifier/state/BranchingVector.h"
#include "verifier/state/HandleState.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier {

class HandleTable {
  struct Entry {
    mlir::Value value;
    HandleState state;
  };

public:
  using Branch = BranchingVector<Entry>::Branch;

  /// Null for a value that was not set.
  const HandleState *find(mlir::Value value) const {
    auto it = numbers.find(value);
    return it != numbers.end() && entries[it->second].value
               ? &entries[it->second].state
               : nullptr;
  }
  /// As above, to be changed, but not after a fork.
  HandleState *find(mlir::Value value) {
    auto it = numbers.find(value);
    return it != numbers.end() && entries[it->second].value
               ? &entries.write(it->second).state
               : nullptr;
  }
  bool contains(mlir::Value value) const { return find(value) != nullptr; }
  /// Sets it to what is known of no handle, if it was not set; and whether that
  /// was so.
  std::pair<HandleState &, bool> findOrAdd(mlir::Value value);
  /// In the order in which they were set first.
  void
  forEach(llvm::function_ref<void(mlir::Value, const HandleState &)> fn) const;

  // See BranchingVector.
  void fork() { entries.fork(); }
  Branch leave() { return entries.leave({}); }
  void take(Branch &&branch) { entries.take(std::move(branch)); }
  /// Handles that only one path set are kept.
  void join(Branch &&other);
  void endFork() { entries.endFork(); }

private:
  /// No value is ever taken out.
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// Those that are not set have no value.
  BranchingVector<Entry> entries;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_HANDLETABLE_H
