//===- NormalFormOps.h - The normalform dialect and its ops -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++ side of the `normalform` dialect and its ops. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_NORMALFORMOPS_H
#define FORMWORK_NORMALFORMS_IR_NORMALFORMOPS_H

#include "engine/Normalizer.h"
#include "engine/RuleSet.h"
#include "normalforms/IR/Predicate.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"

#include <memory>

namespace formwork::normalforms {
class FormLibrary;
}

#include "normalforms/IR/NormalFormDialect.h.inc"
#include "normalforms/IR/NormalFormEnums.h.inc"

#define GET_OP_CLASSES
#include "normalforms/IR/NormalFormOps.h.inc"

#endif // FORMWORK_NORMALFORMS_IR_NORMALFORMOPS_H
