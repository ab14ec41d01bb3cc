//===- KindPattern.cpp - A kind of op as contracts write it -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/KindPattern.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace formwork::normalforms;

bool KindPattern::matches(OperationName name) const {
  switch (getForm()) {
  case Form::Isolated:
    return name.hasTrait<OpTrait::IsIsolatedFromAbove>();
  case Form::Loop:
    return name.hasInterface<LoopLikeOpInterface>();
  case Form::Structured:
    return name.hasInterface<linalg::LinalgOp>();
  case Form::Tileable:
    return name.hasInterface<TilingInterface>();
  default:
    return names(name.getStringRef());
  }
}
