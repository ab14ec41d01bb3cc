//===- FileAccess.h - Steps that reach beyond the payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule can come from anybody, and some passes write files or run
// programs that an option names. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_FILEACCESS_H
#define FORMWORK_ENGINE_FILEACCESS_H

#include "mlir/IR/Operation.h"

namespace formwork::engine {

/// Refuses a step of `schedule` that runs a pass, or gives it an option, that
/// is not on the list of those known to be harmless. Whether the step is ever
/// reached does not count. Operations of a plugin are taken for harmless: to
/// load a plugin runs its code. Errors: fw-file-access.
llvm::LogicalResult checkFileAccess(mlir::Operation *schedule);

/// As above, but emits nothing: whether there is no such step in `schedule`.
bool isKnownHarmless(mlir::Operation *schedule);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_FILEACCESS_H
