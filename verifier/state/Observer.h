//===- Observer.h - Watching what the interpreter infers --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A callback that is told the state of the abstract interpreter after each step
// of a schedule, and for which of the executions of that step it holds. Layer:
// verifier; validation and traces stand on it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_OBSERVER_H
#define FORMWORK_VERIFIER_STATE_OBSERVER_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <limits>

namespace mlir {
class Operation;
} // namespace mlir

namespace formwork::verifier {

struct State;

/// One region around a step, entered by `owner`: an op with regions, or an
/// include. Facts inside hold for the iterations from `first` to `last` of a
/// loop, both inclusive and counted from 0 at each execution of the loop; other
/// ops enter a region once.
struct RegionVisit {
  static constexpr int64_t anyLater = std::numeric_limits<int64_t>::max();

  mlir::Operation *owner;
  unsigned region = 0;
  int64_t first = 0;
  int64_t last = 0;
};

class StateObserver {
public:
  virtual ~StateObserver() = default;
  /// `step` was interpreted, and `state` holds behind it in every execution
  /// that `path` describes, outermost region first. When the interpreter comes
  /// to the same path again, the later state counts. A step in a region of
  /// which the interpreter cannot say which executions it stands for has a path
  /// that lacks that region. The state changes when the call returns.
  virtual void observe(mlir::Operation *step, llvm::ArrayRef<RegionVisit> path,
                       const State &state) = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_OBSERVER_H
