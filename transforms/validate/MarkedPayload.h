//===- MarkedPayload.h - Payload in front of a step -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of a payload as they are at one time, marked so that they can be told
// from others later, also where one has the address of an op that is gone.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_MARKEDPAYLOAD_H
#define FORMWORK_TRANSFORMS_VALIDATE_MARKEDPAYLOAD_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace formwork::transforms {

/// An op as it was.
struct MarkedOp {
  mlir::Location loc;
  mlir::OperationName kind;
  mlir::Operation *parent;
  mlir::DictionaryAttr attributes;
  llvm::SmallVector<mlir::Type, 1> types;
  /// Its number in a walk.
  unsigned number;
  /// Nothing needed its results, or it may have been folded.
  bool mayVanish;
};

/// The payload of one operand of a step.
struct OperandPayload {
  bool isKnown = false;
  llvm::SmallVector<mlir::Operation *> ops;
};

struct MarkedPayload {
  llvm::DenseMap<mlir::Operation *, MarkedOp> ops;
  llvm::DenseSet<mlir::OperationName> kinds;
  llvm::SmallVector<OperandPayload> operands;

  /// Whether `fn` holds for a proper ancestor of `op`; the nearest comes first.
  bool anyAbove(mlir::Operation *op,
                llvm::function_ref<bool(mlir::Operation *)> fn) const;
  /// The nearest op around `op` that is isolated from above; null where there
  /// is none.
  mlir::Operation *getAnchor(mlir::Operation *op) const;
};

/// Marks each op of the payload by its location, and returns all of them with
/// the payload of the `operands` of a step. `numMarks` grows by the number of
/// new marks. Cost: linear in the payload.
MarkedPayload markPayload(mlir::transform::TransformState &state,
                          mlir::ValueRange operands, uint64_t &numMarks);

/// `loc` without a mark.
mlir::Location removeMark(mlir::Location loc);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_MARKEDPAYLOAD_H
