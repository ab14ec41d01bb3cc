//===- Evaluator.h - Our own evaluation of terms ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates terms without Z3. Every model is judged here before anyone sees it.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_EVALUATOR_H
#define FORMWORK_VERIFIER_SOLVER_EVALUATOR_H

#include "verifier/solver/Arithmetic.h"
#include "verifier/solver/Assignment.h"

namespace formwork::verifier::solver {

/// The value of a constraint at a point. Overflow: an intermediate result
/// exceeds 128 bits and decides the value, so nothing is claimed.
enum class TruthValue : uint8_t { True, False, Undefined, Overflow };

/// A term compiled to a list of operations, each shared subterm once; neither
/// time nor stack depends on the size of the written-out tree. Computes in 64
/// bits and starts over in 128 where those overflow; never wraps. An instance
/// holds scratch space: one for each thread.
class Evaluator {
public:
  explicit Evaluator(const TermNode *root);

  /// The variables that must be assigned, ascending.
  llvm::ArrayRef<VarId> getVariables() const { return variables; }

  /// The value at the point where variable v is `values[v]`. Cost: one step for
  /// each distinct subterm.
  Computed<Wide> evaluate(llvm::ArrayRef<int64_t> values);
  /// The same for a boolean term.
  TruthValue decide(llvm::ArrayRef<int64_t> values);
  /// Whether the term holds there: True, and nothing else.
  bool holds(llvm::ArrayRef<int64_t> values) {
    return decide(values) == TruthValue::True;
  }

private:
  struct Step {
    TermKind kind;
    unsigned target;
    unsigned operands[3];
    VarId variable;
  };
  template <typename Int>
  Computed<Int> run(std::vector<Computed<Int>> &slots,
                    llvm::ArrayRef<int64_t> values);

  std::vector<Step> steps;
  std::vector<Computed<int64_t>> narrow;
  std::vector<Computed<Wide>> wide;
  llvm::SmallVector<VarId> variables;
};

/// The truth of a term under an assignment that has all its variables; one that
/// is missing makes it Undefined.
TruthValue decide(BoolTerm term, const Assignment &assignment);
/// The value of an integer term, likewise; none unless it is defined and fits
/// in 64 bits.
std::optional<int64_t> evaluate(IntTerm term, const Assignment &assignment);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_EVALUATOR_H
