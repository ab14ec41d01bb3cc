//===- LoweredRun.h - Runs and lowers a schedule in a child -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the steps of a schedule on a copy of the payload, in a child process
// with limits, and lowers the payload that they leave. Layer: transforms; the
// caller decides how the payload is lowered.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_LOWEREDRUN_H
#define FORMWORK_TRANSFORMS_SETTLE_LOWEREDRUN_H

#include "engine/Child.h"
#include "engine/Diagnostics.h"
#include "transforms/schedule/Trial.h"
#include "verifier/source/ScheduleModel.h"

namespace formwork::transforms {

/// Lowers a payload in place to the code of its kernels. Errors are emitted as
/// diagnostics. Findings about slow code are added to the second argument.
using LowerPayload =
    std::function<llvm::LogicalResult(mlir::ModuleOp, engine::Findings &)>;

/// The outcome of a run and its lowering.
struct LoweredRun {
  enum End {
    Compiles, ///< the lowering reached code
    NoKernel, ///< the schedule leaves no kernel to lower
    Fails,    ///< with an error, which is the first of `findings`
    Crashes,  ///< MLIR or LLVM crashed
    Stopped   ///< by a limit, or no child could be started
  };
  End end = Stopped;
  /// The first error, or warnings about slow kernels. Each is placed at the
  /// step that is to blame.
  std::vector<engine::Finding> findings;
  engine::ChildEnd child;
};

/// Runs the entry of `schedule` on a copy of `payload`, and `lower` on the
/// payload that it leaves. `schedule` and `payload` stay as they are, and
/// nothing is emitted. The schedule may have no open knob. `prepare`, if given,
/// changes the schedule in the child before the run.
///
/// To blame for an error about a payload operation is the last step that
/// increased the number of operations of this kind at this place. If no step
/// did, the payload had the operation from the start. Then the last step that
/// vectorizes is to blame if the operation is structured, and else the last
/// step.
///
/// Own error: fw-lowering-fails, for an error of MLIR or LLVM that has no id.
/// Cost: a process, the run and the lowering; if the lowering fails, a second
/// run.
LoweredRun runLowered(const verifier::ScheduleModel &schedule,
                      mlir::ModuleOp payload, const LowerPayload &lower,
                      const engine::ChildLimits &limits,
                      PrepareRun prepare = nullptr);

/// Moves a finding about a kernel to the step of `schedule` that decides what
/// the threads do. That is the last step that gives threads to a block, or else
/// the last step that makes blocks. A finding about host code (fw-host-...)
/// goes to the last step that makes blocks, because that step leaves the rest
/// to the host. A finding about bank conflicts goes to the last step that lays
/// out a buffer, if there is one. If there is no such step, the finding stays.
engine::Finding moveToThreadStep(engine::Finding finding,
                                 mlir::Operation *schedule);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_LOWEREDRUN_H
