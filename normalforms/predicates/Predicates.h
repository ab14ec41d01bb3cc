//===- Predicates.h - The built-in structural predicates --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The predicates that the built-in forms name, by level. Layer: normalforms;
// pure checks of payload.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PREDICATES_PREDICATES_H
#define FORMWORK_NORMALFORMS_PREDICATES_PREDICATES_H

#include "normalforms/IR/Predicate.h"

#include "mlir/IR/DialectRegistry.h"

namespace formwork::normalforms {

class NormalFormDialect;

/// Registers the `normalform` dialect, with all built-in predicates.
void registerNormalForms(mlir::DialectRegistry &registry);

void registerTensorPredicates(NormalFormDialect &dialect);
void registerLoopPredicates(NormalFormDialect &dialect);
void registerVectorPredicates(NormalFormDialect &dialect);
void registerBufferPredicates(NormalFormDialect &dialect);
void registerGPUPredicates(NormalFormDialect &dialect);
void registerLLVMPredicates(NormalFormDialect &dialect);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PREDICATES_PREDICATES_H
