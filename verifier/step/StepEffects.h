//===- StepEffects.h - The memory effects of steps --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The effects of the steps of a schedule on their handles and on the payload,
// by their MemoryEffects. A check asks that of each step and each operand,
// several times; it is looked up once a step. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_STEPEFFECTS_H
#define FORMWORK_VERIFIER_STEP_STEPEFFECTS_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

class StepEffects {
public:
  /// `symbols` tells what sequences are included; it has to live as long.
  explicit StepEffects(mlir::SymbolTableCollection &symbols)
      : symbols(symbols) {}
  /// Whether `op` is a transform op; of what is none, nothing else is true.
  bool isStep(mlir::Operation *op) { return get(op).isStep; }
  /// The answer of transform::doesModifyPayload.
  bool modifiesPayload(mlir::Operation *op) { return get(op).modifiesPayload; }
  /// The answer of transform::isHandleConsumed.
  bool consumes(mlir::Operation *op, mlir::Value handle) {
    return llvm::is_contained(get(op).consumed, handle);
  }
  /// The answer of TransformOpInterface::allowsRepeatedHandleOperands.
  bool allowsRepeatedHandles(mlir::Operation *op) {
    return get(op).allowsRepeatedHandles;
  }

private:
  struct Effects {
    bool isStep = false;
    bool modifiesPayload = false;
    bool allowsRepeatedHandles = false;
    llvm::SmallVector<mlir::Value, 2> consumed;
  };
  const Effects &get(mlir::Operation *op);
  /// The effects that upstream's include computes by a search among all symbols
  /// around it, each time. The schedule has to verify.
  void describe(mlir::transform::IncludeOp include, Effects &effects);

  mlir::SymbolTableCollection &symbols;
  llvm::DenseMap<mlir::Operation *, Effects> known;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_STEPEFFECTS_H
