//===- Pipeline.h - What compile and run have in common ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a parsed pair to device code, with the options that choose how. Layer:
// tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_PIPELINE_H
#define FORMWORK_TOOLS_FORMWORK_PIPELINE_H

#include "tools/formwork/Command.h"
#include "tools/formwork/Guard.h"
#include "tools/formwork/Libraries.h"
#include "tools/formwork/Options.h"
#include "transforms/gpu/ApproximateMath.h"
#include "transforms/gpu/Toolkit.h"
#include "transforms/schedule/RankParameters.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace formwork::transforms {
struct LaunchAssumptions;
struct PrepareOptions;
} // namespace formwork::transforms

namespace formwork::tools {

class HtmlTrace;

/// The options of compile and run that say how the schedule becomes device
/// code.
struct PipelineOptions {
  ParameterOptions parameters;
  FirstOption first;
  GuardOption guard;
  AllowOption allow;
  Option<bool> noNormalize{
      "no-normalize", "Refuse a schedule that needs enabling steps instead of "
                      "inserting them"};
  Option<std::string> lowering{
      "lowering",
      "File with the sequences that lower to the target, instead "
      "of the shipped ones",
      llvm::cl::value_desc("filename")};
  Option<uint64_t> assumeAlignment{
      "assume-alignment",
      "Alignment of every buffer given to a kernel, in bytes "
      "(16 by default): a power of two up to 256, the alignment "
      "of the driver's allocations",
      llvm::cl::value_desc("N"), llvm::cl::init(16)};
  // Its getter is not const.
  mutable llvm::cl::bits<transforms::Approximate> approximate{
      "approximate",
      llvm::cl::desc(
          "Let kernels use approximate instructions for functions of "
          "f32; a remark says how large the error is"),
      llvm::cl::values(clEnumValN(transforms::Approximate::Exp, "exp",
                                  "exponential functions"),
                       clEnumValN(transforms::Approximate::Division, "division",
                                  "divisions"),
                       clEnumValN(transforms::Approximate::Rsqrt, "rsqrt",
                                  "square roots, and their inverses"),
                       clEnumValN(transforms::Approximate::Fma, "fma",
                                  "a sum and its product, rounded once")),
      llvm::cl::CommaSeparated, llvm::cl::cat(getCommandCategory())};
  Option<bool> unchecked{"unchecked",
                         "Turn the interpreter's expensive checks off"};
  Option<std::string> toolkitRoot{"cuda-toolkit", "The CUDA toolkit's folder",
                                  llvm::cl::value_desc("folder")};
};

/// --validate.
struct ValidateOption {
  Option<bool> validate{
      "validate", "Compare all that the check infers with the payload, step "
                  "by step, before the run"};
};

/// Validates the check of the schedule as it stands on a clone of the payload,
/// and prints how much was compared to standard error; Refuted, with
/// fw-false-fact, when something that was inferred is not so.
ExitCode validateCheck(transforms::ScheduleInput &pair,
                       const Libraries &libraries,
                       const verifier::Target *target = nullptr);

/// Writes the steps that `options` allow into the text of `pair` where they are
/// needed, and reads it again, with a remark each. Usage where there is no
/// text.
ExitCode insertAllowedSteps(transforms::ScheduleInput &pair,
                            const Libraries &libraries,
                            const transforms::PrepareOptions &options);

/// Told of a step of the schedule.
using StepCallback = std::function<void(mlir::Operation *step)>;

/// The parts that a command adds to the page of a run.
struct PageExtras {
  /// Told what runs: a step, or, with true, what is behind one.
  std::function<void(mlir::Operation *step, bool isDone)> onWork;
  /// Told of each step that the run comes behind.
  StepCallback onStep;
  /// Called behind the last one; what it finds belongs to the page, too.
  std::function<engine::Findings(HtmlTrace &page)> finish;
};

/// Does what runSteps does with a page.
llvm::LogicalResult runOnPage(transforms::ScheduleInput &pair,
                              const Libraries &libraries, llvm::raw_ostream &os,
                              const PageExtras &extras = {});

/// Runs the schedule of `pair` on its payload, in place, and warns of the steps
/// that have no effect (fw-step-idle, fw-step-partial), unless `unchecked`.
/// With `page`, writes there what the check infers of the schedule as it
/// stands, and step by step what the run does to the payload; the schedule is
/// text then, and not `unchecked`. `onStep` is called with null in front of the
/// first step, and with each step that the run comes behind, unless it is
/// `unchecked`. `guard` and a progress line know the step that runs.
llvm::LogicalResult runSteps(transforms::ScheduleInput &pair,
                             const Libraries &libraries, bool unchecked,
                             Guard &guard, llvm::raw_ostream *page = nullptr,
                             const StepCallback &onStep = nullptr);

/// Solves, checks and normalizes `pair`, for `target` if there is one,
/// up to where its steps are run; from there on `guard` holds. With `validate`,
/// the check is validated first. With `ranking`, open parameters get the values
/// that it prefers. Refuted, with diagnostics, where one of these refuses; then
/// `page` gets what the check says of the schedule, without a run.
ExitCode prepareRun(transforms::ScheduleInput &pair, const Libraries &libraries,
                    const PipelineOptions &options,
                    const verifier::Target *target, Guard &guard,
                    bool validate = false,
                    const transforms::Ranking *ranking = nullptr,
                    llvm::raw_ostream *page = nullptr);

/// Solves, checks, normalizes, applies and lowers `pair` in place: afterwards
/// its payload holds host functions and one gpu.module in the LLVM and NVVM
/// dialects. With `validate`, the check is validated before the run, from which
/// on `guard` holds. Refuted, with diagnostics, where one of the steps refuses.
/// `page` is that of prepareRun or runSteps, `slow` that of lowerToDevice,
/// `onStep` that of runSteps.
ExitCode compileToDevice(
    transforms::ScheduleInput &pair, const Libraries &libraries,
    const PipelineOptions &options, const verifier::Target &target,
    Guard &guard, bool validate = false, llvm::raw_ostream *page = nullptr,
    engine::Findings *slow = nullptr, const StepCallback &onStep = nullptr);

/// The lowering of `path`, or the shipped one; null, with an error printed.
mlir::OwningOpRef<mlir::ModuleOp> openLowering(mlir::MLIRContext *context,
                                               llvm::StringRef path);

/// Compares assignments of the parameters of `pair` by the cost of the kernels
/// that its schedule, normalized, makes with them. All arguments have to
/// outlive the result.
transforms::Ranking
makeRanking(transforms::ScheduleInput &pair, const Libraries &libraries,
            mlir::ModuleOp lowering, const verifier::Target &target,
            const transforms::LaunchAssumptions &assumptions);

/// Lowers `payload`, on which a schedule has run, in place, generates PTX, and
/// adds to `slow` what is slow in it as far as PTX shows it.
/// Errors: those of compileToDevice behind the schedule. Mathematical functions
/// that need a toolkit which is not there are no error.
llvm::LogicalResult
lowerToCode(mlir::ModuleOp payload, const Libraries &libraries,
            mlir::ModuleOp lowering, const verifier::Target &target,
            const transforms::LaunchAssumptions &assumptions,
            const std::optional<transforms::Toolkit> &toolkit,
            engine::Findings &slow);

/// The one gpu.module of a lowered payload.
mlir::gpu::GPUModuleOp getKernels(mlir::ModuleOp lowered);

/// The toolkit of --cuda-toolkit or the one found. Nothing, with an error
/// printed, if `needed` (what for) is given and there is no ptxas.
llvm::FailureOr<std::optional<transforms::Toolkit>>
resolveToolkit(const PipelineOptions &options, llvm::StringRef neededFor = {});

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_PIPELINE_H
