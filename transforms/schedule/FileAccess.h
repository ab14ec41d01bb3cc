//===- FileAccess.h - Steps that reach beyond the payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule can come from anybody, and some passes write files or run
// programs that an option names. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_FILEACCESS_H
#define FORMWORK_TRANSFORMS_SCHEDULE_FILEACCESS_H

#include "mlir/IR/Operation.h"

namespace formwork::transforms {

/// Refuses a step of `schedule` that runs a pass, or gives it an option, that
/// is not on the list of those known to be harmless. Whether the step is ever
/// reached does not count. Operations of a plugin are taken for harmless: to
/// load a plugin runs its code. Errors: fw-file-access.
llvm::LogicalResult checkFileAccess(mlir::Operation *schedule);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_FILEACCESS_H
