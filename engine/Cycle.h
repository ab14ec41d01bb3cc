//===- Cycle.h - Which rules undo each other --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains a rewrite that does not end: finds the smallest set of rules and
// procedures that returns to an earlier state. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CYCLE_H
#define FORMWORK_ENGINE_CYCLE_H

#include "engine/Normalizer.h"

namespace formwork::engine {

/// Continues to rewrite clones of `anchor`, which hit a limit under `driver`.
/// When a state comes back, returns the names of the rules and procedures that
/// fire between its two visits, minimized. The set is the smallest when at most
/// six rules take part; otherwise no element can be left out. Returns an empty
/// list when no state comes back within a bounded number of steps, which
/// shrinks with the anchor's size. Then the rewrite grows, or is only long.
std::vector<std::string> findCycle(const Driver &driver,
                                   mlir::Operation *anchor);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CYCLE_H
