//===- AliasFolds.h - Folds of views into accesses, guarded -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's `fold_memref_alias_ops` lets an access to a view access the buffer
// behind the view. It computes the right first element. It does not ask whether
// the further elements of a vector lie in the buffer as they lie in the view,
// and whether both have the same bounds. This guard asks, and keeps those folds
// that are right. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_ALIASFOLDS_H
#define FORMWORK_ENGINE_ALIASFOLDS_H

#include "mlir/IR/PatternMatch.h"

namespace formwork::engine {

/// The rule group that folds views into accesses.
constexpr llvm::StringLiteral aliasFoldGroup =
    "transform.apply_patterns.memref.fold_memref_alias_ops";

/// Whether a fold of the view that `access` accesses reads or writes the same
/// elements. A vector dimension of more than one element steps through one
/// dimension of the view. It has to step in the same way through the dimension
/// of the buffer to which the fold moves it. A transfer that compares with the
/// bounds of the view needs the same bounds there.
///
/// True for operations that access one element, that access no view, or whose
/// rule looks at all this itself. Pure; looks at types and at the operation
/// that makes the view.
bool keepsElementsWhenFolded(mlir::Operation *access);

/// Lets each of `rules` apply only where `keepsElementsWhenFolded`. Names,
/// labels and benefits of the rules stay.
void guardAliasFolds(
    llvm::MutableArrayRef<std::unique_ptr<mlir::RewritePattern>> rules);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_ALIASFOLDS_H
