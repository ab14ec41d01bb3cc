//===- Validate.cpp - The verifier against a run ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/Validate.h"

#include "engine/AnyBelow.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/validate/ClaimCheck.h"
#include "transforms/validate/FactCheck.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using namespace formwork::verifier;
using engine::Finding;
using engine::NoteKind;

namespace {
/// Keeps every state that the interpreter reports, and finds the one that
/// describes an execution.
class StateRecorder : public StateObserver {
public:
  void observe(Operation *step, ArrayRef<RegionVisit> path,
               const State &state) override {
    StepPath key;
    Record record{{}, std::make_unique<State>(state)};
    for (const RegionVisit &visit : path) {
      key.push_back({visit.owner, visit.region});
      record.iterations.push_back({visit.first, visit.last});
    }
    records[{key, step}].push_back(std::move(record));
  }

  /// The last state behind `step` at `path` that covers the iteration numbers,
  /// one for each region of the path.
  const State *lookup(const StepPath &path, Operation *step,
                      ArrayRef<int64_t> iterations) const {
    auto it = records.find({path, step});
    if (it == records.end())
      return nullptr;
    for (const Record &record : llvm::reverse(it->second)) {
      bool covers = llvm::all_of(
          llvm::zip_equal(record.iterations, iterations), [](auto pair) {
            auto [range, number] = pair;
            return range.first <= number && number <= range.second;
          });
      if (covers)
        return record.state.get();
    }
    return nullptr;
  }

private:
  struct Record {
    SmallVector<std::pair<int64_t, int64_t>> iterations;
    std::unique_ptr<State> state;
  };
  std::map<std::pair<StepPath, Operation *>, std::vector<Record>> records;
};

/// Hears of the run, and stops to compare at the first false fact.
class Run {
public:
  Run(const StateRecorder &recorder, const InstrumentedSchedule &schedule,
      const normalforms::ContractLibrary &contracts,
      const ValidationOptions &options, FactContext &context,
      Validation &result)
      : recorder(recorder), schedule(schedule), contracts(contracts),
        options(options), context(context), result(result), claims(contracts) {}

  void observe(int64_t number, transform::TransformState &actual) {
    const ObservedStep &step =
        schedule.getSteps()[number < 0 ? ~number : number];
    if (number < 0) {
      if (result.falseFacts.empty() && !passedFailure)
        claims.enter(step, actual);
      return;
    }
    if (step.entersLoop) {
      startIteration(step.path);
      return;
    }
    uint64_t before = context.numFacts;
    const State *compared = compare(step, actual);
    if (options.observer)
      options.observer(
          {step.op, actual.getTopLevel(), compared, context.numFacts - before});
  }

private:
  /// The state that was compared; null where none was.
  const State *compare(const ObservedStep &step,
                       transform::TransformState &actual) {
    forgetInside(step);
    if (isa<transform::AlternativesOp>(step.op))
      dropCopied(actual.getTopLevel());
    bool writes = true;
    if (auto transformOp = dyn_cast<transform::TransformOpInterface>(step.op))
      writes = transform::doesModifyPayload(transformOp) ||
               step.op->getNumRegions() != 0;
    if (writes)
      context.inForm.clear();
    // Facts after a step that fails, or has undefined behaviour, claim nothing.
    passedFailure |=
        !options.compareUntested && result.check.untested.contains(step.op);
    passedFailure |=
        llvm::any_of(result.check.findings.get(), [&](const Finding &finding) {
          bool endsFacts = claimsFailure(finding.id) ||
                           finding.id == "fw-loops-beyond-target";
          return finding.severity == DiagnosticSeverity::Error && endsFacts &&
                 finding.loc == step.op->getLoc();
        });
    if (!result.falseFacts.empty() || passedFailure)
      return nullptr;
    SmallVector<int64_t> numbers;
    for (size_t i = 0; i < step.path.size(); ++i)
      numbers.push_back(getIteration(ArrayRef(step.path).take_front(i + 1)));
    const State *state =
        step.isCalled ? nullptr : recorder.lookup(step.path, step.op, numbers);
    if (!state && !step.isCalled)
      return nullptr;
    ++result.numSteps;
    std::optional<FalseFact> fact;
    if (state)
      fact = findFalseFact(*state, actual, step, context);
    if (!fact)
      fact = claims.leave(step, actual, context.numFacts);
    if (!fact)
      return state;
    // Nor is anything inferred of IR that is not valid, which a step leaves
    // that is not proved.
    if (result.check.verdict.kind != Verdict::Proved &&
        !isValid(actual.getTopLevel()))
      passedFailure = true;
    else
      report(*fact, step, *state);
    return nullptr;
  }

  static bool isValid(Operation *top) {
    ScopedDiagnosticHandler silence(top->getContext(), [](Diagnostic &) {});
    return succeeded(verify(top));
  }

  /// The number of the iteration in which the region at the end of `path` runs.
  int64_t getIteration(ArrayRef<StepPath::value_type> path) const {
    auto it = iterations.find(StepPath(path));
    return it == iterations.end() ? 0 : it->second;
  }

  static bool isPrefix(const StepPath &part, const StepPath &whole) {
    return part.size() <= whole.size() &&
           std::equal(part.begin(), part.end(), whole.begin());
  }

  void startIteration(const StepPath &path) {
    auto [it, isFirst] = iterations.try_emplace(path, 0);
    if (isFirst)
      return;
    ++it->second;
    // Loops inside that were left by a failure start anew.
    for (auto next = iterations.begin(); next != iterations.end();)
      next = next->first.size() > path.size() && isPrefix(path, next->first)
                 ? iterations.erase(next)
                 : std::next(next);
  }

