//===- Assignment.h - Values for variables ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A partial map from variables to integers. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_ASSIGNMENT_H
#define FORMWORK_VERIFIER_SOLVER_ASSIGNMENT_H

#include "verifier/solver/Term.h"

#include <optional>

namespace formwork::verifier::solver {

/// Values of some variables of one TermContext. A value: copy it.
class Assignment {
public:
  void set(VarId var, int64_t value) {
    if (var >= values.size())
      values.resize(var + 1);
    values[var] = value;
  }
  void erase(VarId var) {
    if (var < values.size())
      values[var].reset();
  }
  std::optional<int64_t> get(VarId var) const {
    return var < values.size() ? values[var] : std::nullopt;
  }
  bool has(VarId var) const { return get(var).has_value(); }
  /// Takes over every value that `other` has.
  void merge(const Assignment &other) {
    for (VarId var = 0; var < other.values.size(); ++var)
      if (other.values[var])
        set(var, *other.values[var]);
  }

private:
  std::vector<std::optional<int64_t>> values;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_ASSIGNMENT_H
