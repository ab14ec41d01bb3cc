//===- FollowedHandles.h - Handles that are worth a look --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which handles an observer looks at behind each step, so that the cost of a
// look does not grow with all the handles of a schedule. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_REPORT_FOLLOWEDHANDLES_H
#define FORMWORK_VERIFIER_REPORT_FOLLOWEDHANDLES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

/// A handle is followed from where it is set to 32 steps behind its last use,
/// in regions inside of its block only up to its last use. At the end of its
/// block, each handle is looked at once more.
class FollowedHandles {
public:
  using Callback = llvm::function_ref<void(mlir::Value)>;

  /// The check is behind `step`. Calls `look` with each handle that is to be
  /// looked at, and before that `leave` with each handle of the block that is
  /// not followed from here on. Cost: linear in the handles that are followed;
  /// at the end of a block, in its handles.
  void visit(
      mlir::Operation *step, Callback look,
      Callback leave = [](mlir::Value) {});

private:
  struct Followed {
    mlir::Value value;
    /// The number of the step of its block that uses it last, and of the one
    /// behind which it is left alone.
    unsigned lastUse, end;
  };
  /// The handles of one block that are followed at one of its steps.
  struct Scope {
    llvm::DenseMap<mlir::Operation *, unsigned> numbers;
    mlir::Operation *at = nullptr;
    llvm::SmallVector<Followed> followed;
  };

  Scope &getScope(mlir::Block *block);
  static void follow(Scope &scope, mlir::Value value, unsigned number);
  /// Takes the scope of the block of `step` to that step.
  Scope &goTo(mlir::Operation *step, Callback leave);

  llvm::DenseMap<mlir::Block *, Scope> scopes;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_REPORT_FOLLOWEDHANDLES_H
