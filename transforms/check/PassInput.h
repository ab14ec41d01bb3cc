//===- PassInput.h - The input of a pass over a schedule --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads the libraries of a pass, and finds the schedule and the payload in its
// module. Layer: transforms; it knows only the options that the passes share.
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
  /// If null, the limits common to all targets hold.
  const verifier::Target *target = nullptr;

  /// Adds the form files of `options` to those of `context`, each file once. A
  /// pass calls this before any pass runs. Errors: those of the files, and an
  /// unknown target.
  static llvm::LogicalResult install(mlir::MLIRContext *context,
                                     const SchedulePassOptions &options);
  /// Returns the libraries for a pass that runs. Errors: those of the files.
  static llvm::FailureOr<PassLibraries>
  load(mlir::MLIRContext *context, const SchedulePassOptions &options);
};

/// A copy of a module, split into schedule and payload, with a map from the
/// copy to the module.
class PassInput {
public:
  /// Errors: those of takeScheduleInput.
  static llvm::FailureOr<PassInput> create(mlir::ModuleOp module,
                                           const SchedulePassOptions &options);

  ScheduleInput &get() { return input; }
  /// The op of the module that `copy` was made from; null for an op of a
  /// library.
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
