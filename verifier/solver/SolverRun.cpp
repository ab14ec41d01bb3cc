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
  os << "solver: " << stats.checks << " questions, " << stats.folded
     << " constraints folded\n"
     << "solver: " << stats.searches << " searches, " << stats.searchNodes
     << " values tried\n"
     << "solver: " << stats.z3Queries << " queries sent to Z3, in "
     << stats.z3Contexts << " contexts, "
     << llvm::format("%.3f", stats.z3Seconds) << " s, rlimit " << stats.z3Spent
     << "\n";
}
