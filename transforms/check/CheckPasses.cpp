//===- CheckPasses.cpp - The verifier as passes -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/check/Passes.h"

#include "transforms/check/PassInput.h"
#include "transforms/schedule/CheckPair.h"
#include "transforms/schedule/FatalInput.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/ResolveParameters.h"
#include "transforms/schedule/RunSchedule.h"
#include "verifier/Verifier.h"
#include "verifier/report/StateTable.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using normalforms::FormLibrary;
using verifier::CheckResult;

namespace formwork::transforms {
#define GEN_PASS_DEF_CHECK
#define GEN_PASS_DEF_INTERPRETER
#define GEN_PASS_DEF_NORMALIZE
#define GEN_PASS_DEF_PRINTSTATES
#include "transforms/check/Passes.h.inc"
} // namespace formwork::transforms

namespace {
/// Options and helpers that all these passes use.
template <typename BaseT> class SchedulePass : public BaseT {
public:
  using BaseT::BaseT;

  LogicalResult initialize(MLIRContext *context) override {
    return PassLibraries::install(context, getOptions());
  }

protected:
  /// Does `work` with the libraries of the options. A failure is one of the
  /// pass.
  void
  withLibraries(llvm::function_ref<LogicalResult(const PassLibraries &)> work) {
    FailureOr<PassLibraries> libraries =
        PassLibraries::load(&this->getContext(), getOptions());
    if (failed(libraries) || failed(work(*libraries)))
      this->signalPassFailure();
  }

  SchedulePassOptions getOptions() const {
    SchedulePassOptions options;
    options.entryPoint = this->entryPoint;
    options.forms.assign(this->formFiles.begin(), this->formFiles.end());
    options.contracts.assign(this->contractFiles.begin(),
                             this->contractFiles.end());
    options.libraries.assign(this->libraryFiles.begin(),
                             this->libraryFiles.end());
    options.target = this->target;
    return options;
  }
};
} // namespace

/// Checks the schedule in a copy of `module` that keeps the locations. The
/// result points into the copy. `use` gets the result before the copy is
/// destroyed.
static LogicalResult
checkModule(ModuleOp module, const SchedulePassOptions &passOptions,
            const PassLibraries &libraries,
            const verifier::CheckOptions &options, Shown shown,
            llvm::function_ref<LogicalResult(CheckResult &)> use) {
  if (failed(checkSizeLists(*module.getBody())))
    return failure();
  FailureOr<PassInput> input = PassInput::create(module, passOptions);
  if (failed(input))
    return failure();
  ScheduleInput &pair = input->get();
  FailureOr<CheckResult> result = checkPair(pair, getPayload(pair), libraries,
                                            options, /*solver=*/{}, shown);
  return failed(result) ? failure() : use(*result);
}

namespace {
struct Check : public SchedulePass<transforms::impl::CheckBase<Check>> {
  using SchedulePass::SchedulePass;

  void runOnOperation() override {
    withLibraries([&](const PassLibraries &libraries) {
      verifier::CheckOptions options;
      options.requireForms = requireForms;
      options.target = libraries.target;
      return checkModule(getOperation(), getOptions(), libraries, options,
                         {.reasons = unproved}, [&](CheckResult &result) {
                           result.findings.emit();
                           return failure(result.verdict.kind ==
                                          verifier::Verdict::Refuted);
                         });
    });
    markAllAnalysesPreserved();
  }
};

struct Normalize
    : public SchedulePass<transforms::impl::NormalizeBase<Normalize>> {
  using SchedulePass::SchedulePass;
  void runOnOperation() override {
    withLibraries([&](const PassLibraries &libraries) {
      return insertEnablers(libraries);
    });
  }

private:
  LogicalResult insertEnablers(const PassLibraries &libraries);
};

struct Interpreter
    : public SchedulePass<transforms::impl::InterpreterBase<Interpreter>> {
  using SchedulePass::SchedulePass;
  void runOnOperation() override {
    withLibraries(
        [&](const PassLibraries &libraries) { return interpret(libraries); });
  }

private:
  /// Resolves the parameters of `input`, and normalizes or checks the schedule
  /// as the options say. Fails if the schedule is known to fail.
  LogicalResult prepare(ScheduleInput &input, const PassLibraries &libraries);
  LogicalResult interpret(const PassLibraries &libraries);
};

/// Emits the states as remarks.
class StateRemarks : public verifier::StateObserver {
public:
  StateRemarks(const FormLibrary &forms, bool all, bool withForms)
      : forms(forms), all(all), withForms(withForms) {}

