//===- Tracking.h - Handles that outlive a rewrite --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles that a rewrite does not consume: they follow the
// op that replaces theirs, shrink when theirs is erased, and make the rewrite
// fail when a later use needs an op that cannot be followed. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_TRACKING_H
#define FORMWORK_VERIFIER_CLAUSES_TRACKING_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Unproves `op` when it may replace, by something that no handle can follow,
/// payload below `scope` that `isReplaced` accepts and that is used later.
void checkTracking(const Step &step, NodeId scope,
                   llvm::function_ref<bool(NodeId)> isReplaced);

/// The nodes below `scope` that `isReplaced` accepts are replaced by other ops,
/// or erased. Handles follow the replacements, about which nothing is known.
/// `isReplaced` is asked twice: for ops, and with true for their values, which
/// another op may define afterwards. `toAnyKind`: the replacement may have any
/// kind. `hasValues`: some op defines the results of this one afterwards.
void followReplaced(
    const Step &step, NodeId scope,
    llvm::function_ref<bool(NodeId, bool)> isReplaced, bool toAnyKind = false,
    llvm::function_ref<bool(NodeId)> hasValues = [](NodeId) { return false; });

void applyHandleEffects(const Step &step, NodeId scope,
                        const normalforms::PayloadClause &clause);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_TRACKING_H
