//===- Matchers.h - Models of what matchers accept --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over the payload with matchers, and `transform.collect_matching`.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_CONTROL_MATCHERS_H
#define FORMWORK_VERIFIER_MODELS_CONTROL_MATCHERS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The answer of a matcher for one payload op.
struct Match {
  Certainty certainty = Certainty::Maybe;
  Yields yields;
};

/// The payload ops that a walk from a scope meets, with how sure they are
/// there.
struct PayloadWalk {
  llvm::SmallVector<std::pair<NodeId, Certainty>> ops;
  /// There are no others that match.
  bool complete = true;
  /// They are in the order of the walk.
  bool ordered = true;
};

PayloadWalk getWalk(Analysis &analysis, NodeId scope,
                    llvm::ArrayRef<mlir::transform::NamedSequenceOp> matchers);

/// The answer of `matcher`, called by `step`, for the op of `node`. Reports a
/// failure, which is definite if the op `isAsked` in every run.
Match matchNode(const Step &step, mlir::transform::NamedSequenceOp matcher,
                NodeId node, llvm::ArrayRef<HandleState> forwarded,
                bool isAsked);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_CONTROL_MATCHERS_H
