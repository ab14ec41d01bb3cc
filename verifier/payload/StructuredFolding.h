//===- StructuredFolding.h - What structured ops fold to --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which structured ops may turn out to compute nothing of their own. Layer:
// verifier; it reads payload and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_STRUCTUREDFOLDING_H
#define FORMWORK_VERIFIER_PAYLOAD_STRUCTUREDFOLDING_H

#include "mlir/IR/Operation.h"

namespace formwork::verifier {

/// Whether folding leaves a structured op of `kind` alone; `body` is an op that
/// computes the same, or null where that is not known.
bool resistsFolding(mlir::OperationName kind, mlir::Operation *body);

/// Whether a structured op that computes the same as `body` may pass a value on
/// as it is; true for a null `body`. Only of a linalg.generic it is known that
/// it does not.
bool mayPassOn(mlir::Operation *body);

/// Whether a structured op on buffers, of `kind` and computing the same as
/// `body`, may only copy a buffer to itself.
bool mayCopyToItself(mlir::OperationName kind, mlir::Operation *body);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_STRUCTUREDFOLDING_H
