//===- ContractionFolds.cpp - Guarded sums of products ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/ContractionFolds.h"

#include "engine/GuardedRule.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::engine;

bool formwork::engine::keepsFactorsWhenFolded(Operation *sum) {
  return llvm::none_of(sum->getOperands(), [](Value value) {
    auto contraction = value.getDefiningOp<vector::ContractionOp>();
    return contraction && (contraction.getAcc() == contraction.getLhs() ||
                           contraction.getAcc() == contraction.getRhs());
  });
}

void formwork::engine::guardContractionFolds(
    MutableArrayRef<std::unique_ptr<RewritePattern>> rules) {
  for (std::unique_ptr<RewritePattern> &rule : rules)
    if (rule->getDebugName().contains("CanonicalizeContractAdd"))
      rule = std::make_unique<GuardedRule>(
          std::move(rule), *rule->getRootKind(), keepsFactorsWhenFolded,
          "a factor is also what the contraction starts from");
}
