//===- Registration.h - Everything Formwork adds to MLIR --------*- C++ -*-===//
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

namespace mlir {
class DialectRegistry;
}

namespace formwork {

/// Adds to `registry` the dialects, extensions, interfaces and translations
/// that Formwork's commands need: all of MLIR's, the normalform dialect and its
/// transform operations.
void registerFormwork(mlir::DialectRegistry &registry);

/// What of this is Formwork's own: for a host that has MLIR's.
void registerFormworkDialects(mlir::DialectRegistry &registry);

/// Registers MLIR's passes and Formwork's, which schedules reach by name.
/// Call it once a process.
void registerFormworkPasses();

/// Those of Formwork alone.
void registerFormworkOwnPasses();

} // namespace formwork

#endif // FORMWORK_TRANSFORMS_REGISTRATION_H
