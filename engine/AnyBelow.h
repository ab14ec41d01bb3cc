//===- AnyBelow.h - Questions about the ops below one -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether an op, or one below it, is of a kind or meets a condition: walks that
// end at the first one that does. Layer: engine; knows MLIR only.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_ANYBELOW_H
#define FORMWORK_ENGINE_ANYBELOW_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

namespace formwork::engine {

/// Whether `holds` is true of `root` or of an op below it. As the callback of a
/// walk, it may take ops of one class or interface, and is asked of these only.
template <typename PredT> bool anyBelow(mlir::Operation *root, PredT holds) {
  using OpT = typename llvm::function_traits<PredT>::template arg_t<0>;
  return root
      ->walk([&](OpT op) {
        return holds(op) ? mlir::WalkResult::interrupt()
                         : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `root` or an op below it is of one of the classes or interfaces.
template <typename... OpTs> bool holdsAny(mlir::Operation *root) {
  return anyBelow(root, [](mlir::Operation *op) { return isa<OpTs...>(op); });
}

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_ANYBELOW_H
