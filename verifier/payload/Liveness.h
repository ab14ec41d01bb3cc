//===- Liveness.h - Which payload ops are needed ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops of a payload clean-up keeps because something needs them. Layer:
// verifier; reads payload and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_LIVENESS_H
#define FORMWORK_VERIFIER_PAYLOAD_LIVENESS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

enum class UseKind {
  /// As the payload stands.
  Now,
  /// And whatever clean-up folds: a use counts only where no folding of the
  /// user drops the operand. Example: of %x in `tensor.dim %x`, that counts as
  /// a use now, but not as one that lasts.
  Lasting
};

/// The ops at or below `root` that have an effect, or whose results are needed
/// by such an op or returned by a function. A loop's yield is needed when the
/// loop's result is. Cost: linear in what `root` holds.
llvm::SmallPtrSet<mlir::Operation *, 32> findLive(mlir::Operation *root,
                                                  UseKind need);

/// Whether no folding finds that `op`, a linalg.generic or what may become one,
/// only passes on what it is given: what it yields is a sum or a product of
/// different values in its body. Cost: one walk over the body.
bool doesCompute(mlir::Operation *op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_LIVENESS_H
