//===- Shrink.h - Smaller modules that still fail ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Delta debugging on IR: from a module on which a property fails, a small one
// on which it fails still. Test support; it knows no property.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_GENERATOR_SHRINK_H
#define FORMWORK_TEST_LIB_GENERATOR_SHRINK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::testing {

struct ShrinkLimits {
  /// How many modules are shown to the property at most.
  unsigned maxCandidates = 20000;
};

struct ShrinkReport {
  /// Modules shown to the property, and how many of them failed.
  unsigned candidates = 0;
  unsigned accepted = 0;
  /// No edit is left to try; false when a limit ended the search.
  bool isMinimal = false;
};

/// The smallest module found on which `stillFails` holds; that it holds on
/// `failing`, which is left alone, is checked. Every module that `stillFails`
/// sees verifies and is a copy, which it may change.
///
/// Edits: remove a function with its calls; remove ops, their results replaced
/// by an operand, by an argument of a region around, or by a filler (a zero
/// constant, an empty tensor, a new buffer); replace a loop or a branch by its
/// body; let a loop run once; drop what loops and functions pass and return.
/// If the report says minimal, none of these, applied to one op, fails still.
/// Deterministic if `stillFails` is. Runs O(n log n) candidates in the good
/// case and O(n^2) in the bad one, n ops.
mlir::OwningOpRef<mlir::ModuleOp>
shrink(mlir::ModuleOp failing,
       llvm::function_ref<bool(mlir::ModuleOp)> stillFails,
       ShrinkLimits limits = {}, ShrinkReport *report = nullptr);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_GENERATOR_SHRINK_H
