//===- AnyBelow.h - Questions about an op and the ops below it --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks whether an op, or an op below it, is of some kind or meets a condition.
// The walks end at the first op that does. Layer: engine; knows MLIR only.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_ANYBELOW_H
#define FORMWORK_ENGINE_ANYBELOW_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

namespace formwork::engine {

/// Whether `holds` is true of `root` or of an op below it. The parameter of
/// `holds` may be one op class or interface; only such ops are tested.
template <typename PredT> bool anyBelow(mlir::Operation *root, PredT holds) {
  using OpT = typename llvm::function_traits<PredT>::template arg_t<0>;
  return root
      ->walk([&](OpT op) {
        return holds(op) ? mlir::WalkResult::interrupt()
                         : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `root` or an op below it is of one of these classes or interfaces.
template <typename... OpTs> bool holdsAny(mlir::Operation *root) {
  return anyBelow(root, [](mlir::Operation *op) { return isa<OpTs...>(op); });
}

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_ANYBELOW_H
