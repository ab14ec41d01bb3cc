//===- ContractionFolds.h - Sums folded into products, guarded --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's canonicalization makes the summand of a `vector.contract` that starts
// from zero the start of the contraction. It replaces the zero in all operands:
// where a factor is the same value, the result is a wrong one. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CONTRACTIONFOLDS_H
#define FORMWORK_ENGINE_CONTRACTIONFOLDS_H

#include "mlir/IR/PatternMatch.h"

namespace formwork::engine {

/// Whether no summand of `sum` is a contraction of which a factor is also the
/// value that it starts from.
bool keepsFactorsWhenFolded(mlir::Operation *sum);

/// Lets those of `rules` that fold a sum into a contraction apply only where
/// `keepsFactorsWhenFolded`.
void guardContractionFolds(
    llvm::MutableArrayRef<std::unique_ptr<mlir::RewritePattern>> rules);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CONTRACTIONFOLDS_H
