//===- Verdict.cpp - What the solver answers --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Verdict.h"

#include "llvm/Support/raw_ostream.h"

llvm::StringRef formwork::verifier::solver::toString(UnknownReason reason) {
  switch (reason) {
  case UnknownReason::TimeOut:
    return "time-out";
  case UnknownReason::ResourceLimit:
    return "resource limit";
  case UnknownReason::Unmodelled:
    return "unmodelled";
  case UnknownReason::Overflow:
    return "overflow";
  case UnknownReason::Incomplete:
    return "incomplete";
  case UnknownReason::Internal:
    return "internal error";
  }
  return "internal error";
}

std::string
formwork::verifier::solver::describe(const Problem &problem,
                                     const Assignment &assignment,
                                     llvm::ArrayRef<VarId> variables) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::StringRef separator;
  for (VarId var : variables) {
    std::optional<int64_t> value = assignment.get(var);
    if (!value)
      continue;
    os << separator << problem.getName(var) << " = " << *value;
    separator = ", ";
  }
  return text;
}
