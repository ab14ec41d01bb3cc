//===- Cycle.h - Which rules undo each other --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains a rewrite that does not end by the smallest set of rules and
// procedures that comes back to a state it was in. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CYCLE_H
#define FORMWORK_ENGINE_CYCLE_H

#include "engine/Normalizer.h"

namespace formwork::engine {

/// Continues on clones of `anchor`, which hit a limit under `driver`. When a
/// state comes back, returns the names of the rules and procedures that fire
/// between its two visits, minimized: the smallest such set when at most six
/// rules take part, else one from which none can be left out. Empty when no
/// state comes back within a number of steps that shrinks with the anchor's
/// size, so that the search is bounded: the rewrite grows, or is just long.
std::vector<std::string> findCycle(const Driver &driver,
                                   mlir::Operation *anchor);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CYCLE_H
