//===- FileAccess.h - Steps that reach beyond the payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds schedule steps that can write files or run programs. A schedule can
// come from anybody, and some passes have options that name a file or a
// program. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_FILEACCESS_H
#define FORMWORK_ENGINE_FILEACCESS_H

#include "mlir/IR/Operation.h"

namespace formwork::engine {

/// Refuses each step of `schedule` that runs a pass, or sets an option, that is
/// not on the list of harmless ones. Steps that are never reached are refused,
/// too. Operations of a plugin count as harmless: loading a plugin already runs
/// its code. Errors: fw-file-access.
llvm::LogicalResult checkFileAccess(mlir::Operation *schedule);

/// As above, but emits nothing: whether `schedule` has no such step.
bool isKnownHarmless(mlir::Operation *schedule);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_FILEACCESS_H
