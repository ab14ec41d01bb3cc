//===- Step.h - One step of a schedule, as a model sees it ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The view of a model: the op, the clauses of its contract that hold, the
// abstract state before it, and a way to say what it finds. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_STEP_H
#define FORMWORK_VERIFIER_STEP_STEP_H

#include "verifier/step/Analysis.h"

namespace formwork::verifier {

/// The values that a region yields.
using Yields = llvm::SmallVector<HandleState>;

/// A view of the analysis at one op. It holds references only, and is valid as
/// long as the analysis stays where it is.
class Step {
public:
  Step(Analysis &analysis, mlir::Operation *op,
       const normalforms::Contract &contract)
      : analysis(analysis), op(op), contract(contract), state(analysis.state),
        payload(analysis.state.payload), parameters(*analysis.parameters),
        terms(*analysis.parameters->context), effects(*analysis.effects),
        options(analysis.options), forms(analysis.forms),
        contracts(analysis.contracts), root(analysis.root) {}

  /// The same point of the schedule, for another op.
  Step at(mlir::Operation *other) const { return analysis.at(other); }
  /// The same op, by another contract.
  Step with(const normalforms::Contract &other) const {
    return Step(analysis, op, other);
  }

  // Handles and parameters.
  HandleState &lookup(mlir::Value value) const {
    return analysis.lookup(value);
  }
  HandleState &bind(mlir::Value value, mlir::Operation *origin,
                    llvm::ArrayRef<NodeId> nodes) const {
    return analysis.bind(value, origin, nodes);
  }
  /// See Analysis::getThere and getParam.
  NodeList getThere(mlir::Value value) const {
    return analysis.getThere(value);
  }
  Size getParam(mlir::Value value, unsigned index = 0,
                bool anyWidth = false) const {
    return analysis.getParam(value, index, anyWidth);
  }
  std::string nameOf(mlir::Value value) const { return analysis.nameOf(value); }

  /// Makes result `index` a handle to `nodes`. Errors: fw-kind-mismatch.
  HandleState &setResult(unsigned index, llvm::ArrayRef<NodeId> nodes,
                         bool ordered = true) const;
  /// Makes result `index` a handle of which nothing is known.
  void setOpaque(unsigned index) const;
  /// Whether it was found that the step may fail, also where nobody is told.
  bool isOpen() const;
  /// The payload of result `index` may be no part of the payload: MLIR hands
  /// back what it erased, or put nowhere. A use is one of an invalid handle.
  void mayDangle(unsigned index) const;
  /// Makes all results handles to nothing.
  void setEmpty() const;

  // Findings.
  /// An error `id`, if it is `definite` and nothing recovers from it; else the
  /// step is not proved, and that is a warning.
  engine::Finding &report(llvm::StringRef id, const llvm::Twine &message,
                          bool definite = true, bool silenceable = true) const;
  /// As `report`, of the payload of `handle`. A note tells where that is set.
  engine::Finding &reportOf(mlir::Value handle, llvm::StringRef id,
                            const llvm::Twine &message, bool definite = true,
                            bool silenceable = true) const;
  engine::Finding &warn(llvm::StringRef id, const llvm::Twine &message) const;
  /// Adds the note that tells where `handle` is set.
  engine::Finding &noteSet(engine::Finding &finding, mlir::Value handle) const;
  /// The step that made the payload of `node`, or else this one.
  mlir::Location locOf(const Node &node) const;
  /// Advises that the step fails, or may fail, where nobody sees it.
  engine::Finding &warnOfHidden(const llvm::Twine &reason,
                                bool isCertain) const;
  /// The step may fail for `reason`; whether it does is not known. For
  /// `silenceable` see Analysis::hidesFailure.
  void unprove(const llvm::Twine &reason, bool silenceable = false) const;
  /// As `unprove`, but where nothing else leaves the step open, a trial of it,
  /// behind the steps before it, tells whether it fails.
  void leaveToTrial(const llvm::Twine &reason) const;
  /// Records that `holds` must hold for the step to succeed; `source` is the op
  /// to name, and `text` what it says, behind "requires that". From here on, it
  /// is taken to hold.
  void require(mlir::Operation *source, llvm::StringRef id,
               solver::BoolTerm holds, const llvm::Twine &text,
               ConstraintKind kind, bool definite = true) const;

  operator Analysis &() const { return analysis; }

  Analysis &analysis;
  /// Null for a step that is not in the schedule.
  mlir::Operation *op;
  const normalforms::Contract &contract;
  State &state;
  PayloadModel &payload;
  ParameterModel &parameters;
  solver::TermContext &terms;
  StepEffects &effects;
  const CheckOptions &options;
  const normalforms::FormLibrary &forms;
  const normalforms::ContractLibrary &contracts;
  NodeId root;

private:
  /// Whether the step, where it fails for sure as `id` says, does nothing
  /// before.
  bool leavesPayload(llvm::StringRef id) const;
};

inline Step Analysis::at(mlir::Operation *op,
                         const normalforms::Contract &contract) {
  return Step(*this, op, contract);
}
inline Step Analysis::at(mlir::Operation *op) {
  static const normalforms::Contract silent;
  return Step(*this, op, silent);
}

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_STEP_H
