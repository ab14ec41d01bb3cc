//===- Variants.h - Payload like another ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Varies the payload of a case: other shapes, static or dynamic, other element
// types, neighbours in and around its functions, copies of them, attributes.
// Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_PROPERTY_WITNESSES_VARIANTS_H
#define FORMWORK_TEST_PROPERTY_WITNESSES_VARIANTS_H

#include "test/lib/generator/Random.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace formwork::testing {

/// A valid payload that `random` makes of the payload `text`. With `inModule`,
/// it may come to lie in a module of its own, which has the attribute
/// `witness.scope`, beside others. Null if `text` does not parse.
mlir::OwningOpRef<mlir::ModuleOp> makeVariant(mlir::MLIRContext *context,
                                              llvm::StringRef text,
                                              Random &random, bool inModule);

} // namespace formwork::testing

#endif // FORMWORK_TEST_PROPERTY_WITNESSES_VARIANTS_H
