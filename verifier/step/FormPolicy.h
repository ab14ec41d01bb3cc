//===- FormPolicy.h - What a planner hooks into a check ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms that steps need, and steps that a planner takes for them.
// Layer: verifier; internal to it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_FORMPOLICY_H
#define FORMWORK_VERIFIER_STEP_FORMPOLICY_H

#include "normalforms/ContractLibrary.h"

#include "mlir/IR/Value.h"

namespace formwork::verifier {

/// A normalization that is not in the schedule (yet): `form` is established at
/// the payload of `handle`, or at its isolated parents, before `before`.
struct VirtualStep {
  mlir::Operation *before;
  mlir::Value handle;
  bool viaIsolatedParent;
  normalforms::AtomId form;
};

/// A form that an op, or the end of the schedule, asks for and does not have.
struct FormNeed {
  mlir::Operation *op;
  /// The clause; null for the goal form. Valid while the policy is asked.
  const normalforms::FormClause *clause;
  normalforms::AtomId form;
};

/// The forms that instances of `op` may require or want, whatever their
/// conditions: by the contract of the op, and by those of the pass that it runs
/// or of its rule groups.
llvm::SmallVector<const normalforms::FormClause *, 2>
getFormClauses(mlir::Operation *op,
               const normalforms::ContractLibrary &contracts);

struct Analysis;

/// The hooks of a planner in a run of the interpreter.
class FormPolicy {
public:
  virtual ~FormPolicy() = default;
  /// The steps to take before `op`, in this order; asked at each visit of it.
  virtual llvm::SmallVector<VirtualStep> getSteps(mlir::Operation *op,
                                                  const Analysis &analysis) = 0;
  /// Told when `need` is not met, with those steps taken.
  virtual void reportUnmet(const FormNeed &need, const Analysis &analysis) = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_FORMPOLICY_H
