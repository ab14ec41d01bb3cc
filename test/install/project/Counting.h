//===- Counting.h - What the project adds to Formwork -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COUNTING_H
#define COUNTING_H

#include "mlir/IR/DialectRegistry.h"

/// Registers the operations, the predicate and the model of the project.
void registerCounting(mlir::DialectRegistry &registry);

#endif // COUNTING_H
