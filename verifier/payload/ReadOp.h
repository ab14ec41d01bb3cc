//===- ReadOp.h - Facts read off payload ops --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts of the payload model about an op that it has seen, as functions of
// the op: the model is built with them, and validation compares with them.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_READOP_H
#define FORMWORK_VERIFIER_PAYLOAD_READOP_H

#include "verifier/payload/Facts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <memory>

namespace formwork::verifier {

/// The iteration space of a linalg op; null for any other.
std::shared_ptr<const IterationSpace> readSpace(mlir::Operation *op);

/// Whether the type of some operand of `op` leaves the size of loop `dim` open,
/// though `space`, with the maps of `op`, has the sizes of all loops that have
/// to do with it.
bool isOpenInSome(mlir::linalg::LinalgOp op, unsigned dim,
                  const IterationSpace &space);

/// Whether `op` is a vector.mask that writes to a tensor of a dynamic type.
bool writesMasked(mlir::Operation *op);

/// The facts of an scf.forall or scf.for; null for any other.
std::shared_ptr<const LoopFacts> readLoop(mlir::Operation *op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_READOP_H