  void observe(Operation *step, ArrayRef<verifier::RegionVisit>,
               const verifier::State &state) override {
    InFlightDiagnostic remark = step->emitRemark("after this step");
    for (Value value : verifier::getVisibleHandles(step, state)) {
      verifier::HandleSummary summary =
          verifier::summarizeHandle(state, forms, *state.handles.find(value));
      auto [known, isNew] = shown.try_emplace(value, summary);
      if (!all && !isNew && known->second == summary)
        continue;
      known->second = summary;
      Diagnostic &note = remark.attachNote(value.getLoc());
      if (auto result = dyn_cast<OpResult>(value))
        note << "result #" << result.getResultNumber();
      else
        note << "argument #" << cast<BlockArgument>(value).getArgNumber();
      note << ": " << summary.validity << "; " << summary.payload;
      if (withForms && summary.forms != "-")
        note << "; in " << summary.forms;
    }
  }

private:
  const FormLibrary &forms;
  bool all, withForms;
  llvm::DenseMap<Value, verifier::HandleSummary> shown;
};

struct PrintStates
    : public SchedulePass<transforms::impl::PrintStatesBase<PrintStates>> {
  using SchedulePass::SchedulePass;

  void runOnOperation() override {
    withLibraries([&](const PassLibraries &libraries) {
      StateRemarks remarks(*libraries.forms, all, withForms);
      verifier::CheckOptions options;
      options.observer = &remarks;
      return checkModule(getOperation(), getOptions(), libraries, options, {},
                         [](CheckResult &) { return success(); });
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

LogicalResult Normalize::insertEnablers(const PassLibraries &libraries) {
  FailureOr<PassInput> input = PassInput::create(getOperation(), getOptions());
  if (failed(input))
    return failure();
  PrepareOptions options;
  options.onlyRequired = onlyRequired;
  options.explain = explain;
  options.fitToPayload = true;
  options.target = libraries.target;
  if (!goal.empty()) {
    const normalforms::Form *form = libraries.forms->lookup(goal);
    if (!form)
      return getOperation().emitError()
             << "unknown form '" << goal << "' in the option 'goal'";
    options.goal = form->atom;
  }
  // Sequences of libraries come from other files, so nothing is inserted there.
  llvm::DenseSet<Location> fixed;
  input->get().schedule->walk([&](Operation *op) {
    if (!input->toModule(op))
      fixed.insert(op->getLoc());
  });
  options.isFixed = [&](Location loc) { return fixed.contains(loc); };
  FailureOr<verifier::Plan> plan =
      planSchedule(input->get(), libraries, options);
  if (failed(plan))
    return failure();
  for (verifier::Insertion &insertion : plan->insertions) {
    insertion.before = input->toModule(insertion.before);
    insertion.handle = input->toModule(insertion.handle);
  }
  applyPlan(*plan, *libraries.forms);
  return success();
}

LogicalResult Interpreter::prepare(ScheduleInput &input,
                                   const PassLibraries &libraries) {
  PrepareOptions options;
  options.target = libraries.target;
  options.explain = false;
  if (failed(resolveParameters(input, libraries, options.target, {})))
    return failure();
  if (normalize) {
    FailureOr<verifier::Plan> plan = planSchedule(input, libraries, options);
    if (failed(plan))
      return failure();
    applyPlan(*plan, *libraries.forms);
    return success();
  }
  return success(unchecked ||
                 succeeded(refuseFailing(input, libraries, options)));
}

LogicalResult Interpreter::interpret(const PassLibraries &libraries) {
  FailureOr<PassInput> input = PassInput::create(getOperation(), getOptions());
  if (failed(input) || failed(prepare(input->get(), libraries)))
    return failure();
  ModuleOp module = getOperation();
  // Move the schedule out of the payload: passes on the root, and rules, would
  // refuse a payload that holds a schedule.
  StringRef marker = transform::TransformDialect::kWithNamedSequenceAttrName;
  bool isNested = llvm::any_of(module.getOps<ModuleOp>(), [&](ModuleOp nested) {
    return nested->hasAttr(marker);
  });
  OwningOpRef<ModuleOp> schedule = splitSchedule(module);
  if (failed(runSchedule(module, input->get().entry, unchecked)))
    return failure();
  if (eraseSchedule)
    return success();
  if (isNested) {
    module.push_back(schedule.release());
    return success();
  }
  module->setAttr(marker, UnitAttr::get(&getContext()));
  Block::OpListType &ops = module.getBody()->getOperations();
  ops.splice(ops.end(), schedule->getBody()->getOperations());
  return success();
}
