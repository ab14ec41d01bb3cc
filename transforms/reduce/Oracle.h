//===- Oracle.h - Whether a pair still shows a finding ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides in a child process whether a payload and a schedule show a finding, a
// crash or a difference. Layer: transforms; it changes neither of the two.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_ORACLE_H
#define FORMWORK_TRANSFORMS_REDUCE_ORACLE_H

#include "engine/Child.h"
#include "normalforms/Libraries.h"
#include "verifier/source/ScheduleModel.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace formwork::transforms {

struct OracleOptions {
  /// The symptom to keep: the id of a finding, `crash` or `difference`.
  std::string keep;
  /// The name of the sequence that is the schedule, and of the function that is
  /// executed.
  std::string entryPoint, entry;
  /// Whether a diagnostic with this id is an error when the check is certain.
  std::function<bool(llvm::StringRef id)> isError;
  /// The limits of one trial.
  engine::ChildLimits limits;
};

class Oracle {
public:
  Oracle(const normalforms::Libraries &libraries, const OracleOptions &options)
      : libraries(libraries), options(options) {}

  /// Whether `schedule` on `payload`, which may be null, shows the symptom in
  /// any way. Remembers the way that found it, the name of the step that shows
  /// it, and the reason, for later calls of `shows`.
  bool begin(mlir::ModuleOp payload, mlir::ModuleOp schedule);

  /// Whether the pair shows the symptom in the same way, at a step of the same
  /// name, for the same reason: a message that differs in numbers and shapes
  /// only; of an execution, one that names the same ops. Cost: a process, and a
  /// check, a run, or an execution of each step.
  bool shows(mlir::ModuleOp payload, mlir::ModuleOp schedule);

private:
  enum Way { Check, StaticCheck, Crash, Execution };

  /// The names of the steps that show the symptom, and why, as text.
  std::vector<std::string> find(mlir::ModuleOp payload,
                                mlir::ModuleOp schedule);
  std::vector<std::string> findInCheck(mlir::ModuleOp payload,
                                       const verifier::ScheduleModel &model);
  std::vector<std::string> findCrash(mlir::ModuleOp payload,
                                     const verifier::ScheduleModel &model);
  std::vector<std::string>
  findInExecution(mlir::ModuleOp payload, const verifier::ScheduleModel &model);

  normalforms::Libraries libraries;
  OracleOptions options;
  Way way = Check;
  std::optional<std::string> symptom;
};

/// The part of a message that stays while the payload shrinks: numbers
/// and lists of them become `#`, and shaped types lose their contents. Example:
/// "requires at most 2 sizes for tensor<4x8xf32>" becomes "requires at most #
/// sizes for tensor<>".
std::string getReason(llvm::StringRef message);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_REDUCE_ORACLE_H
