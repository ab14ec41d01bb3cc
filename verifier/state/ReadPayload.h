//===- ReadPayload.h - Facts read off payload IR ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the payload model knows of an op that it has seen, as functions of the
// op: the model is built with them, and validation compares with them. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_READPAYLOAD_H
#define FORMWORK_VERIFIER_STATE_READPAYLOAD_H

#include "verifier/state/Facts.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <memory>

namespace formwork::verifier {

/// The iteration space of a linalg op; null for any other.
std::shared_ptr<const IterationSpace> readSpace(mlir::Operation *op);

/// The facts of an scf.forall or scf.for; null for any other.
std::shared_ptr<const LoopFacts> readLoop(mlir::Operation *op);

/// The ops at or below `root` whose results something with a side effect, or a
/// terminator, uses. Cost: one walk.
llvm::SmallPtrSet<mlir::Operation *, 32> findLive(mlir::Operation *root);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_READPAYLOAD_H
