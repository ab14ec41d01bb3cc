//===- DetachedScopes.h - What is out of reach ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An alternative runs on a clone of its scope that is in no other op: there,
// what looks at the ops around finds none. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_DETACHEDSCOPES_H
#define FORMWORK_VERIFIER_CLAUSES_DETACHEDSCOPES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Whether `node` may be at or below a detached scope in which no op of `kinds`
/// is at or around it.
bool mayLackAround(const Analysis &analysis, NodeId node,
                   llvm::ArrayRef<KindPattern> kinds);

/// Whether MLIR's verifier may refuse what is at or below `target`, because an
/// op that it wants around is out of reach.
bool mayNotVerifyAlone(const Analysis &analysis, NodeId target);

/// Whether MLIR may not survive a query of the data layout at `target`: that of
/// a kernel module asks the module around it.
bool mayLackDataLayout(const Analysis &analysis, NodeId target);

/// The op of the detached scope that `op` is at or below, or the root of the
/// payload: a copy of it has all that a step can reach.
mlir::Operation *getReachableTop(const Analysis &analysis, mlir::Operation *op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_DETACHEDSCOPES_H
