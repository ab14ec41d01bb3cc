//===- EffectRules.h - When a step does nothing -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about the effect of a transform op that only the payload shows, and no
// contract. Each file of models adds the rules of its ops.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_EFFECTRULES_H
#define FORMWORK_VERIFIER_MODELS_EFFECTRULES_H

#include "verifier/state/PayloadModel.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace formwork::verifier {

/// The rules of one transform op; without any, nothing is known.
struct EffectRules {
  /// Why MLIR surely leaves `target` as it is, without a word: "a view outside
  /// of loops uses it". None if no reason is known. Cost: linear in `target`
  /// and its uses.
  std::optional<std::string> (*explainIdle)(mlir::Operation *target) =
      [](mlir::Operation *) { return std::optional<std::string>(); };
  /// Whether `step` surely leaves each op as it is of which `target` is what is
  /// known.
  bool (*isSkipped)(mlir::Operation *step, const Node &target) =
      [](mlir::Operation *, const Node &) { return false; };
  /// A measure of what a step may do to `target` besides the effect that its
  /// contract states. A step without its effect, behind which the measure is
  /// another one, has a part of the effect. Cost: linear in `target`.
  std::optional<llvm::hash_code> (*measureBesides)(mlir::Operation *target) =
      [](mlir::Operation *) { return std::optional<llvm::hash_code>(); };
  /// Whether a step may change that measure for `target`.
  bool (*mayDoBesides)(const PayloadModel &payload, NodeId target) =
      [](const PayloadModel &, NodeId) { return false; };
};

/// The rules by the names of ops.
class EffectRegistry {
public:
  template <typename Op> void add(const EffectRules &rules) {
    known[Op::getOperationName()] = rules;
  }
  /// No rules for an op that has none.
  EffectRules lookup(mlir::Operation *step) const {
    return known.lookup(step->getName().getStringRef());
  }

private:
  llvm::StringMap<EffectRules> known;
};

/// Thread-safe.
const EffectRegistry &getEffectRules();

void addCopiesEffects(EffectRegistry &effects);
void addLoopsEffects(EffectRegistry &effects);
void addMapThreadsEffects(EffectRegistry &effects);
void addScalarLoopsEffects(EffectRegistry &effects);
void addVectorizationEffects(EffectRegistry &effects);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_EFFECTRULES_H
