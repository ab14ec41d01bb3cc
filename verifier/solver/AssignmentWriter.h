//===- AssignmentWriter.h - Assignments as text and JSON --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints assignments. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_ASSIGNMENTWRITER_H
#define FORMWORK_VERIFIER_SOLVER_ASSIGNMENTWRITER_H

#include "verifier/solver/Problem.h"

#include "llvm/Support/raw_ostream.h"

namespace formwork::verifier::solver {

/// The knobs on one line: "tile_m = 16, tile_n = 32".
void writeText(llvm::raw_ostream &os, const Problem &problem,
               const Assignment &assignment);

/// The knobs as one JSON object on one line, in order of declaration:
/// {"tile_m":16,"tile_n":32}. Names that are not UTF-8 are repaired.
void writeJsonLine(llvm::raw_ostream &os, const Problem &problem,
                   const Assignment &assignment);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_ASSIGNMENTWRITER_H
