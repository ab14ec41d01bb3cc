//===- Kinds.h - What ops of a kind are -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kind of a payload op alone says: what it may hold, what rewriting
// such ops changes of others. Layer: verifier; functions of names.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_KINDS_H
#define FORMWORK_VERIFIER_PAYLOAD_KINDS_H

#include "normalforms/KindPattern.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"

namespace formwork::verifier {

using normalforms::KindPattern;
using normalforms::KindPatterns;

/// The kind of the functions of a module.
inline constexpr KindPattern functionKind = "func.func";

/// Whether ops of this kind are modules.
bool isModule(mlir::OperationName kind);

/// Whether ops of this kind are loops or branches, which hold what they have no
/// part in.
bool isControlFlow(mlir::OperationName kind);

/// Whether ops of this kind may be made of memory.
bool mayBeMemory(mlir::OperationName kind);

/// Whether no folding takes ops of this kind away, whatever they hold.
bool isNeverFolded(mlir::OperationName kind);

/// Whether folding that drops or merges dimensions of loops of this kind copies
/// what they hold.
bool isRebuiltByCopy(mlir::OperationName kind);

/// Kinds of which folding makes ops of another one, each with that.
llvm::ArrayRef<std::pair<KindPattern, KindPattern>> getFoldedKinds();

/// Whether folding that changes the types of results of ops of this kind puts
/// others in their place, without their discardable attributes.
bool isRebuiltBare(mlir::OperationName kind);

/// Whether structured ops of this kind are more than a copy of what they read,
/// in another shape or through a body, so that folding leaves them alone.
bool isMoreThanACopy(mlir::OperationName kind);

/// Whether folding may make one op of one of this kind and of a reader that
/// pads, packs, copies, transposes or reshapes its result.
bool foldsIntoReshape(mlir::OperationName kind);

/// Whether ops of this kind hold nothing but scalar code.
bool holdsOnlyScalars(mlir::OperationName kind);
/// The kinds of scalar code.
llvm::ArrayRef<KindPattern> getScalarKinds();

/// The ops in the bodies of structured ops.
enum class Bodies {
  Scalars, ///< only scalar code
  Any      ///< also calls, loops, branches and accesses to memory
};
/// Whether `op` is of a kind that `holdsOnlyScalars`, and holds more.
bool holdsOther(mlir::Operation *op);

/// Whether an op of kind `holder` may be one of `kind`, or have one inside.
bool mayBeOrHold(mlir::OperationName holder, mlir::OperationName kind,
                 Bodies bodies);
/// Whether an op of kind `holder` may be of the class `cls`, or have such an op
/// inside.
bool mayBeOrHold(mlir::OperationName holder, llvm::StringRef cls,
                 Bodies bodies);
/// Whether an op that can be tiled may be of `kind`, or have such an op inside.
bool mayBeInTileable(mlir::OperationName kind, Bodies bodies);

/// Whether a pattern that contracts introduce can stand for an op of the class
/// `cls`.
bool canHaveClass(llvm::StringRef pattern, KindPattern::Form cls);
/// The bits of the dialects that `canHaveClass` accepts.
uint64_t getDialectsOfClasses();

/// Whether rewriting `kinds` may change slices: they are among them, or loops
/// on which they depend.
bool mayChangeSlices(llvm::ArrayRef<KindPattern> kinds);
/// Whether `kind` is among those `patterns` that name ops.
bool matchesAnyNamed(llvm::StringRef kind,
                     llvm::ArrayRef<KindPattern> patterns);
/// Whether rewriting `kinds` may change the constants that bound loops.
bool mayChangeBounds(llvm::ArrayRef<KindPattern> kinds);
/// Whether rewriting `kinds` may drop a branch, with all that is in it.
bool mayDropBranches(llvm::ArrayRef<KindPattern> kinds);

/// Whether MLIR's accessors store an attribute called `name` on ops that they
/// are asked about.
bool isStoredByAccessors(mlir::StringAttr name);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_KINDS_H
