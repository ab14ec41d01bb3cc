//===- Groups.h - Models of ops that run rule groups ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies a list of rule groups and procedures to the payload model, by their
// contracts, and tells whether the list comes to an end. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_REWRITING_GROUPS_H
#define FORMWORK_VERIFIER_MODELS_REWRITING_GROUPS_H

#include "verifier/state/CleanUp.h"
#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The rewrites of some rule groups and procedures, taken together.
struct Rewrites {
  llvm::SmallVector<KindPattern, 32> introduces;
  /// But for what canonicalization folds.
  llvm::SmallVector<KindPattern, 16> rewrites;
  bool merges = false;
  bool moves = false;
  /// The strongest folding among them.
  Folding folds = Folding::None;
};

Rewrites getRewrites(const Analysis &analysis,
                     llvm::ArrayRef<llvm::StringRef> names);

/// Those of `names` for which there may be something to rewrite at or below
/// the op that isolates `scope`, as it is or as the others leave it.
RewriteNames getActive(const Analysis &analysis, NodeId scope,
                       const RewriteNames &names);

/// Applies the side effects of `names`, and of the driver that runs rule groups
/// among them.
void applySideEffectsOf(Analysis &analysis,
                        llvm::ArrayRef<llvm::StringRef> names);

/// Whether a vector.mask may be at or below `scope`.
bool mayHoldMask(const PayloadModel &payload, NodeId scope);

/// Unproves `op` where `names` may make several ops of one in a vector.mask.
void checkMasks(const Step &step, NodeId scope, const RewriteNames &names);

/// The forms that outlive them, whatever order they run in.
llvm::SmallVector<normalforms::AtomId> getPreserved(const Analysis &analysis,
                                                    const RewriteNames &names);

/// Unproves `op` when rule groups `groups` may not come to an end together,
/// unless a trial says that they do, or when one has no contract.
void checkConvergence(const Step &step,
                      llvm::ArrayRef<mlir::Operation *> groups,
                      bool endInTrial = false);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_REWRITING_GROUPS_H
