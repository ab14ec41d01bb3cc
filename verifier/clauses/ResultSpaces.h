//===- ResultSpaces.h - Loops that clauses state ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clause `space` of `normalform.result`: the iteration spaces of the ops of
// a result. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_RESULTSPACES_H
#define FORMWORK_VERIFIER_CLAUSES_RESULTSPACES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The iteration space that `term` says an op has that the step makes of its
/// target `index`, which had `old`; null where that is not known: the attribute
/// holds no such list, has more sizes than `old` loops, or a size may be 0.
std::shared_ptr<const IterationSpace>
getResultSpace(const Step &step, const normalforms::SpaceTerm &term,
               const IterationSpace &old, unsigned index);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_RESULTSPACES_H
