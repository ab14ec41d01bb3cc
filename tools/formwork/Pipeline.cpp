//===- Pipeline.cpp - What compile and run have in common -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Pipeline.h"

#include "engine/Check.h"
#include "engine/Diagnostics.h"
#include "engine/DiscreetProgress.h"
#include "tools/formwork/Libraries.h"
#include "tools/formwork/Session.h"
#include "transforms/gpu/DeviceCode.h"
#include "transforms/gpu/KernelCost.h"
#include "transforms/gpu/Lowering.h"
#include "transforms/gpu/SlowKernels.h"
#include "transforms/program/HostLowering.h"
#include "transforms/schedule/AllowedSteps.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/settle/Settle.h"
#include "transforms/settle/WatchedRun.h"
#include "transforms/validate/Validate.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Support/FileUtilities.h"
#include "tools/trace/HtmlTrace.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;

/// The form that the lowering requires; the schedule has to get there.
static constexpr llvm::StringLiteral goalForm = "gpu.launchable";

/// The remedy in a schedule for `op`, which the lowering does not take.
static StringRef getGoalFix(Operation *op) {
  if (isa<memref::AllocOp>(op))
    return "vectorize the operation that uses the buffer, or give the buffer "
           "workgroup memory with transform.structured.bufferize_to_allocation";
  return "let the schedule bufferize, map and vectorize this operation; "
         "'formwork check' says which step skips it";
}

/// Whether the transformed payload is what the lowering takes; reports the
/// first place where a clause of that does not hold, and counts the others.
static LogicalResult checkGoal(ModuleOp payload,
                               const normalforms::FormLibrary &forms) {
  const normalforms::Form *goal = forms.lookup(goalForm);
  FW_CHECK(goal, "the built-in library declares the goal of GPU targets");
  /// Of each clause the first violation, and how many others there are.
  llvm::MapVector<StringRef,
                  std::pair<const normalforms::Violation *, unsigned>>
      byClause;
  SmallVector<normalforms::Violation> violations =
      llvm::to_vector(forms.checkPredicates(*goal, payload));
  for (const normalforms::Violation &violation : violations) {
    auto [it, isNew] = byClause.insert({violation.clause, {&violation, 0}});
    it->second.second += !isNew;
  }
  engine::Findings findings;
  for (auto [clause, found] : byClause) {
    auto [violation, numOthers] = found;
    engine::Finding &finding =
        findings.add({violation->op->getLoc(), "fw-goal-missed",
                      "the lowering " + violation->message + " (" +
                          violation->clause + ")"});
    if (numOthers != 0)
      finding.note(engine::NoteKind::Evidence, finding.loc,
                   Twine(numOthers) + " other place" +
                       (numOthers == 1 ? "" : "s") + " for the same reason");
    finding.note(engine::NoteKind::FixIt, finding.loc,
                 getGoalFix(violation->op));
  }
  bool missed = findings.hasErrors();
  findings.emit();
  return failure(missed);
}

ExitCode formwork::tools::validateCheck(transforms::ScheduleInput &pair,
                                        const Libraries &libraries,
                                        const verifier::Target *target) {
  if (failed(transforms::checkSteps(pair.entry)))
    return ExitCode::Refuted;
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(pair);
  if (failed(model))
    return ExitCode::Refuted;
  transforms::ValidationOptions options;
  options.check.target = target;
  options.check.nameOf = [&](Value value) { return pair.getName(value); };
  transforms::Validation validation =
      transforms::validateSchedule(*model, *pair.payload, libraries, options);
  llvm::errs() << llvm::formatv("validated: {0} steps, {1} facts\n",
                                validation.numSteps, validation.numFacts);
  bool isFalse = validation.falseFacts.hasErrors();
  validation.falseFacts.emit();
  return isFalse ? ExitCode::Refuted : ExitCode::Success;
}

ExitCode
formwork::tools::insertAllowedSteps(transforms::ScheduleInput &pair,
                                    const Libraries &libraries,
                                    const transforms::PrepareOptions &options) {
  if (options.allowed.empty())
    return ExitCode::Success;
  if (!pair.getNames())
    return failUsage("'" + pair.sourceName +
                     "' is bytecode; --allow edits text");
  (void)transforms::takeAllowedSteps(pair, libraries, options);
  return ExitCode::Success;
}

