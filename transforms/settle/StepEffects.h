//===- StepEffects.h - Which steps of a run did their job -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the effect clauses of contracts on the payload, in front of and
// behind each step of a run, and reports the steps that do nothing, or nothing
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

/// A step of a schedule, and the op that runs for it: itself, or a copy.
struct WatchedStep {
  mlir::Operation *written;
  /// Null where none runs, as for an include whose body stands in its place.
  mlir::Operation *running;
};

/// How a step that states a decision did its job, all times that it ran taken
/// together. Of a target of which it is not known, nothing is said.
struct StepEffect {
  mlir::Operation *step = nullptr; ///< as written
  unsigned numTargets = 0;
  /// Targets for which the effect holds, and those for which it does not.
  unsigned numWith = 0, numWithout = 0;
  /// What is left as it was for the first of these.
  std::string otherwise;
  /// Where some of these are in the payload.
  llvm::SmallVector<mlir::Location, 3> places;

  bool holds() const { return numWith == numTargets && numTargets != 0; }
  bool isIdle() const { return numWithout == numTargets; }
};

/// Watches one run.
class EffectWatch {
public:
  explicit EffectWatch(const normalforms::ContractLibrary &contracts);
  ~EffectWatch();

  /// To be called in front of a step, and behind it if it came to its end. With
  /// expensive checks the interpreter finds handles that are invalid; without,
  /// do not watch. Cost: a walk of the payload for a step that has an effect
  /// clause, and what EffectSnapshot costs for each scope that has a target.
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

/// Reports the steps of `effects` that are idle (fw-step-idle) or idle for some
/// of their targets (fw-step-partial); `nameOf` names the handles of steps, and
/// `explain` adds what else there is to say of one. Both are warnings.
void addEffectFindings(
    llvm::ArrayRef<StepEffect> effects,
    const std::function<std::string(mlir::Value)> &nameOf,
    engine::Findings &findings,
    llvm::function_ref<void(const StepEffect &effect, engine::Finding &finding)>
        explain = nullptr);

/// Of how many of `effects` the effect holds for every target.
unsigned countEffective(llvm::ArrayRef<StepEffect> effects);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_STEPEFFECTS_H
