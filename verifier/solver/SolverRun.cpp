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
