//===- CleanUp.h - What clean-up may do to one op ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether folding, elimination and motion may change the op that a node stands
// for, by the facts about that op alone. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_CLEANUP_H
#define FORMWORK_VERIFIER_STATE_CLEANUP_H

#include "verifier/state/Node.h"

namespace formwork::verifier {

/// How much of canonicalization there is in clean-up: by itself, no loop folds;
/// some rule groups fold any other one than an scf.forall.
enum class Folding { None, AllButForall, All };

/// Whether clean-up leaves an op where it is: a loop with work, something that
/// is isolated, a structured op that no folding touches.
bool survivesCleanUp(const Node &node, Folding folds = Folding::All);

/// Whether clean-up may replace the op by one that is there already: a loop of
/// one step by a loop in it, what only passes values on by what made them.
bool mayBecomeAnother(const Node &node, Folding folds = Folding::All);

/// Whether clean-up may put casts around the op, for the sake of more static
/// types: what reads its results then reads those of casts.
bool mayBeCast(const Node &node, Folding folds = Folding::All);

/// Whether clean-up may rebuild the op, for the sake of more static types,
/// without its discardable attributes.
bool mayBeBared(const Node &node, Folding folds = Folding::All);

/// Whether clean-up may take the op away with all that it holds, if it holds
/// any: one that nothing needs, a branch that is not taken, a loop that does
/// not run.
bool mayVanish(const Node &node, Folding folds = Folding::All);

/// As above, of one that holds others.
bool mayTakeContents(const Node &node, Folding folds = Folding::All);

/// Whether what clean-up takes away with the op may be there as a copy.
bool isCopied(const Node &node);

/// Whether clean-up may drop dimensions of a loop, or results.
bool mayReshape(const Node &node, Folding folds = Folding::All);

/// Whether the op was made by tiling so that it reads the induction variables
/// of the loops around it, and no motion of invariants takes it out of them.
bool dependsOnLoops(const Node &node);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_CLEANUP_H
