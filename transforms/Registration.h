//===- Registration.h - Registers what Formwork adds to MLIR ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one call that an out-of-tree `*-opt` tool makes to get Formwork. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REGISTRATION_H
#define FORMWORK_TRANSFORMS_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace formwork {

/// Adds to `registry` the dialects, extensions, interfaces and translations
/// that Formwork's commands need: all of MLIR's, the normalform dialect and its
/// transform operations.
void registerFormwork(mlir::DialectRegistry &registry);

/// Adds only Formwork's own dialects, extensions, interfaces and translations.
/// For a host that registers MLIR's itself.
void registerFormworkDialects(mlir::DialectRegistry &registry);

/// Registers the passes of MLIR and of Formwork, which schedules call by name.
/// Call it once per process.
void registerFormworkPasses();

/// Registers only the passes of Formwork. Call it once per process.
void registerFormworkOwnPasses();

} // namespace formwork

#endif // FORMWORK_TRANSFORMS_REGISTRATION_H
