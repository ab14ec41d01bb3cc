//===- Matcher.h - What a matcher sequence says of an op --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether a named sequence of matcher ops, as `foreach_match` and
// `collect_matching` run them, accepts a payload op. Matchers only look, so on
// an op that no step has changed MLIR's own implementation gives the answer; of
// any other op, its kind decides as far as it can. Layer: verifier; knows the
// payload, not the state.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_CONTROL_MATCHER_H
#define FORMWORK_VERIFIER_MODELS_CONTROL_MATCHER_H

#include "normalforms/ContractLibrary.h"
#include "verifier/payload/Facts.h"
#include "verifier/state/KindSet.h"
#include "verifier/state/Node.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace formwork::verifier {

/// The payload of one value that a matcher yields.
struct MatcherYield {
  /// The ops; for values, those that define or own them.
  llvm::SmallVector<mlir::Operation *, 1> ops;
  /// For parameters; none where it is no integer of 64 bits.
  llvm::SmallVector<Size, 4> params;
};

struct MatcherAnswer {
  Certainty certainty = Certainty::Maybe;
  /// Why the matcher fails for good, rather than not to match; and whether it
  /// comes so far for sure.
  std::optional<std::string> failure;
  bool failsForSure = false;
  /// Per operand of the terminator; empty when nothing is known.
  llvm::SmallVector<MatcherYield> found;
};

class Matcher {
public:
  Matcher(mlir::transform::NamedSequenceOp sequence,
          const normalforms::ContractLibrary &contracts)
      : sequence(sequence), contracts(contracts) {}

  /// The answer of the matcher for an op of `asked`, and for the exact op of
  /// the node, if it has one. `isPristine`: no step has changed any payload.
  /// Changes nothing and emits nothing. Cost: at most one interpretation of the
  /// matcher.
  MatcherAnswer ask(const Node &asked, bool isPristine) const;

  /// The kind of what it accepts, if that is one only.
  std::optional<mlir::OperationName> getKind() const;
  /// The kind of what it yields as operand `index`, if it yields what it was
  /// given and accepts one kind only.
  std::optional<mlir::OperationName> getKindOf(unsigned index) const;

  /// The kinds (or classes of kinds) that its first step accepts, so that it
  /// does not match any other op; none where that step says nothing of kinds.
  std::optional<llvm::SmallVector<KindPattern, 1>> getAcceptedKinds() const;

private:
  MatcherAnswer run(mlir::Operation *op) const;
  /// Whether `op` says something and decides nothing: a check leaves it out.
  bool onlyReports(mlir::Operation &op) const {
    return contracts.has(&op, normalforms::SideEffect::OnlyReports);
  }

  mutable mlir::transform::NamedSequenceOp sequence;
  const normalforms::ContractLibrary &contracts;
};

/// Whether all steps of `sequence`, which does not include itself, change
/// nothing of the payload but discardable attributes.
bool changesOnlyAttributes(mlir::transform::NamedSequenceOp sequence,
                           const normalforms::ContractLibrary &contracts);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_CONTROL_MATCHER_H