/// Writes a page of a schedule that is refused before it runs: what the check
/// says of it, and `refusal`.
static void checkOnPage(transforms::ScheduleInput &pair,
                        const Libraries &libraries,
                        const verifier::Target *target,
                        const engine::Findings &refusal,
                        llvm::raw_ostream &os) {
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(pair);
  if (failed(model))
    return;
  auto nameOf = [&](Value value) { return pair.getName(value); };
  verifier::SourceNames names = *pair.getNames();
  HtmlTrace page(*libraries.forms, names, pair.sourceName, nameOf, os);
  verifier::CheckOptions options;
  options.nameOf = nameOf;
  options.observer = &page;
  options.target = target;
  verifier::CheckResult result =
      verifier::checkSchedule(*model, *pair.payload, libraries, options);
  for (const engine::Finding &finding : refusal.get())
    result.findings.add(finding);
  result.findings.sort();
  result.verdict.kind = verifier::Verdict::Refuted;
  page.explainNoRun("the schedule is refused before it runs");
  page.finish(result, result.findings);
}

LogicalResult formwork::tools::runOnPage(transforms::ScheduleInput &pair,
                                         const Libraries &libraries,
                                         llvm::raw_ostream &os,
                                         const PageExtras &extras) {
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(pair);
  if (failed(model))
    return failure();
  auto nameOf = [&](Value value) { return pair.getName(value); };
  verifier::SourceNames names = *pair.getNames();
  HtmlTrace page(*libraries.forms, names, pair.sourceName, nameOf, os);
  verifier::CheckOptions options;
  options.nameOf = nameOf;
  options.observer = &page;
  verifier::CheckResult result =
      verifier::checkSchedule(*model, *pair.payload, libraries, options);
  result.findings.sort();
  page.beginRun(*pair.payload);
  engine::Findings errors;
  LogicalResult ran = success();
  {
    // The diagnostics of the run are printed as well.
    ScopedDiagnosticHandler handler(
        pair.payload->getContext(), [&](Diagnostic &diagnostic) {
          errors.add(engine::readDiagnostic(diagnostic));
          return failure();
        });
    ran = transforms::runWatched(*pair.payload, pair.entry,
                                 *libraries.contracts, nameOf,
                                 [&](Operation *step, bool isDone,
                                     const transform::TransformState &state) {
                                   if (extras.onWork)
                                     extras.onWork(step, isDone);
                                   page.run(step, isDone, state);
                                   if (isDone && extras.onStep)
                                     extras.onStep(step);
                                 });
  }
  for (const engine::Finding &finding : errors.get())
    result.findings.add(finding);
  if (extras.finish) {
    engine::Findings others = extras.finish(page);
    for (const engine::Finding &finding : others.get())
      result.findings.add(finding);
    if (others.hasErrors())
      result.verdict.kind = verifier::Verdict::Refuted;
  }
  if (failed(ran))
    result.verdict.kind = verifier::Verdict::Refuted;
  page.finish(result, result.findings);
  return ran;
}

/// Tells `guard` and `progress` what runs: `step`, or behind it, with `isDone`,
/// the op around it.
static void enterStep(Guard &guard, engine::DiscreetProgress &progress,
                      Operation *step, bool isDone) {
  if (isDone)
    step = step->getParentOp();
  guard.enterStep(step);
  if (isa<transform::NamedSequenceOp>(step))
    return progress.enter("running the schedule");
  progress.enter("running '" + step->getName().getStringRef() + "'");
}

LogicalResult formwork::tools::runSteps(transforms::ScheduleInput &pair,
                                        const Libraries &libraries,
                                        bool unchecked, Guard &guard,
                                        llvm::raw_ostream *page,
                                        const StepCallback &onStep) {
  engine::DiscreetProgress progress(pair.schedule->getContext(),
                                    "running the schedule");
  if (onStep)
    onStep(nullptr);
  guard.enterStep(pair.entry);
  auto onWork = [&](Operation *step, bool isDone) {
    enterStep(guard, progress, step, isDone);
  };
  if (page)
    return runOnPage(pair, libraries, *page,
                     PageExtras{onWork, onStep, nullptr});
  if (unchecked)
    return transforms::runSchedule(*pair.payload, pair.entry, unchecked);
  return transforms::runWatched(
      *pair.payload, pair.entry, *libraries.contracts,
      [&](Value value) { return pair.getName(value); },
      [&](Operation *step, bool isDone, const auto &) {
        onWork(step, isDone);
        if (isDone && onStep)
          onStep(step);
      });
}

