//===- CopiedOp.h - A payload op by itself ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of one payload op in a module of its own, to ask MLIR what it can do
// with such an op. Layer: normalforms; the payload stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_COPIEDOP_H
#define FORMWORK_NORMALFORMS_COPIEDOP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace formwork::normalforms {

/// The copy takes constants of its own for those that the op uses, and values
/// of the same types for what else it uses. What it is told about stays unsaid:
/// nobody sees the diagnostics.
///
/// Example: of `%r = linalg.exp ins(%a : tensor<4xf32>) outs(%b :
/// tensor<4xf32>)` the copy is `linalg.exp ins(%0 : …) outs(%1 : …)`, where
/// `%0` and `%1` are casts of nothing.
class CopiedOp {
public:
  /// With `inFunction`, the copy of an op in a function is in a function, too,
  /// of which arguments stand for arguments: rewrites look for what defines a
  /// value.
  explicit CopiedOp(mlir::Operation *original, bool inFunction = false);
  /// A structured op like `original`, on operands of `types` instead of its
  /// own.
  CopiedOp(mlir::Operation *original, llvm::ArrayRef<mlir::Type> types);

  mlir::Operation *get() const { return copy; }
  /// What holds it, and nothing else that counts.
  mlir::ModuleOp getModule() const { return *scratch; }
  /// Whether `rewrite` succeeds on the copy, and leaves what is valid.
  bool allows(llvm::function_ref<bool(mlir::Operation *)> rewrite);

private:
  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  mlir::Operation *copy;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_COPIEDOP_H
