//===- Clauses.h - What follows from a contract's clauses -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generic transfer functions: payload writes, forms and results as clauses
// state them. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_CLAUSES_H
#define FORMWORK_VERIFIER_CLAUSES_CLAUSES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The nodes at which one of the writes of `op` stops.
NodeList getScopes(const Step &step, const normalforms::PayloadClause &clause);

/// As `applyWrite`, for a model that knows itself what is gone.
void applyWriteOf(const Step &step, llvm::ArrayRef<KindPattern> introduces);

void applyWrite(const Step &step, const normalforms::Contract *contract);

/// Forgets facts about the ops that the step consumes: as far as clauses tell,
/// they may be erased or replaced.
void forgetConsumed(const Step &step);

void applyClauses(const Step &step);

void setResultByClause(const Step &step, unsigned index);

/// The kinds of all that is, or may be, below `scope`.
normalforms::KindPatterns getKindsBelow(const Analysis &analysis, NodeId scope);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_CLAUSES_H
