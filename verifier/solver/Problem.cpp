//===- Problem.cpp - Variables with domains, and named constraints --------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Problem.h"

#include "engine/Check.h"
#include "verifier/solver/TermPrinter.h"

using namespace formwork::verifier::solver;

IntTerm Problem::addVariable(llvm::StringRef name, Domain domain, Role role) {
  IntTerm term = context->variable(name);
  bool isNew = indexOf.try_emplace(term.getVariable(), variables.size()).second;
  FW_CHECK(isNew, "a variable is declared once");
  variables.push_back({term.getVariable(), std::move(domain), role});
  return term;
}

ConstraintId Problem::addConstraint(llvm::StringRef id, BoolTerm term,
                                    const void *source, llvm::StringRef text) {
  for (VarId var : collectVariables(term.getNode()))
    FW_CHECK(isDeclared(var), "a constraint over an undeclared variable");
  constraints.push_back(
      {id.str(), term, source, text.empty() ? toInfix(term) : text.str()});
  return constraints.size() - 1;
}

void Problem::addUnmodelled(llvm::StringRef id, const void *source,
                            llvm::StringRef reason) {
  unmodelled.push_back({id.str(), source, reason.str()});
}

const Variable &Problem::getVariable(VarId var) const {
  auto it = indexOf.find(var);
  FW_CHECK(it != indexOf.end(), "the variable is not declared");
  return variables[it->second];
}
