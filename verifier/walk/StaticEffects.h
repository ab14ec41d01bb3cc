//===- StaticEffects.h - Steps that surely do nothing -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the steps that surely have none of the effect that their contract
// states, and those that surely have it, as far as the states before and after
// them show. A run decides the others (transforms/settle). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_WALK_STATICEFFECTS_H
#define FORMWORK_VERIFIER_WALK_STATICEFFECTS_H

#include "verifier/step/Step.h"

#include "llvm/ADT/MapVector.h"

namespace formwork::verifier {

/// Whether a run of `op` without effect is worth a word: `op` states a decision
/// about payload. Clean-up does not, and neither do passes and rule groups
/// whose contracts state no effect: they are run where there may be something
/// to do.
bool isDecision(mlir::Operation *op,
                const normalforms::ContractLibrary &contracts);

/// One visit of a step, from the state in front of it to that behind it.
class StepVisit {
public:
  /// In front of the step. Cost: constant, and for a clause about what a scope
  /// holds what PayloadModel::mayHold costs.
  explicit StepVisit(const Step &step);

  /// Behind the step: why it surely has no effect on any of its targets; none
  /// where it may have one.
  std::optional<std::string> findIdle(const Step &step) const;

  /// Behind the step: whether one that findIdle explains may have a part of its
  /// effect all the same (measureBesides).
  bool mayHavePart(const Step &step) const;

  /// Behind the step: on how many of its targets it surely has no effect, if it
  /// surely has one on the others, and why; none if that is not known.
  std::optional<std::string> findPartial(const Step &step) const;

  /// Whether the step states a decision about payload.
  bool isDecision() const { return contract; }
  /// Behind the step: whether it surely has its effect on each of its targets,
  /// of which there is at least one.
  bool provesEffect(const Step &step) const;
  bool hasNoPayload() const { return isEmpty; }

private:
  bool provesTerm(const Step &step, const normalforms::EffectTerm &term) const;
  /// Whether the step surely made an op of `kinds`, and took none away.
  bool makesMore(const Step &step,
                 const normalforms::KindPatterns &kinds) const;

  bool isUnchanged(const Step &step) const;
  /// Whether the first result holds the targets themselves, of the same kind.
  bool staysTarget(const Step &step) const;
  /// Whether `node`, which was of `kind`, is there as it was.
  static bool stays(const Step &step, NodeId node, const NodeKind &kind);
  /// Whether the step surely made no op of `kinds`.
  bool makesNone(const Step &step,
                 const normalforms::KindPatterns &kinds) const;

  /// A kind of op that a clause counts, in the scope of one target.
  struct Held {
    const normalforms::EffectTerm *term;
    NodeId scope;
    bool mayHold;
  };

  /// Null for a step that states no effect.
  const normalforms::Contract *contract = nullptr;
  mlir::Value targets;
  /// It changes no payload.
  bool onlyFinds = false;
  bool isEmpty = false;
  /// There is no op that it could change.
  bool isWithoutWork = false;
  /// It may do something besides its effect.
  bool mayDoBesides = false;
  /// Each target has the attribute that it would get.
  bool hasAttribute = false;
  /// Each target surely lacks it.
  bool lacksAttribute = false;
  /// The targets are there, all of them, and at least one.
  bool areThere = false;
  /// Why MLIR skips each of the targets; none if it may skip none of them.
  std::optional<std::string> reason;
  unsigned version = 0;
  /// How many nodes there were.
  size_t numNodes = 0;
  /// The targets, and what they are.
  NodeList nodes;
  llvm::SmallVector<NodeKind, 2> kinds;
  llvm::SmallVector<Held, 2> held;
};

/// The results of the visits of each decision: one that is idle at every visit
/// is idle, and one that has its effect at every visit has it.
class DecidedSteps {
public:
  void add(const Step &step, const StepVisit &visit);
  /// Adds a warning (fw-step-idle, fw-step-partial) for each step without
  /// effect on all or some of its targets.
  void addFindings(engine::Findings &findings) const;
  unsigned count() const { return steps.size(); }
  /// Those that have their effect.
  llvm::SmallVector<mlir::Operation *> getEffective() const;

private:
  struct Outcome {
    /// None once a visit may have had an effect.
    std::optional<std::string> idle;
    bool mayHavePart;
    /// None once there is more than one visit.
    std::optional<std::string> partial;
    bool hasEffect;
    /// No visit had payload.
    bool isEmpty;
  };
  llvm::SmallMapVector<mlir::Operation *, Outcome, 4> steps;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_WALK_STATICEFFECTS_H
