//===- SmtLib.h - Queries as SMT-LIB text -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a question as an SMT-LIB script that any solver answers. Layer:
// verifier; knows no Z3.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_SMTLIB_H
#define FORMWORK_VERIFIER_SOLVER_SMTLIB_H

#include "verifier/solver/Problem.h"

namespace formwork::verifier::solver {

/// The script that asks whether the problem has an assignment: declarations,
/// domains, each constraint named after its id (and its number, so that names
/// are unique) below its text as a comment, `check-sat`.
std::string toSmtLib(const Problem &problem, llvm::StringRef queryName);

/// Writes the script to DIRECTORY/QUERY.smt2, the name made fit for a file; one
/// that is there already is kept, and a number is appended. False when that
/// fails.
bool dumpQuery(const Problem &problem, llvm::StringRef queryName,
               llvm::StringRef directory);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_SMTLIB_H
