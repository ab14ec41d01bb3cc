//===- DiscreetProgress.h - Progress beside diagnostics ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A progress line on a terminal that disappears at the first diagnostic. For
// work that emits diagnostics. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_DISCREETPROGRESS_H
#define FORMWORK_ENGINE_DISCREETPROGRESS_H

#include "engine/Progress.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace formwork::engine {

/// Shows progress from construction until destruction or until the first
/// diagnostic in `context`, whichever comes first. Thread rule: as for
/// mlir::ScopedDiagnosticHandler. Cost: as for Progress.
class DiscreetProgress {
public:
  /// `task` is a participle ("lowering to sm_90").
  DiscreetProgress(mlir::MLIRContext *context, llvm::StringRef task,
                   ProgressOutput output = ProgressOutput::forTerminal())
      : progress(std::in_place, task, /*total=*/0, "steps", output),
        handler(context, [this](mlir::Diagnostic &) {
          progress.reset();
          // Leave the diagnostic to the next handler.
          return llvm::failure();
        }) {}

  /// Changes the task that the line shows.
  void enter(const llvm::Twine &task) {
    if (progress)
      progress->enter(task);
  }

private:
  std::optional<Progress> progress;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_DISCREETPROGRESS_H