  /// Whatever ran in the regions of the step starts anew the next time.
  void forgetInside(const ObservedStep &step) {
    for (auto it = iterations.begin(); it != iterations.end();) {
      const StepPath &path = it->first;
      bool inside = path.size() > step.path.size() &&
                    isPrefix(step.path, path) &&
                    path[step.path.size()].first == step.op;
      it = inside ? iterations.erase(it) : std::next(it);
    }
  }

  /// Alternatives have put a copy of their scope in its place: what was there
  /// is freed, and its address may become that of another op.
  void dropCopied(Operation *root) {
    context.hasCopies = true;
    llvm::DenseSet<Operation *> there;
    root->walk([&](Operation *op) { there.insert(op); });
    SmallVector<Operation *> freed;
    for (auto [from, to] : context.payload.getOperationMap())
      if (!there.contains(to))
        freed.push_back(from);
    for (Operation *op : freed)
      context.payload.erase(op);
  }

  void report(const FalseFact &fact, const ObservedStep &step,
              const State &state) {
    StringRef opName = step.op->getName().getStringRef();
    Finding finding(step.op->getLoc(), "fw-false-fact",
                    "requires " + fact.claim + " after this step, as " +
                        "inferred, but has " + fact.actual);
    if (fact.handle) {
      Operation *origin = state.handles.find(fact.handle)->origin;
      finding.note(NoteKind::Established,
                   origin ? origin->getLoc() : fact.handle.getLoc(),
                   "handle " + context.nameOf(fact.handle) + " is set here");
    }
    const normalforms::Contract *contract = contracts.lookup(opName);
    std::string model = contract && !contract->model.empty()
                            ? (", model '" + contract->model + "'").str()
                            : "";
    finding.note(NoteKind::Evidence, step.op->getLoc(),
                 contract
                     ? "claimed by the contract of '" + opName + "'" + model
                     : "'" + opName + "' has no contract");
    if (fact.payload)
      finding.note(NoteKind::Evidence, *fact.payload, "payload op");
    result.falseFacts.add(std::move(finding));
  }

  const StateRecorder &recorder;
  const InstrumentedSchedule &schedule;
  const normalforms::ContractLibrary &contracts;
  const ValidationOptions &options;
  FactContext &context;
  Validation &result;
  ClaimCheck claims;
  bool passedFailure = false;
  /// For every loop at its place, the number of the current iteration.
  std::map<StepPath, int64_t> iterations;
};
} // namespace

bool formwork::transforms::claimsFailure(StringRef id) {
  return !llvm::is_contained({"fw-workgroup-memory", "fw-missing-form",
                              "fw-missing-goal", "fw-loops-beyond-target",
                              "fw-target-instruction",
                              // An open choice, which no interpreter runs.
                              "fw-knob-domain"},
                             id);
}

/// Compares the verdict with how the run ended.
static void checkVerdict(Operation *entry, Validation &result) {
  if (result.check.verdict.kind == Verdict::Proved && !result.ran) {
    result.falseFacts.add(
        Finding(entry->getLoc(), "fw-false-fact",
                "requires the schedule to run, as proved, but it fails: " +
                    StringRef(result.failure).split('\n').first));
    return;
  }
  if (!result.ran)
    return;
  for (const Finding &error : result.check.findings.get())
    if (error.severity == DiagnosticSeverity::Error &&
        claimsFailure(error.id)) {
      result.falseFacts
          .add(Finding(error.loc, "fw-false-fact",
                       "requires the schedule to fail, as refuted, but it "
                       "runs"))
          .note(NoteKind::Evidence, error.loc,
                error.message + " [" + error.id + "]");
      return;
    }
}

/// Runs the sequence with all checks; whether it succeeds, and leaves IR that
/// verifies.
static bool interpret(transform::NamedSequenceOp entry, Operation *payload,
                      PayloadObserver::Callback observer = nullptr) {
  return succeeded(interpretSchedule(payload, entry, /*unchecked=*/false,
                                     std::move(observer))) &&
         succeeded(verify(payload));
}

Validation formwork::transforms::validateSchedule(
    const ScheduleModel &schedule, ModuleOp payload,
    const normalforms::Libraries &libraries, const ValidationOptions &options) {
  Validation result;
  StateRecorder recorder;
  CheckOptions check = options.check;
  check.observer = options.compareFacts ? &recorder : nullptr;
  result.check = checkSchedule(schedule, payload, libraries, check);

  InstrumentedSchedule instrumented(
      schedule, options.compareFacts ? Observe::Around : Observe::Nothing);
  IRMapping mapping;
  OwningOpRef<Operation *> clone = payload->clone(mapping);
  FactContext context{*libraries.forms, instrumented, mapping,
                      options.check.nameOf, payload};
  if (!context.nameOf)
    context.nameOf = [](Value value) {
      std::string name;
      llvm::raw_string_ostream os(name);
      value.printAsOperand(os, OpPrintingFlags().useLocalScope());
      return name;
    };
  Run run(recorder, instrumented, *libraries.contracts, options, context,
          result);
  ScopedDiagnosticHandler handler(
      payload.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          result.failure += diagnostic.str() + "\n";
        return success();
      });
  result.ran = interpret(instrumented.getEntry(), *clone,
                         [&](int64_t step, transform::TransformState &actual) {
                           run.observe(step, actual);
                         });
  // A call looks at what it gives back, which is lost where it is inlined.
  bool calls = engine::holdsAny<transform::IncludeOp>(schedule.getEntry());
  if (result.ran && calls) {
    clone = payload->clone();
    result.ran = interpret(schedule.getEntry(), *clone);
  }
  result.numFacts = context.numFacts;
  if (result.falseFacts.empty())
    checkVerdict(schedule.getEntry(), result);
  return result;
}
