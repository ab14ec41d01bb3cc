//===- Edits.h - Ways to make a payload or a schedule smaller ----- -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The single edits that reduction tries, each at a place that has a number: so
// an edit can be made on any copy. Layer: transforms; it does not decide which
// edits stay.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_EDITS_H
#define FORMWORK_TRANSFORMS_REDUCE_EDITS_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// What is counted, and what an edit is about: the operations of `module` but
/// modules, terminators, and the entry called `entry`.
llvm::SmallVector<mlir::Operation *> listReducible(mlir::ModuleOp module,
                                                   llvm::StringRef entry);

/// Erases the operations with the numbers from `first` on, `count` of them, and
/// all that uses what they return. False where a terminator does.
bool eraseWithUsers(mlir::ModuleOp module, llvm::StringRef entry,
                    unsigned first, unsigned count);

/// Replaces each result of operation `number` by an operand of its type, and
/// erases the operation.
bool bypass(mlir::ModuleOp module, llvm::StringRef entry, unsigned number);

/// Replaces the results of operation `number`, which is in the function
/// `entry`, by new arguments of that, and erases the operation.
bool makeArgument(mlir::ModuleOp module, llvm::StringRef entry,
                  unsigned number);

/// Takes attribute `attribute`, by number, of operation `number` away: a unit
/// attribute, or one that its operation does not define.
bool dropAttribute(mlir::ModuleOp module, llvm::StringRef entry,
                   unsigned number, unsigned attribute);

/// Drops argument `number`, if nothing uses it, or result `number` of the
/// function `entry`, if that has no callers.
bool dropArgument(mlir::ModuleOp module, llvm::StringRef entry,
                  unsigned number);
bool dropResult(mlir::ModuleOp module, llvm::StringRef entry, unsigned number);

/// The static extents in the types of `module`, the largest one first.
llvm::SmallVector<int64_t> listExtents(mlir::ModuleOp module);

/// Replaces the extent `from` by `to` in all types, lists of static sizes and
/// index constants.
bool shrinkExtent(mlir::ModuleOp module, int64_t from, int64_t to);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_REDUCE_EDITS_H
