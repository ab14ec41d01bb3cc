//===- Lowering.h - From terms to SMT formulas ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites terms into the operations of SMT-LIB's integers, for whoever builds
// the formulas: Z3 and the dumped text come from this one translation. Layer:
// verifier; knows no Z3.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_LOWERING_H
#define FORMWORK_VERIFIER_SOLVER_LOWERING_H

#include "verifier/solver/Problem.h"

namespace formwork::verifier::solver {

/// Div and Mod are Euclidean, as in SMT-LIB: a = b * div(a, b) + mod(a, b) and
/// 0 <= mod(a, b) < |b|; by zero they are some integer.
enum class FormulaOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Equal,
  Less,
  LessEqual,
  And,
  Or,
  Not,
  Ite,
};

/// Receives formulas from the leaves up.
class FormulaBuilder {
public:
  using Ref = unsigned;
  virtual ~FormulaBuilder() = default;
  virtual Ref literal(Wide value) = 0;
  virtual Ref truth(bool value) = 0;
  virtual Ref variable(VarId var) = 0;
  /// And and Or take one operand or more; Equal takes two of the same sort.
  virtual Ref apply(FormulaOp op, llvm::ArrayRef<Ref> operands) = 0;
};

/// Translates the constraints of one problem for one builder. Each distinct
/// subterm is translated once.
///
/// Beyond plain operations: floor and ceiling division become Euclidean ones by
/// the sign of the divisor; definedness becomes a condition of its own, so that
/// an undefined constraint is false, as our evaluator has it; products,
/// quotients and divisibility in a subterm that can have few values are spelled
/// out value by value, which leaves linear arithmetic.
class Lowering {
public:
  Lowering(const Problem &problem, FormulaBuilder &builder)
      : problem(problem), builder(builder) {}

  /// "The term is defined and true", given that variables are in their domains.
  FormulaBuilder::Ref lowerHolds(BoolTerm term);
  /// "The variable is in its domain".
  FormulaBuilder::Ref lowerDomain(VarId var);

private:
  using Ref = FormulaBuilder::Ref;
  struct Lowered {
    Ref value;
    /// When it is defined; always, if there is none.
    std::optional<Ref> defined;
  };

  const TermNode *linearize(const TermNode *root);
  const TermNode *spellOut(const TermNode *node,
                           llvm::ArrayRef<const TermNode *> operands);
  /// The values that the term can have, ascending, if they are few.
  const std::vector<int64_t> &getFewValues(const TermNode *node);
  /// Whether the term is positive for all values of the variables.
  bool isPositive(const TermNode *node) const;
  Lowered lower(const TermNode *node);
  Lowered lowerConnective(TermKind kind, Lowered a, Lowered b);
  Lowered lowerConditional(Lowered condition, Lowered a, Lowered b);
  Ref lowerPowerOfTwo(const TermNode *operand, Ref value);
  Ref lowerArithmetic(const TermNode *node, Ref a, Ref b);
  std::optional<Ref> conjoin(std::optional<Ref> a, std::optional<Ref> b);
  Ref negate(Ref a) { return builder.apply(FormulaOp::Not, a); }

  const Problem &problem;
  FormulaBuilder &builder;
  llvm::DenseMap<const TermNode *, const TermNode *> linear;
  llvm::DenseMap<const TermNode *, std::vector<int64_t>> fewValues;
  llvm::DenseMap<const TermNode *, Lowered> lowered;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_LOWERING_H
