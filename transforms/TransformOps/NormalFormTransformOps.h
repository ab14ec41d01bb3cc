//===- NormalFormTransformOps.h - normalize and assert ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Transform-dialect extension with `transform.normalform.*`. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_NORMALFORMTRANSFORMOPS_H
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_NORMALFORMTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <functional>

namespace mlir {
class DialectRegistry;
}

namespace formwork::transforms {

/// A state extension that calls back at each `transform.normalform.observe`
/// that the interpreter reaches. The caller adds it to the state before the
/// run.
class PayloadObserver : public mlir::transform::TransformState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PayloadObserver)

  using Callback =
      std::function<void(int64_t step, mlir::transform::TransformState &state)>;
  PayloadObserver(mlir::transform::TransformState &state, Callback callback)
      : Extension(state), callback(std::move(callback)) {}

  void observe(int64_t step, mlir::transform::TransformState &state) {
    callback(step, state);
  }

private:
  Callback callback;
};

} // namespace formwork::transforms

#define GET_OP_CLASSES
#include "transforms/TransformOps/NormalFormTransformOps.h.inc"

namespace formwork::transforms {

/// Registers the `normalform` dialect with the built-in predicates, and the
/// extensions of the Transform dialect, including `transform.formwork.*`. A
/// user's form files must be installed (FormLibrary::install) before a schedule
/// that names their forms is parsed.
void registerFormworkExtensions(mlir::DialectRegistry &registry);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_NORMALFORMTRANSFORMOPS_H
