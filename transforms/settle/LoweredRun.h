//===- LoweredRun.h - What the lowering makes of a schedule -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the steps of a schedule on a copy of the payload, in a child process
// with limits, and lowers what they leave. Layer: transforms; how the payload
// is lowered is the caller's.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_LOWEREDRUN_H
#define FORMWORK_TRANSFORMS_SETTLE_LOWEREDRUN_H

#include "engine/Child.h"
#include "engine/Diagnostics.h"
#include "transforms/schedule/Trial.h"
#include "verifier/source/ScheduleModel.h"

namespace formwork::transforms {

/// Lowers a payload in place, down to the code of its kernels, with errors as
/// diagnostics; adds what is slow in the code.
using LowerPayload =
    std::function<llvm::LogicalResult(mlir::ModuleOp, engine::Findings &)>;

/// What came of it.
struct LoweredRun {
  enum End {
    Compiles, ///< to code
    NoKernel, ///< the schedule leaves no kernel to lower
    Fails,    ///< with an error, the first of `findings`
    Crashes,  ///< in MLIR or LLVM
    Stopped   ///< by a limit, or there was no child
  };
  End end = Stopped;
  /// At the steps that are to blame: the first error, or warnings that kernels
  /// are slow.
  std::vector<engine::Finding> findings;
  engine::ChildEnd child;
};

/// Runs the entry of `schedule` on a copy of `payload`, and `lower` on what
/// that leaves. All stay as they are, and nothing is emitted. No knob may be
/// open. `prepare` changes the schedule in the child before.
///
/// The step to blame for an error about a payload operation is the last one
/// behind which there are more of its kind at its place; for one that the payload
/// had from the start, the last one that vectorizes if it is structured, else the
/// last one. Error of its own:
/// fw-lowering-fails, for what MLIR or LLVM say without an id. Cost: a process,
/// the run and the lowering; where that fails, a second run.
LoweredRun runLowered(const verifier::ScheduleModel &schedule,
                      mlir::ModuleOp payload, const LowerPayload &lower,
                      const engine::ChildLimits &limits,
                      PrepareRun prepare = nullptr);

/// Puts a finding about a kernel at the step of `schedule` that decides what its
/// threads do: the last one that gives threads to a block, else the last one that
/// makes blocks; one about host code (fw-host-...) at the last one that makes
/// blocks, and leaves the rest to the host; and one about bank conflicts at the last
/// one that lays out a buffer, if there is any. Without one, the finding stays.
engine::Finding moveToThreadStep(engine::Finding finding,
                                 mlir::Operation *schedule);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_LOWEREDRUN_H
