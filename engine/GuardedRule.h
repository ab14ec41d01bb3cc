//===- GuardedRule.h - A rule with a condition ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule of MLIR that applies only where a condition says that it computes the
// same. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_GUARDEDRULE_H
#define FORMWORK_ENGINE_GUARDEDRULE_H

#include "mlir/IR/PatternMatch.h"

namespace formwork::engine {

/// Applies `rule` to those operations named `root` for which `mayApply` is
/// true. Name, labels and benefit are those of `rule`; `why` says, as a match
/// failure, why it does not apply.
class GuardedRule : public mlir::RewritePattern {
public:
  GuardedRule(std::unique_ptr<mlir::RewritePattern> rule,
              mlir::OperationName root, bool (*mayApply)(mlir::Operation *),
              llvm::StringRef why)
      : RewritePattern(root.getStringRef(), rule->getBenefit(),
                       rule->getContext()),
        rule(std::move(rule)), mayApply(mayApply), why(why) {
    setDebugName(this->rule->getDebugName());
    addDebugLabels(this->rule->getDebugLabels());
    setHasBoundedRewriteRecursion(this->rule->hasBoundedRewriteRecursion());
  }

  llvm::LogicalResult
  matchAndRewrite(mlir::Operation *op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!mayApply(op))
      return rewriter.notifyMatchFailure(op, why);
    return rule->matchAndRewrite(op, rewriter);
  }

private:
  std::unique_ptr<mlir::RewritePattern> rule;
  bool (*mayApply)(mlir::Operation *);
  std::string why;
};

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_GUARDEDRULE_H
