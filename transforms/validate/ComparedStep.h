//===- ComparedStep.h - A step against the claims about it ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The changes of a step that ran, beside the contracts that describe it, and
// the comparison of both, clause by clause. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_COMPAREDSTEP_H
#define FORMWORK_TRANSFORMS_VALIDATE_COMPAREDSTEP_H

#include "normalforms/ContractLibrary.h"
#include "transforms/validate/FactCheck.h"
#include "transforms/validate/MarkedPayload.h"

#include "llvm/ADT/SetVector.h"

namespace formwork::transforms {

/// A step that ran, its contracts, and the payload in front of it and behind
/// it.
class ComparedStep {
public:
  /// `before` is the payload in front of the step; `state` is the one behind
  /// it. All of them must outlive this. Cost: linear in the payload.
  ComparedStep(const ObservedStep &step, const MarkedPayload &before,
               const normalforms::ContractLibrary &contracts,
               mlir::transform::TransformState &state);

  /// The payload of operand `index` in front of the step; null if not known.
  const OperandPayload *getOperand(unsigned index) const;
  /// The payload of result `index`; none where it holds no ops.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  getResult(unsigned index) const;
  /// Whether all conditions held in front of the step; none if that is not
  /// decided here.
  std::optional<bool> decide(const normalforms::Conditions &when,
                             mlir::Operation *op) const;

  /// Whether types or attributes of `op`, an old one, differ.
  bool isChanged(mlir::Operation *op) const;
  /// Whether the op was at or below a target.
  bool wasTarget(mlir::Operation *op) const;
  /// Whether a model says more than the clauses. Those of steps that run groups
  /// and passes do not.
  bool hasModel() const;

  /// Of the step, or of a rule group in it.
  struct Claims {
    mlir::Operation *op;
    const normalforms::Contract *contract;
  };

  const ObservedStep &step;
  const MarkedPayload &before;
  llvm::SmallVector<Claims> claims;
  bool isPass = false;
  /// Whether everything that writes has a contract.
  bool isBounded = true;
  /// All ops of the payload, and those that were there in front of the step.
  llvm::SetVector<mlir::Operation *> now;
  llvm::DenseSet<mlir::Operation *> old;

private:
  std::optional<bool> decide(const normalforms::Condition &condition,
                             mlir::Operation *op) const;
  void add(mlir::Operation *op, const normalforms::Contract *contract);

  mlir::transform::TransformState &state;
};

/// Only ops that claims are made about: the driver makes, moves and merges
/// constants at will.
bool isOfInterest(mlir::Operation *op);

std::string quote(mlir::OperationName kind);

/// "requires <claim> but has <has>", shown by the op at `payload`.
FalseFact deny(const llvm::Twine &claim, const llvm::Twine &has,
               mlir::Location payload, mlir::Value handle = nullptr);

/// The first clause of one kind that does not hold of the step: `result`,
/// `side_effects`, and `payload`. `numFacts` grows by the number of claims.
/// Cost: linear in the payload, for each clause.
std::optional<FalseFact> checkResultClaims(const ComparedStep &step,
                                           uint64_t &numFacts);
std::optional<FalseFact> checkSideEffectClaims(const ComparedStep &step,
                                               uint64_t &numFacts);
std::optional<FalseFact> checkWriteClaims(const ComparedStep &step,
                                          uint64_t &numFacts);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_COMPAREDSTEP_H