/// Does what prepareRun does without a page.
static ExitCode prepareWithoutPage(transforms::ScheduleInput &pair,
                                   const Libraries &libraries,
                                   const PipelineOptions &options,
                                   const verifier::Target *target, Guard &guard,
                                   bool validate,
                                   const transforms::Ranking *ranking) {
  transforms::PrepareOptions prepare;
  prepare.target = target;
  auto allowed = options.allow.resolve();
  if (failed(allowed))
    return ExitCode::Usage;
  if (options.noNormalize && !allowed->empty())
    return failUsage("--no-normalize excludes --allow");
  prepare.allowed = std::move(*allowed);
  // These are edits of the text, so that they come before all that changes what
  // was read from it.
  if (ExitCode code = insertAllowedSteps(pair, libraries, prepare);
      failed(code))
    return code;
  if (ExitCode code =
          options.parameters.resolve(pair, libraries, target, ranking);
      failed(code))
    return code;
  if (options.noNormalize) {
    if (failed(transforms::refuseUnnormalized(pair, libraries, prepare)))
      return ExitCode::Refuted;
  } else {
    engine::DiscreetProgress progress(pair.schedule->getContext(),
                                      "normalizing the schedule");
    FailureOr<verifier::Plan> plan =
        transforms::planSchedule(pair, libraries, prepare);
    if (failed(plan))
      return ExitCode::Refuted;
    transforms::applyPlan(*plan, *libraries.forms);
  }
  if (failed(guard.begin(pair, options.unchecked)))
    return ExitCode::Refuted;
  return validate ? validateCheck(pair, libraries, target) : ExitCode::Success;
}

ExitCode formwork::tools::prepareRun(transforms::ScheduleInput &pair,
                                     const Libraries &libraries,
                                     const PipelineOptions &options,
                                     const verifier::Target *target,
                                     Guard &guard, bool validate,
                                     const transforms::Ranking *ranking,
                                     llvm::raw_ostream *page) {
  if (!page)
    return prepareWithoutPage(pair, libraries, options, target, guard, validate,
                              ranking);
  engine::Findings refusal;
  ExitCode code;
  {
    // The diagnostics are printed as well.
    ScopedDiagnosticHandler handler(
        pair.payload->getContext(), [&](Diagnostic &diagnostic) {
          refusal.add(engine::readDiagnostic(diagnostic));
          return failure();
        });
    code = prepareWithoutPage(pair, libraries, options, target, guard, validate,
                              ranking);
  }
  if (code == ExitCode::Refuted)
    checkOnPage(pair, libraries, target, refusal, *page);
  return code;
}

ExitCode formwork::tools::compileToDevice(
    transforms::ScheduleInput &pair, const Libraries &libraries,
    const PipelineOptions &options, const verifier::Target &target,
    Guard &guard, bool validate, llvm::raw_ostream *page,
    engine::Findings *slow, const StepCallback &onStep) {
  transforms::LaunchAssumptions assumptions;
  assumptions.alignment = options.assumeAlignment;
  if (!llvm::isPowerOf2_64(assumptions.alignment) ||
      assumptions.alignment > transforms::maxAssumedAlignment)
    return failUsage("--assume-alignment requires a power of two of at most " +
                     llvm::Twine(transforms::maxAssumedAlignment) +
                     " but has " + llvm::Twine(assumptions.alignment));
  assumptions.byValue = transforms::findByValueArguments(*pair.payload);
  assumptions.approximate =
      static_cast<transforms::ApproximateSet>(options.approximate.getBits());
  OwningOpRef<ModuleOp> lowering =
      openLowering(pair.schedule->getContext(), options.lowering);
  if (!lowering)
    return ExitCode::Usage;
  transforms::Ranking ranking =
      makeRanking(pair, libraries, *lowering, target, assumptions);
  if (ExitCode code =
          prepareRun(pair, libraries, options, &target, guard, validate,
                     options.first.isFirst ? nullptr : &ranking, page);
      failed(code))
    return code;
  if (failed(
          runSteps(pair, libraries, options.unchecked, guard, page, onStep)) ||
      failed(checkGoal(*pair.payload, *libraries.forms)))
    return ExitCode::Refuted;
  guard.enter(Phase::Lowering);
  engine::DiscreetProgress progress(pair.schedule->getContext(),
                                    "lowering what the schedule leaves");
  if (failed(transforms::lowerToDevice(*pair.payload, *lowering, target,
                                       assumptions, slow)))
    return ExitCode::Refuted;
  guard.enter(Phase::Code);
  return ExitCode::Success;
}

