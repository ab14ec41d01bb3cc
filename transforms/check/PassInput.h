//===- PassInput.h - What a pass over a schedule starts from ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The libraries of a pass, and the schedule and the payload that its module
// holds. Layer: transforms; of the passes, it knows their common options.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_CHECK_PASSINPUT_H
#define FORMWORK_TRANSFORMS_CHECK_PASSINPUT_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/ScheduleInput.h"
#include "verifier/target/Target.h"

#include "mlir/IR/IRMapping.h"

namespace formwork::transforms {

/// The options that the passes over schedules share.
struct SchedulePassOptions {
  std::string entryPoint;
  std::vector<std::string> forms, contracts, libraries;
  std::string target;
};

/// The libraries of one pass, and its target.
struct PassLibraries : normalforms::Libraries {
  /// Null: the limits common to all.
  const verifier::Target *target = nullptr;

  /// Adds the form files of `options` to those of `context`, each once: what a
  /// pass does before any pass runs. Errors: those of the files, and an unknown
  /// target.
  static llvm::LogicalResult install(mlir::MLIRContext *context,
                                     const SchedulePassOptions &options);
  /// The libraries when the pass runs. Errors: those of the files.
  static llvm::FailureOr<PassLibraries>
  load(mlir::MLIRContext *context, const SchedulePassOptions &options);
};

/// A module taken apart as a copy, and what each part of the copy is of.
class PassInput {
public:
  /// Errors: those of takeScheduleInput.
  static llvm::FailureOr<PassInput> create(mlir::ModuleOp module,
                                           const SchedulePassOptions &options);

  ScheduleInput &get() { return input; }
  /// The op of the module that `copy` is of, or null for one of a library.
  mlir::Operation *toModule(mlir::Operation *copy) const {
    return operations.lookup(copy);
  }
  mlir::Value toModule(mlir::Value copy) const { return values.lookup(copy); }

private:
  ScheduleInput input;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> operations;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_CHECK_PASSINPUT_H
