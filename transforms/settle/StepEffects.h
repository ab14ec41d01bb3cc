//===- StepEffects.h - Which steps of a run had their effect ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the effect clauses of contracts on the payload, in front of and
// behind each step of a run. It reports the steps that do nothing, or nothing
// for some of their targets. Layer: transforms; it changes no payload.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_STEPEFFECTS_H
#define FORMWORK_TRANSFORMS_SETTLE_STEPEFFECTS_H

#include "engine/Diagnostics.h"
#include "engine/Fingerprint.h"
#include "normalforms/ContractLibrary.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <memory>

namespace formwork::transforms {

/// A step of a schedule, and the op that runs for it: the step itself, or a
/// copy.
struct WatchedStep {
  mlir::Operation *written;
  /// Null if no op runs for the step, as for an include that was replaced by
  /// its body.
  mlir::Operation *running;
};

/// The effect of a decision, summed over all times that the step ran. A target
/// whose effect is not known counts only in `numTargets`. For a step that works
/// on what it finds in its target, the ops there are the targets.
struct StepEffect {
  mlir::Operation *step = nullptr; ///< as written
  unsigned numTargets = 0;
  /// Targets for which the effect holds, and those for which it does not.
  unsigned numWith = 0, numWithout = 0;
  /// Whether one of those without the effect has a part of it
  /// (measureBesides).
  bool hasPart = false;
  /// The missing effect on the first target without the effect.
  std::string otherwise;
  /// The places of the first few targets without the effect.
  llvm::SmallVector<mlir::Location, 3> places;

  bool holds() const { return numWith == numTargets && numTargets != 0; }
  bool isIdle() const { return numWithout == numTargets && !hasPart; }
};

/// Watches one run and collects the effects of its steps.
class EffectWatch {
public:
  explicit EffectWatch(const normalforms::ContractLibrary &contracts);
  ~EffectWatch();

  /// The caller calls `enter` in front of each step, and `leave` behind it if
  /// the step came to its end. The run must have expensive checks, because they
  /// keep the interpreter from using invalid handles. Cost: a walk of the
  /// payload for a step that has an effect clause, and the cost of an
  /// EffectSnapshot for each scope that has a target.
  void enter(const WatchedStep &step, mlir::transform::TransformState &state);
  void leave(const WatchedStep &step, mlir::transform::TransformState &state);

  /// The decisions that ran, in the order of their first run.
  llvm::SmallVector<StepEffect> getEffects() const;

private:
  struct Plan;
  struct Target;
  struct Pending;
  class TargetFacts;

  const Plan &getPlan(mlir::Operation *running);
  StepEffect &getEffect(mlir::Operation *written);
  void compare(const Pending &pending, const Plan &plan,
               mlir::transform::TransformState &state, StepEffect &effect);

  const normalforms::ContractLibrary &contracts;
  engine::Fingerprinter fingerprinter;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Plan>> plans;
  llvm::MapVector<mlir::Operation *, StepEffect> effects;
  std::unique_ptr<Pending> pending;
};

/// Adds a warning for each step of `effects` that is idle (fw-step-idle), or
/// idle for some of its targets (fw-step-partial). `nameOf` names the handles
/// of steps. `explain` may add notes to the finding about a step.
void addEffectFindings(
    llvm::ArrayRef<StepEffect> effects,
    const std::function<std::string(mlir::Value)> &nameOf,
    engine::Findings &findings,
    llvm::function_ref<void(const StepEffect &effect, engine::Finding &finding)>
        explain = nullptr);

/// The number of `effects` that hold for every target.
unsigned countEffective(llvm::ArrayRef<StepEffect> effects);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_STEPEFFECTS_H
