//===- Strategies.h - A schedule for a payload that has none ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The façade of this folder: prepares a payload, divides it into kernels, and
// writes the schedule that tiles, fuses and maps them. The result is checked,
// normalized and run like any other schedule. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_STRATEGIES_H
#define FORMWORK_TRANSFORMS_STRATEGIES_STRATEGIES_H

#include "engine/SourcePlace.h"
#include "transforms/strategies/StrategyLibrary.h"

#include <optional>

namespace formwork::transforms {

/// The result of strategies on a payload.
struct StrategyOutcome {
  /// The payload as the schedule takes it: prepared, and with the attribute
  /// `formwork.part` on the operations that the schedule matches.
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  /// The text of the schedule, and the same steps with locations: findings
  /// about a step are shown at the operation of the payload that it is for.
  std::string schedule, placedSchedule;
};

/// The step of a strategy that `loc`, the location of a step in a schedule with
/// places, stands for; its name is that of the kernel and the strategy. None
/// for any other location.
std::optional<engine::CallFrame> findStrategyStep(mlir::Location loc);

/// Makes a schedule for `payload`, which stays as it is. Emits a remark for
/// each kernel (fw-strategy). Errors: fw-no-strategy for each operation that no
/// strategy takes, and those of the steps that prepare the payload.
llvm::FailureOr<StrategyOutcome>
applyStrategies(mlir::ModuleOp payload, const StrategyLibrary &library);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_STRATEGIES_H
