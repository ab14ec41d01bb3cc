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

namespace mlir {
class DialectRegistry;
}

#define GET_OP_CLASSES
#include "transforms/TransformOps/NormalFormTransformOps.h.inc"

namespace formwork::transforms {

/// Registers the `normalform` dialect with the built-in predicates, and the
/// extension of the Transform dialect. A user's form files must be installed
/// (FormLibrary::install) before a schedule that names their forms is parsed.
void registerFormworkExtensions(mlir::DialectRegistry &registry);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_NORMALFORMTRANSFORMOPS_H