OwningOpRef<ModuleOp> formwork::tools::openLowering(MLIRContext *context,
                                                    StringRef path) {
  if (std::string error; !path.empty() && !openInputFile(path, &error)) {
    (void)failUsage(error);
    return nullptr;
  }
  return transforms::loadLowering(context, path);
}

transforms::Ranking
formwork::tools::makeRanking(transforms::ScheduleInput &pair,
                             const Libraries &libraries, ModuleOp lowering,
                             const verifier::Target &target,
                             const transforms::LaunchAssumptions &assumptions) {
  transforms::Ranking ranking;
  ranking.limits = transforms::getSettleLimits(std::chrono::seconds(10));
  ranking.judge = [&pair, &libraries, lowering, &target,
                   &assumptions]() -> std::optional<transforms::Judgement> {
    transforms::PrepareOptions prepare;
    prepare.explain = false;
    prepare.target = &target;
    FailureOr<verifier::Plan> plan = transforms::makePlan(
        pair.entry, transforms::getPayload(pair), libraries, prepare);
    if (failed(plan))
      return std::nullopt;
    transforms::applyPlan(*plan, *libraries.forms);
    if (failed(transforms::runSchedule(*pair.payload, pair.entry,
                                       /*unchecked=*/true)) ||
        failed(checkGoal(*pair.payload, *libraries.forms)) ||
        failed(transforms::outlineKernels(*pair.payload, lowering, target,
                                          assumptions)))
      return std::nullopt;
    std::optional<transforms::KernelCost> cost =
        transforms::estimateCost(*pair.payload, target);
    if (!cost)
      return std::nullopt;
    return transforms::Judgement{cost->getTotal(), cost->toString()};
  };
  return ranking;
}

LogicalResult
formwork::tools::lowerToCode(ModuleOp payload, const Libraries &libraries,
                             ModuleOp lowering, const verifier::Target &target,
                             const transforms::LaunchAssumptions &assumptions,
                             const std::optional<transforms::Toolkit> &toolkit,
                             engine::Findings &slow) {
  if (failed(checkGoal(payload, *libraries.forms)) ||
      failed(transforms::lowerToDevice(payload, lowering, target, assumptions,
                                       &slow)))
    return failure();
  for (auto function : payload.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    ScopedDiagnosticHandler handler(
        payload.getContext(), [&](Diagnostic &diagnostic) {
          slow.add(engine::readDiagnostic(diagnostic));
          return success();
        });
    (void)transforms::checkHostCode(payload, function.getSymName(),
                                    DiagnosticSeverity::Warning);
  }
  bool lacksLibrary = false;
  ScopedDiagnosticHandler handler(
      payload.getContext(), [&](Diagnostic &diagnostic) {
        bool isLibrary =
            engine::readDiagnostic(diagnostic).id == "fw-libdevice-missing";
        lacksLibrary |= isLibrary;
        return success(isLibrary);
      });
  FailureOr<transforms::DeviceCode> code =
      transforms::generateDeviceCode(getKernels(payload), toolkit);
  if (failed(code))
    return success(lacksLibrary);
  transforms::findSlowCode(
      payload,
      transforms::readResourceUsage(code->ptx, /*log=*/{}, target.name), slow);
  return success();
}

gpu::GPUModuleOp formwork::tools::getKernels(ModuleOp lowered) {
  auto modules = lowered.getOps<gpu::GPUModuleOp>();
  return modules.empty() ? gpu::GPUModuleOp() : *modules.begin();
}

FailureOr<std::optional<transforms::Toolkit>>
formwork::tools::resolveToolkit(const PipelineOptions &options,
                                llvm::StringRef neededFor) {
  std::optional<transforms::Toolkit> toolkit =
      transforms::findToolkit(options.toolkitRoot);
  if (neededFor.empty() || (toolkit && toolkit->findProgram("ptxas")))
    return toolkit;
  std::string message =
      (neededFor + " requires ptxas but " +
       (options.toolkitRoot.empty()
            ? std::string("no CUDA toolkit was found; set CUDAToolkit_ROOT or "
                          "--cuda-toolkit")
            : "no CUDA toolkit is in '" + options.toolkitRoot + "'") +
       " [fw-ptxas-missing]; --emit=ptx needs no toolkit")
          .str();
  (void)failUsage(message);
  return failure();
}
