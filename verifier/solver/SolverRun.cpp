//===- SolverRun.cpp - What the questions of one run share ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/SolverRun.h"

#include "llvm/Support/Format.h"

using namespace formwork::verifier::solver;

void SolverRun::print(llvm::raw_ostream &os) const {
  os << "solver: questions " << stats.checks << ", constraints folded "
     << stats.folded << "\n"
     << "solver: searches " << stats.searches << ", values tried "
     << stats.searchNodes << "\n"
     << "solver: Z3 queries " << stats.z3Queries << ", contexts "
     << stats.z3Contexts << ", " << llvm::format("%.3f", stats.z3Seconds)
     << " s, rlimit " << stats.z3Spent << "\n";
}

SolverOptions
formwork::verifier::solver::forOtherTerms(const SolverOptions &options) {
  SolverOptions others;
  if (options.run)
    others.run = std::make_shared<SolverRun>(options.run->shareBudget());
  return others;
}

bool formwork::verifier::solver::isBudgetSpent(const SolverOptions &options) {
  return options.run && options.run->getBudget().isSpent();
}

Deadline formwork::verifier::solver::getDeadline(const SolverOptions &options) {
  return options.run ? options.run->getBudget().getDeadline() : std::nullopt;
}
