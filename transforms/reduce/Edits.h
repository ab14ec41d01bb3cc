//===- Edits.h - Ways to shrink payloads and schedules ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The single edits that reduction tries. Each edit names its place by a number,
// so that it can be made on any copy. Layer: transforms; it does not decide
// which edits stay.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_EDITS_H
#define FORMWORK_TRANSFORMS_REDUCE_EDITS_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// The operations that are counted and that edits refer to: those of `module`
/// except modules, terminators, and the entry called `entry`.
llvm::SmallVector<mlir::Operation *> listReducible(mlir::ModuleOp module,
                                                   llvm::StringRef entry);

/// Erases `count` operations from number `first` on, and all operations that
/// use their results. Returns false if a terminator uses one.
bool eraseWithUsers(mlir::ModuleOp module, llvm::StringRef entry,
                    unsigned first, unsigned count);

/// Replaces each result of operation `number` by an operand of its type, and
/// erases the operation.
bool bypass(mlir::ModuleOp module, llvm::StringRef entry, unsigned number);

/// Replaces the results of operation `number`, which is in the function
/// `entry`, by new arguments of that function, and erases the operation.
bool makeArgument(mlir::ModuleOp module, llvm::StringRef entry,
                  unsigned number);

/// Removes attribute number `attribute` of operation `number`, if it is a unit
/// attribute or a discardable one.
bool dropAttribute(mlir::ModuleOp module, llvm::StringRef entry,
                   unsigned number, unsigned attribute);

/// Drops argument or result `number` of the function `entry`, if the function
/// has no callers. An argument is dropped only if nothing uses it.
bool dropArgument(mlir::ModuleOp module, llvm::StringRef entry,
                  unsigned number);
bool dropResult(mlir::ModuleOp module, llvm::StringRef entry, unsigned number);

/// The static sizes in the types of `module`, the largest first.
llvm::SmallVector<int64_t> listExtents(mlir::ModuleOp module);

/// Replaces the size `from` by `to` in all types, lists of static sizes and
/// index constants.
bool shrinkExtent(mlir::ModuleOp module, int64_t from, int64_t to);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_REDUCE_EDITS_H
