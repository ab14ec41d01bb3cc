//===- StepEffects.h - The memory effects of steps --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the steps of a schedule do to their handles and to the payload, as their
// MemoryEffects say. A check asks that of each step and each operand, several
// times; it is looked up once a step. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEPEFFECTS_H
#define FORMWORK_VERIFIER_STEPEFFECTS_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

class StepEffects {
public:
  /// What transform::doesModifyPayload says.
  bool modifiesPayload(mlir::transform::TransformOpInterface step) {
    return get(step).modifiesPayload;
  }
  /// What transform::isHandleConsumed says.
  bool consumes(mlir::transform::TransformOpInterface step,
                mlir::Value handle) {
    return llvm::is_contained(get(step).consumed, handle);
  }

private:
  struct Effects {
    bool modifiesPayload = false;
    llvm::SmallVector<mlir::Value, 2> consumed;
  };
  const Effects &get(mlir::transform::TransformOpInterface step);

  llvm::DenseMap<mlir::Operation *, Effects> known;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEPEFFECTS_H
