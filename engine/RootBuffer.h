//===- RootBuffer.h - The buffer of which a value is a view -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a chain of views begins. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_ROOTBUFFER_H
#define FORMWORK_ENGINE_ROOTBUFFER_H

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace formwork::engine {

/// Follows `memory` from view to source until it is no view any more. Returns
/// `memory` itself where that is no view.
inline mlir::Value getRootBuffer(mlir::Value memory) {
  while (auto view = memory.getDefiningOp<mlir::ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_ROOTBUFFER_H
