//===- StepResults.cpp - Payload results after each step --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/StepResults.h"

#include "engine/FindingTransfer.h"
#include "runtime/FormworkComparison.h"
#include "transforms/results/OpenSizes.h"
#include "transforms/results/StateExecution.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
namespace json = llvm::json;

namespace {
class Comparer {
public:
  Comparer(const Snapshots &snapshots, const StepResultOptions &options)
      : snapshots(snapshots), options(options),
        context(snapshots.getOriginal().getContext()) {
    execution.entry = options.entry;
    report.numSnapshots = snapshots.get().size();
    ends.resize(report.numSnapshots, End::Unknown);
  }

  StepResultReport run() {
    if (!findReference())
      return std::move(report);
    if (options.bisect)
      bisect();
    else
      for (size_t i = 0; i != ends.size() && !report.fault; ++i)
        execute(i);
    if (report.fault)
      noteUnexecuted();
    return std::move(report);
  }

private:
  /// How the execution of a snapshot ended.
  enum class End { Unknown, Same, Faulty, NotExecuted };

  struct Answer {
    engine::ChildEnd child;
    ExecutionPhase phase;
    std::optional<json::Object> object;

    StringRef getEnd() const {
      return object ? *object->getString("end") : StringRef();
    }
  };

  template <typename Work> Answer ask(Work work) {
    engine::Shared<ExecutionPhase> phase(ExecutionPhase::Compiling);
    engine::ChildAnswer answer = engine::askChild(
        *context, [&](llvm::raw_ostream &) { return work(phase); },
        options.limits);
    return {std::move(answer.end), *phase, std::move(answer.object)};
  }

  /// Why a child that gave no answer gave none.
  std::string explain(const Answer &answer) {
    switch (answer.child.limit) {
    case engine::ChildLimit::Time:
      return "it takes longer than " +
             std::to_string(options.limits.time.count() / 1000) + " seconds";
    case engine::ChildLimit::Memory:
      return "it takes too much memory";
    case engine::ChildLimit::Output:
      return "its results are too large";
    case engine::ChildLimit::None:
      return "MLIR crashes when it is compiled: the process was " +
             answer.child.explain();
    }
    llvm_unreachable("all limits are listed");
  }

  void skip(Location loc, Finding finding) {
    finding.message = "is not checked by execution: " + finding.message;
    finding.loc = loc;
    report.notExecuted.add(std::move(finding));
  }
  void skip(Location loc, const Twine &why) {
    skip(loc,
         Finding(loc, "fw-not-executed", why, DiagnosticSeverity::Warning));
  }

  bool findReference() {
    ModuleOp original = snapshots.getOriginal();
    Location loc = original.getLoc();
    FailureOr<func::FuncOp> function = failure();
    {
      CompilationErrors errors(context);
      function = lookupEntry(original, options.entry);
      if (failed(function)) {
        skip(loc, errors.get(loc));
        return false;
      }
    }
    loc = function->getLoc();
    auto isOpen = [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return shaped && shaped.hasRank() && !shaped.hasStaticShape();
    };
    if (llvm::any_of(function->getArgumentTypes(), isOpen) ||
        llvm::any_of(function->getResultTypes(), isOpen)) {
      execution.dynamicSize = options.openSize;
      llvm::raw_string_ostream os(report.dynamicSizes);
      llvm::interleaveComma(chooseOpenSizes(*function, options.openSize).chosen,
                            os);
    }
    Answer answer = ask([&](engine::Shared<ExecutionPhase> &phase) {
      return executeOriginal(original, options.seed, execution, phase);
    });
    if (answer.getEnd() == "uncompiled") {
      skip(loc,
           engine::readFinding(*answer.object->getObject("finding"), context));
      return false;
    }
    if (answer.getEnd() == "faulty") {
      Finding inner =
          engine::readFinding(*answer.object->getObject("finding"), context);
      report.fault.emplace(
          loc, "fw-payload-faulty",
          "requires a payload that is correct before the first step but " +
              inner.message);
      report.fault->note(NoteKind::Evidence, inner.loc, "here");
      return false;
    }
    if (!answer.object) {
      skip(loc, answer.child.crashedByItself() &&
                        answer.phase == ExecutionPhase::Running
                    ? "it crashes"
                    : explain(answer));
      return false;
    }
    reference = readReference(*answer.object, original, options.seed);
    report.magnitude = reference.magnitude;
    report.isExact = reference.isExact();
    report.why = reference.why;
    report.numUndefined = reference.numUndefined;
    for (const EntryParameter &parameter : reference.parameters)
      report.tolerance =
          std::max(report.tolerance, options.tolerance < 0
                                         ? fwDefaultTolerance(parameter.type)
                                         : options.tolerance);
    return true;
  }

  /// Executes snapshot number `index`, unless that was done, and takes note of
  /// its fault.
  End execute(size_t index) {
    if (ends[index] == End::Unknown)
      ends[index] = executeNow(snapshots.get()[index]);
    return ends[index];
  }

