//===- Oracle.h - Whether a pair still shows a finding ----------- -*- C++
//-*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides in a child process whether a payload and a schedule show a finding, a
// crash or a difference. Layer: transforms; it changes neither.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_ORACLE_H
#define FORMWORK_TRANSFORMS_REDUCE_ORACLE_H

#include "engine/Child.h"
#include "normalforms/Libraries.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace formwork::transforms {

struct OracleOptions {
  /// The id of a finding; or `crash` or `difference`.
  std::string keep;
  /// The sequence that is the schedule, and the function that is executed.
  std::string entryPoint, entry;
  /// Whether a certain case of a diagnostic with this id is an error.
  std::function<bool(llvm::StringRef id)> isError;
  /// Of one trial.
  engine::ChildLimits limits;
};

class Oracle {
public:
  Oracle(const normalforms::Libraries &libraries, const OracleOptions &options)
      : libraries(libraries), options(options) {}

  /// Whether `schedule` on `payload`, which may be null, shows what is to be
  /// kept, in any way; and takes that for what is looked for from now on: the
  /// way that finds it, and the name of the step at which it is.
  bool begin(mlir::ModuleOp payload, mlir::ModuleOp schedule);

  /// Whether it is there in the same way, at a step of the same name. Cost: a
  /// process, and a check, a run, or an execution of each step.
  bool shows(mlir::ModuleOp payload, mlir::ModuleOp schedule);

private:
  enum Way { Check, Crash, Execution };

  bool ask(Way way, mlir::ModuleOp payload, mlir::ModuleOp schedule);
  /// The name of the step at which it is found; none if it is not.
  std::optional<std::string> find(Way way, mlir::ModuleOp payload,
                                  mlir::ModuleOp schedule);
  std::optional<std::string> findInCheck(mlir::ModuleOp payload,
                                         mlir::ModuleOp schedule);
  std::optional<std::string> findCrash(mlir::ModuleOp payload,
                                       mlir::ModuleOp schedule);
  std::optional<std::string> findInExecution(mlir::ModuleOp payload,
                                             mlir::ModuleOp schedule);

  normalforms::Libraries libraries;
  OracleOptions options;
  Way way = Check;
  std::optional<std::string> step;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_REDUCE_ORACLE_H
