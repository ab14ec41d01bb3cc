//===- CheckPasses.cpp - The verifier as passes -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/check/Passes.h"

#include "transforms/schedule/ScheduleInput.h"
#include "verifier/Verifier.h"
#include "verifier/report/Reasons.h"
#include "verifier/report/StateTable.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using normalforms::ContractLibrary;
using normalforms::FormLibrary;
using verifier::CheckResult;

namespace formwork::transforms {
#define GEN_PASS_DEF_CHECK
#define GEN_PASS_DEF_PRINTSTATES
#include "transforms/check/Passes.h.inc"
} // namespace formwork::transforms

/// Checks the schedule in a copy of `module`, which keeps the locations. The
/// result points into the copy, which `use` is called with before it goes.
static LogicalResult
checkModule(ModuleOp module, StringRef entryPoint,
            const verifier::CheckOptions &options,
            llvm::function_ref<LogicalResult(CheckResult &)> use) {
  const FormLibrary *forms = FormLibrary::get(module.getContext());
  if (!forms)
    return failure();
  FailureOr<std::unique_ptr<ContractLibrary>> contracts =
      ContractLibrary::load(module.getContext(), *forms);
  if (failed(contracts))
    return failure();
  OwningOpRef<ModuleOp> payload(module.clone());
  OwningOpRef<ModuleOp> schedule = splitSchedule(*payload);
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(*schedule, entryPoint);
  if (failed(model))
    return failure();
  CheckResult result = verifier::checkSchedule(
      *model, payload->getBody()->empty() ? nullptr : payload->getOperation(),
      *forms, **contracts, options);
  return use(result);
}

namespace {
struct Check : public transforms::impl::CheckBase<Check> {
  using CheckBase::CheckBase;

  void runOnOperation() override {
    verifier::CheckOptions options;
    options.requireForms = requireForms;
    LogicalResult checked = checkModule(
        getOperation(), entryPoint, options, [&](CheckResult &result) {
          if (unproved)
            verifier::addReasons(result);
          result.findings.emit();
          return failure(result.verdict.kind == verifier::Verdict::Refuted);
        });
    if (failed(checked))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
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

struct PrintStates : public transforms::impl::PrintStatesBase<PrintStates> {
  using PrintStatesBase::PrintStatesBase;

  void runOnOperation() override {
    const FormLibrary *library = FormLibrary::get(&getContext());
    if (!library)
      return signalPassFailure();
    StateRemarks remarks(*library, all, forms);
    verifier::CheckOptions options;
    options.observer = &remarks;
    if (failed(checkModule(getOperation(), entryPoint, options,
                           [](CheckResult &) { return success(); })))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
