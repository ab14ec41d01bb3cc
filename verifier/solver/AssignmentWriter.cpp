//===- AssignmentWriter.cpp - Assignments as text and JSON ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/AssignmentWriter.h"

#include "verifier/solver/Verdict.h"

#include "llvm/Support/JSON.h"

using namespace formwork::verifier::solver;

static llvm::SmallVector<VarId> getKnobs(const Problem &problem) {
  llvm::SmallVector<VarId> knobs;
  for (const Variable &variable : problem.getVariables())
    if (variable.role == Role::Knob)
      knobs.push_back(variable.id);
  return knobs;
}

void formwork::verifier::solver::writeText(llvm::raw_ostream &os,
                                           const Problem &problem,
                                           const Assignment &assignment) {
  os << describe(problem, assignment, getKnobs(problem)) << "\n";
}

void formwork::verifier::solver::writeJsonLine(llvm::raw_ostream &os,
                                               const Problem &problem,
                                               const Assignment &assignment) {
  llvm::json::OStream json(os);
  json.object([&] {
    for (VarId knob : getKnobs(problem))
      if (std::optional<int64_t> value = assignment.get(knob))
        json.attribute(llvm::json::fixUTF8(problem.getName(knob)), *value);
  });
  json.flush();
  os << "\n";
}
