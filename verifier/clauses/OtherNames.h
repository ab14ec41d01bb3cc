//===- OtherNames.h - Handles that inlining makes one -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sequence that yields an argument gives its caller the handle back. Where
// the call is inlined, both are one value. Layer: verifier; reads the schedule
// only.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_OTHERNAMES_H
#define FORMWORK_VERIFIER_CLAUSES_OTHERNAMES_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Value.h"

namespace formwork::verifier {

/// The other values of the same sequence that are `value` where all calls of
/// sequences are inlined. Cost: the uses of these values.
llvm::SmallVector<mlir::Value>
getOtherNames(mlir::Value value, mlir::SymbolTableCollection &symbols);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_OTHERNAMES_H
