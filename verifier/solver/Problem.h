//===- Problem.h - Variables with domains, and named constraints ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A question to the solver. Layer: verifier; knows no MLIR: where a
// constraint comes from is a pointer that only the caller understands.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_PROBLEM_H
#define FORMWORK_VERIFIER_SOLVER_PROBLEM_H

#include "verifier/solver/Assignment.h"
#include "verifier/solver/Domain.h"

#include "llvm/ADT/DenseMap.h"

namespace formwork::verifier::solver {

/// A constraint of a Problem: an index, dense from 0, in order of addition.
using ConstraintId = unsigned;

/// Knobs are what the user chooses; auxiliaries (symbolic sizes, say) exist so
/// that constraints can be written, and are projected away when counting.
enum class Role : uint8_t { Knob, Auxiliary };

struct Variable {
  VarId id;
  Domain domain;
  Role role;
};

struct Constraint {
  /// The stable name, such as "tile.divides", or one made from it.
  std::string id;
  BoolTerm term;
  /// Data of the caller, such as the op of the constraint.
  const void *source;
  /// The constraint in words, for a reader.
  std::string text;
};

/// Something that must hold and has no term.
struct Unmodelled {
  std::string id;
  const void *source;
  std::string reason;
};

/// Variables with finite domains, and constraints that must all hold: each must
/// be defined and true (see TermContext). Keeps a reference to the context. A
/// value otherwise: copy it to add something for one question.
class Problem {
public:
  explicit Problem(TermContext &context) : context(&context) {}

  TermContext &getContext() const { return *context; }

  /// Declares the variable of that name, which must not be declared yet.
  IntTerm addVariable(llvm::StringRef name, Domain domain,
                      Role role = Role::Knob);
  /// Adds a constraint over declared variables. An empty text becomes the term
  /// in infix.
  ConstraintId addConstraint(llvm::StringRef id, BoolTerm term,
                             const void *source = nullptr,
                             llvm::StringRef text = "");
  /// Records something that restricts the assignments in an unknown way. It
  /// leaves Unsat and Proved as they are, and turns Sat and Refuted to Unknown.
  void addUnmodelled(llvm::StringRef id, const void *source,
                     llvm::StringRef reason);

  /// In order of declaration and of addition.
  llvm::ArrayRef<Variable> getVariables() const { return variables; }
  llvm::ArrayRef<Constraint> getConstraints() const { return constraints; }
  llvm::ArrayRef<Unmodelled> getUnmodelled() const { return unmodelled; }

  bool isDeclared(VarId var) const { return indexOf.contains(var); }
  const Variable &getVariable(VarId var) const;
  llvm::StringRef getName(VarId var) const { return context->getName(var); }

private:
  TermContext *context;
  std::vector<Variable> variables;
  llvm::DenseMap<VarId, unsigned> indexOf;
  std::vector<Constraint> constraints;
  std::vector<Unmodelled> unmodelled;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_PROBLEM_H
