//===- FormworkTransformOps.h - Registers the decision ops ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Transform-dialect extension with `transform.formwork.*`: decisions for
// which upstream has no operation. Layer: transforms. The operations only read
// the author's decisions; the rewrites are in folders of their own.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_FORMWORKTRANSFORMOPS_H
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_FORMWORKTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "transforms/TransformOps/FormworkTransformOps.h.inc"

namespace formwork::transforms {

/// Adds `transform.formwork.*` to the Transform dialect.
void registerDecisions(mlir::DialectRegistry &registry);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_FORMWORKTRANSFORMOPS_H
