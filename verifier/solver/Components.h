//===- Components.h - Independent parts of a problem ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a problem where no constraint connects. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_COMPONENTS_H
#define FORMWORK_VERIFIER_SOLVER_COMPONENTS_H

#include "verifier/solver/Problem.h"

namespace formwork::verifier::solver {

/// Variables connected by shared constraints, and those constraints. Both in
/// order of declaration and addition.
struct Component {
  llvm::SmallVector<VarId> variables;
  llvm::SmallVector<ConstraintId> constraints;
};

/// The parts of the problem under the constraints `active`, ordered by their
/// first variable. Every declared variable is in one; constraints without
/// variables are in none. Law: the assignments of the problem are the products
/// of the assignments of its parts.
std::vector<Component> splitComponents(const Problem &problem,
                                       llvm::ArrayRef<ConstraintId> active);

/// The product of the domain sizes, at most UINT64_MAX. A variable that has a
/// value in `fixed` counts once.
uint64_t countPoints(const Problem &problem, const Component &component,
                     const Assignment &fixed = {});

/// All constraint ids, ascending.
llvm::SmallVector<ConstraintId> getAllConstraints(const Problem &problem);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_COMPONENTS_H
