//===- ShrinkEdits.h - Edits that make a module smaller ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each edit changes the module in place and returns whether it applied. The
// result has valid uses; whether it verifies is for the caller to find out, and
// after a false the module is of no use any more. Test support, private to the
// shrinker.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_GENERATOR_SHRINKEDITS_H
#define FORMWORK_TEST_LIB_GENERATOR_SHRINKEDITS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::testing {

/// The value that takes the place of a result of a removed op, if there is one;
/// a filler otherwise.
enum class Substitute { Operand, Argument, Filler };

/// Constants, empty tensors and new buffers: what stands in for removed ops.
bool isFiller(mlir::Operation *op);

/// Removes `ops`, which are in pre-order, with everything in them.
bool removeOps(llvm::ArrayRef<mlir::Operation *> ops, Substitute substitute);

/// Removes the function with the calls of it.
bool removeFunction(mlir::func::FuncOp function);

/// Replaces a loop by one run of its body, or a branch by its region number
/// `region`.
bool unwrap(mlir::Operation *op, unsigned region);

/// How often the body of this op runs: 0 for what is no loop, and a large
/// number for a loop whose bounds are no constants.
uint64_t countTrips(mlir::Operation *op);

/// Gives a loop that runs more than once the bounds of one that runs once.
bool runOnce(mlir::Operation *op);

/// Drops value number `index` of those that the op carries around: an argument
/// or result of a function that is not called, the others of `index` counting
/// from the last argument; or what a loop carries.
bool dropCarried(mlir::Operation *op, unsigned index);
unsigned countCarried(mlir::Operation *op);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_GENERATOR_SHRINKEDITS_H
