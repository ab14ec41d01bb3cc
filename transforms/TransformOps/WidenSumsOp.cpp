//===- WidenSumsOp.cpp - Adds up narrow numbers in f32 --------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/sums/WidenSum.h"

using namespace mlir;
using namespace formwork::transforms;

DiagnosedSilenceableFailure
transform::WidenSumsOp::apply(TransformRewriter &rewriter,
                              TransformResults &results,
                              TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  for (Operation *target : targets) {
    if (!isa<linalg::LinalgOp>(target))
      return refuseTarget(*this, target,
                          "requires a structured operation but has '" +
                              target->getName().getStringRef() +
                              "' [fw-wrong-kind]");
    if (std::optional<std::string> problem = sums::checkNarrowSum(target))
      return refuseTarget(*this, target,
                          Twine(*problem) + " [fw-no-narrow-sum]");
  }
  SmallVector<Operation *> made, roundings;
  for (Operation *target : targets) {
    sums::WidenedSum widened =
        sums::widenSum(rewriter, cast<linalg::LinalgOp>(target));
    made.push_back(widened.sum);
    llvm::append_range(roundings, widened.roundings);
  }
  results.set(cast<OpResult>(getSum()), made);
  results.set(cast<OpResult>(getRounded()), roundings);
  return DiagnosedSilenceableFailure::success();
}
