//===- CopiedOp.h - A payload op by itself ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies one payload op into its own module, to ask MLIR what it can do with
// such an op. Layer: normalforms; the payload stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_COPIEDOP_H
#define FORMWORK_NORMALFORMS_COPIEDOP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace formwork::normalforms {

/// The copy has its own copies of the constants that the op uses. Placeholder
/// values of the same types replace all other operands. Diagnostics about the
/// copy are dropped.
///
/// Example: the copy of `%r = linalg.exp ins(%a : tensor<4xf32>) outs(%b :
/// tensor<4xf32>)` is `linalg.exp ins(%0 : …) outs(%1 : …)`, where `%0` and
/// `%1` are casts without operands.
class CopiedOp {
public:
  /// With `inFunction`, the copy of an op in a function is also in a function,
  /// and arguments replace arguments. This matters because rewrites look at the
  /// definition of a value.
  explicit CopiedOp(mlir::Operation *original, bool inFunction = false);
  /// Copies a structured op, but with operands of `types`.
  CopiedOp(mlir::Operation *original, llvm::ArrayRef<mlir::Type> types);

  mlir::Operation *get() const { return copy; }
  /// The module that holds the copy.
  mlir::ModuleOp getModule() const { return *scratch; }
  /// Whether `rewrite` succeeds on the copy and leaves valid IR.
  bool allows(llvm::function_ref<bool(mlir::Operation *)> rewrite);

private:
  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  mlir::Operation *copy;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_COPIEDOP_H