  End executeNow(const Snapshot &snapshot) {
    Location loc = snapshot.step->getLoc();
    Answer answer = ask([&](engine::Shared<ExecutionPhase> &phase) {
      return executeSnapshot(snapshots.getOriginal(), snapshot, reference,
                             options.tolerance, execution, phase);
    });
    StringRef end = answer.getEnd();
    if (end == "ran") {
      ++report.numExecuted;
      ++report.numSame;
      report.same.push_back(&snapshot);
      return End::Same;
    }
    if (end == "uncompiled") {
      skip(loc,
           engine::readFinding(*answer.object->getObject("finding"), context));
      return End::NotExecuted;
    }
    std::optional<Finding> fault;
    if (!answer.object) {
      if (!answer.child.crashedByItself() ||
          answer.phase != ExecutionPhase::Running) {
        skip(loc, explain(answer));
        return End::NotExecuted;
      }
      fault.emplace(loc, "fw-program-crashes",
                    "leaves a payload that crashes when it is executed");
      fault->note(NoteKind::Evidence, loc,
                  "the process was " + answer.child.explain());
    } else {
      fault =
          engine::readFinding(*answer.object->getObject("finding"), context);
      if (end == "faulty")
        fault = blame(snapshot, *fault);
    }
    ++report.numExecuted;
    takeKnownId(*fault);
    addInputs(*fault);
    report.fault = std::move(fault);
    report.faulty = &snapshot;
    return End::Faulty;
  }

  /// A finding about the step that needed no run keeps its id.
  void takeKnownId(Finding &fault) {
    for (const Finding &known : options.known)
      if (known.loc == fault.loc) {
        fault.id = known.id;
        fault.note(NoteKind::Evidence, fault.loc,
                   "known without a run: " + known.message);
        return;
      }
  }

  /// The step may be one whose payload is not executed, too.
  void noteUnexecuted() {
    ArrayRef<Snapshot> all = snapshots.get();
    for (size_t i = report.faulty - all.begin();
         i-- > 0 && ends[i] == End::NotExecuted;)
      report.fault->note(NoteKind::Evidence, all[i].step->getLoc(),
                         "or the fault comes from this step, after which the "
                         "payload is not executed");
  }

  /// A fault in the payload, as one of the step behind which it is there.
  Finding blame(const Snapshot &snapshot, const Finding &inner) {
    Location loc = snapshot.step->getLoc();
    StringRef id = inner.id;
    // A reduction that is tiled to a forall is known without a run, too.
    if (id == "fw-loop-race" && snapshot.step->getName().getStringRef() ==
                                    "transform.structured.tile_using_forall")
      id = "fw-parallel-reduction";
    Finding finding(loc, id,
                    "leaves a payload in which " + StringRef(inner.message));
    finding.note(NoteKind::Evidence, inner.loc, "here");
    for (const engine::Note &note : inner.notes)
      if (note.kind != NoteKind::FixIt)
        finding.note(NoteKind::Evidence, note.loc, note.message);
    return finding;
  }

  void addInputs(Finding &finding) {
    std::string text =
        report.isExact
            ? llvm::formatv("the inputs are integers from -{0} to {0}, drawn "
                            "from seed {1}",
                            report.magnitude, options.seed)
                  .str()
            : llvm::formatv("the inputs are drawn from seed {0}", options.seed)
                  .str();
    if (!report.dynamicSizes.empty())
      text += "; dynamic sizes are " + report.dynamicSizes;
    if (!options.sizes.empty())
      text += "; with smaller sizes: " + options.sizes;
    finding.note(NoteKind::Evidence, finding.loc, text);
  }

  /// The number in [good, bad) nearest to the middle whose snapshot is
  /// executed, if possible not in front of it; `bad` if there is none.
  size_t findExecuted(size_t good, size_t bad) {
    size_t middle = (good + bad) / 2;
    for (size_t i = middle; i != bad; ++i)
      if (execute(i) != End::NotExecuted)
        return i;
    for (size_t i = middle; i-- > good;)
      if (execute(i) != End::NotExecuted)
        return i;
    return bad;
  }

  void bisect() {
    // The last one that is executed.
    size_t bad = ends.size();
    while (bad != 0 && execute(bad - 1) == End::NotExecuted)
      --bad;
    if (bad == 0 || execute(--bad) == End::Same)
      return;
    // The fault of number `bad`; number `good` - 1 is right.
    std::optional<Finding> fault = std::move(report.fault);
    const Snapshot *faulty = report.faulty;
    size_t good = 0;
    while (good < bad) {
      size_t probe = findExecuted(good, bad);
      if (probe == bad)
        break;
      if (execute(probe) == End::Same) {
        good = probe + 1;
        continue;
      }
      bad = probe;
      fault = std::move(report.fault);
      faulty = report.faulty;
    }
    report.fault = std::move(fault);
    report.faulty = faulty;
  }

  const Snapshots &snapshots;
  const StepResultOptions &options;
  MLIRContext *context;
  ExecutionOptions execution;
  ReferenceResults reference;
  /// Of each snapshot.
  SmallVector<End> ends;
  StepResultReport report;
};
} // namespace

StepResultReport
formwork::transforms::compareResults(const Snapshots &snapshots,
                                     const StepResultOptions &options) {
  return Comparer(snapshots, options).run();
}
