//===- StepResults.cpp - Payload results after each step --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/StepResults.h"

#include "engine/FindingTransfer.h"
#include "runtime/FormworkData.h"
#include "transforms/results/Exactness.h"
#include "transforms/results/Execution.h"
#include "transforms/results/OpenSizes.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <csignal>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
namespace json = llvm::json;
/// The largest of small integers, tried from the first on.
static constexpr int64_t magnitudes[] = {4, 2, 1};
static constexpr unsigned numInputSets = 2;

//===----------------------------------------------------------------------===//
// Snapshots
//===----------------------------------------------------------------------===//

Snapshots::Snapshots(ModuleOp payload)
    : last(fingerprinter.ofBody(payload)), original(payload.clone()) {}

void Snapshots::take(Operation *step, ModuleOp payload) {
  ++numSteps;
  unsigned visit = visits[step]++;
  engine::Fingerprint now = fingerprinter.ofBody(payload);
  if (now == last)
    return;
  last = now;
  snapshots.push_back({step, visit, payload.clone()});
}

//===----------------------------------------------------------------------===//
// In a child
//===----------------------------------------------------------------------===//

namespace {
/// Where a child is, known when it dies.
enum class Phase { Compiling, Running };

/// The results of the payload for one set of inputs.
struct Expected {
  InputSet inputs;
  std::vector<std::string> results;
};

/// Facts about the original payload.
struct Reference {
  std::vector<EntryParameter> parameters; ///< of the results, in their order
  std::vector<Expected> expected;
  /// For each result, the bytes that depend on unwritten memory.
  std::vector<std::string> undefined;
  StepResultReport *report;
};

/// Collects what is emitted as long as it lives.
class Reasons {
public:
  explicit Reasons(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !first)
            first = engine::readDiagnostic(diagnostic);
          return success();
        }) {}

  /// "it cannot be compiled: MESSAGE", with the place of that.
  Finding get(Location loc) const {
    std::string message = "it cannot be compiled";
    if (first)
      message += ": " + StringRef(first->message).split('\n').first.str();
    Finding finding(loc, "fw-not-executed", message,
                    DiagnosticSeverity::Warning);
    if (first && first->loc->findInstanceOf<FileLineColRange>())
      finding.note(NoteKind::Evidence, first->loc, "here");
    if (first)
      for (const engine::Note &note : first->notes)
        finding.note(note.kind, note.loc,
                     StringRef(note.message).split('\n').first);
    return finding;
  }

private:
  std::optional<Finding> first;
  ScopedDiagnosticHandler handler;
};
} // namespace

static json::Object makeAnswer(StringRef end, const Finding &finding) {
  return json::Object{{"end", end}, {"finding", engine::writeFinding(finding)}};
}

/// The answer where the execution at `loc` came to no results.
static std::optional<json::Object> explainEnd(const Execution::Outcome &outcome,
                                              Location loc) {
  if (outcome.isOutOfMemory)
    return makeAnswer("uncompiled",
                      Finding(loc, "fw-not-executed",
                              "there is not enough memory for its arguments",
                              DiagnosticSeverity::Warning));
  if (outcome.fault)
    return makeAnswer("faulty", *outcome.fault);
  return std::nullopt;
}

/// The results, as EntryPoint orders them for a comparison.
static std::vector<EntryParameter> listResults(const EntryPoint &entry) {
  std::vector<EntryParameter> results;
  for (unsigned i = 0; i < entry.numArguments; ++i)
    if (entry.parameters[i].role == FwRoleInOut &&
        !llvm::is_contained(entry.resultParameters, i))
      results.push_back(entry.parameters[i]);
  for (unsigned parameter : entry.resultParameters)
    results.push_back(entry.parameters[parameter]);
  return results;
}

/// The largest magnitude among the elements of `results`.
static double findLargest(ArrayRef<EntryParameter> parameters,
                          ArrayRef<std::string> results) {
  double largest = 0;
  for (auto [parameter, bytes] : llvm::zip_equal(parameters, results))
    for (uint64_t i = 0; i != parameter.getElementCount(); ++i)
      largest =
          std::max(largest, std::fabs(fwLoad(parameter.type, bytes.data(), i)));
  return largest;
}

/// The largest integer for inputs with which `original` is exact; 0 if there is
/// none, with the reason.
static int64_t findExactMagnitude(ModuleOp original,
                                  const ExecutionOptions &options,
                                  std::string &why) {
  std::string op;
  if (!keepsIntegers(original, &op)) {
    why = "'" + op + "' rounds";
    return 0;
  }
  OwningOpRef<ModuleOp> bound = original.clone();
  boundMagnitudes(*bound);
  auto execution = Execution::create(original, *bound, options);
  if (failed(execution)) {
    why = "the size of its sums is not known";
    return 0;
  }
  std::vector<EntryParameter> parameters =
      listResults((*execution)->getEntry());
  double limit = getExactLimit(original);
  for (int64_t magnitude : magnitudes) {
    InputSet inputs;
    inputs.fill = InputSet::Constant;
    inputs.magnitude = magnitude;
    inputs.fresh = 0;
    Execution::Outcome outcome = (*execution)->run(inputs);
    if (!outcome.fault && !outcome.isOutOfMemory &&
        findLargest(parameters, outcome.results) <= limit)
      return magnitude;
  }
  why = "its sums grow beyond what its types hold exactly";
  return 0;
}

/// The results of the original; runs in the child.
static json::Object executeOriginal(ModuleOp original,
                                    const StepResultOptions &options,
                                    ExecutionOptions execution,
                                    engine::Shared<Phase> &phase) {
  Reasons reasons(original.getContext());
  Location loc = original.getLoc();
  auto compiled = Execution::create(original, original, execution);
  if (failed(compiled))
    return makeAnswer("uncompiled", reasons.get(loc));
  *phase = Phase::Running;
  std::string why;
  int64_t magnitude = findExactMagnitude(original, execution, why);
  json::Array sets;
  for (unsigned i = 0; i != numInputSets; ++i) {
    InputSet inputs;
    inputs.seed = options.seed + i;
    inputs.fill = magnitude ? InputSet::Integers : InputSet::Reals;
    inputs.magnitude = magnitude ? magnitude : 1;
    inputs.arePositive = computesIndices(original);
    json::Array results, others;
    for (unsigned char fresh : {0xff, 0x5a}) {
      inputs.fresh = fresh;
      Execution::Outcome outcome = (*compiled)->run(inputs);
      if (std::optional<json::Object> answer = explainEnd(outcome, loc))
        return std::move(*answer);
      for (const std::string &bytes : outcome.results)
        (fresh == 0xff ? results : others).push_back(llvm::encodeBase64(bytes));
    }
    sets.push_back(json::Object{{"results", std::move(results)},
                                {"others", std::move(others)}});
  }
  json::Array parameters;
  for (const EntryParameter &parameter : listResults((*compiled)->getEntry()))
    parameters.push_back(
        json::Object{{"name", json::fixUTF8(parameter.name)},
                     {"type", static_cast<int>(parameter.type)},
                     {"shape", json::Array(ArrayRef(parameter.shape))}});
  return json::Object{{"end", "ran"},
                      {"parameters", std::move(parameters)},
                      {"magnitude", magnitude},
                      {"why", why},
                      {"sets", std::move(sets)}};
}

/// "element [0, 3] of 'result'"
static std::string printElement(const EntryParameter &parameter,
                                uint64_t number) {
  if (parameter.shape.empty())
    return "'" + parameter.name + "'";
  SmallVector<int64_t> indices(parameter.shape.size());
  for (size_t i = indices.size(); i-- > 0;) {
    indices[i] = number % parameter.shape[i];
    number /= parameter.shape[i];
  }
  std::string text = "element [";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(indices, os);
  os << "] of '" << parameter.name << "'";
  return text;
}

/// Compares one result; the finding has no place yet.
static std::optional<Finding> compareResult(const EntryParameter &parameter,
                                            const std::string &expected,
                                            const std::string &undefined,
                                            std::string actual,
                                            double tolerance, Location loc) {
  if (!undefined.empty())
    for (size_t i = 0; i != actual.size(); ++i)
      if (undefined[i])
        actual[i] = expected[i];
  FwComparison comparison =
      fwCompare(parameter.type, parameter.getElementCount(), expected.data(),
                actual.data(), tolerance);
  if (comparison.mismatches == 0)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "changes what the payload computes: "
     << printElement(parameter, comparison.worst) << " is "
     << llvm::format("%.9g instead of %.9g", comparison.actual,
                     comparison.expected);
  Finding finding(loc, "fw-result-differs", text);
  finding.note(
      NoteKind::Evidence, loc,
      llvm::formatv("{0} of {1} elements differ{2}", comparison.mismatches,
                    parameter.getElementCount(),
                    tolerance == 0
                        ? std::string()
                        : llvm::formatv(", by more than {0} relatively",
                                        comparison.tolerance)
                              .str()));
  return finding;
}

static json::Object executeSnapshot(ModuleOp original, const Snapshot &snapshot,
                                    const Reference &reference,
                                    const StepResultOptions &options,
                                    ExecutionOptions execution,
                                    engine::Shared<Phase> &phase) {
  Reasons reasons(original.getContext());
  Location loc = snapshot.step->getLoc();
  bool isExact = reference.report->isExact && keepsIntegers(*snapshot.payload);
  // Asynchronous copies arrive at the wait for them, and once more at once.
  for (bool isEarly : {false, true}) {
    execution.emulation.earlyCopies = isEarly;
    *phase = Phase::Compiling;
    auto compiled = Execution::create(original, *snapshot.payload, execution);
    if (failed(compiled))
      return makeAnswer("uncompiled", reasons.get(loc));
    if (isEarly && !(*compiled)->hasAsyncCopies())
      break;
    *phase = Phase::Running;
    for (const Expected &expected : reference.expected) {
      // Which iterations access what hardly depends on values.
      InputSet inputs = expected.inputs;
      inputs.findsRaces = !isEarly && &expected == &reference.expected.front();
      Execution::Outcome outcome = (*compiled)->run(inputs);
      if (std::optional<json::Object> answer = explainEnd(outcome, loc))
        return std::move(*answer);
      for (size_t i = 0; i != outcome.results.size(); ++i)
        if (std::optional<Finding> finding =
                compareResult(reference.parameters[i], expected.results[i],
                              reference.undefined[i], outcome.results[i],
                              isExact ? 0 : options.tolerance, loc))
          return makeAnswer("differs", *finding);
    }
    if (!(*compiled)->hasAsyncCopies())
      break;
  }
  return json::Object{{"end", "ran"}};
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

namespace {
class Comparer {
public:
  Comparer(const Snapshots &snapshots, const StepResultOptions &options)
      : snapshots(snapshots), options(options),
        context(snapshots.getOriginal().getContext()) {
    execution.entry = options.entry;
    reference.report = &report;
    report.numSnapshots = snapshots.get().size();
  }

  StepResultReport run() {
    if (!findReference())
      return std::move(report);
    ArrayRef<Snapshot> all = snapshots.get();
    if (options.bisect)
      bisect(all);
    else
      for (const Snapshot &snapshot : all)
        if (isFaulty(snapshot))
          break;
    return std::move(report);
  }

private:
  struct Answer {
    engine::ChildEnd child;
    Phase phase;
    std::optional<json::Object> object;

    StringRef getEnd() const {
      return object ? *object->getString("end") : StringRef();
    }
  };

  template <typename Work> Answer ask(Work work) {
    engine::Shared<Phase> phase(Phase::Compiling);
    Answer answer;
    {
      engine::ThreadsStopped alone(*context);
      answer.child = engine::runInChild(
          [&](llvm::raw_ostream &os) {
            os << json::Value(work(phase));
            return true;
          },
          engine::ChildOutput::Dropped, options.limits);
    }
    answer.phase = *phase;
    if (!answer.child.succeeded)
      return answer;
    llvm::Expected<json::Value> value = json::parse(answer.child.text);
    if (!value)
      llvm::consumeError(value.takeError());
    else if (json::Object *object = value->getAsObject())
      answer.object = std::move(*object);
    return answer;
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

  static bool crashes(const Answer &answer) {
    return answer.child.limit == engine::ChildLimit::None &&
           answer.child.crashed() && answer.child.signal != SIGKILL;
  }

  bool findReference() {
    ModuleOp original = snapshots.getOriginal();
    Location loc = original.getLoc();
    FailureOr<func::FuncOp> function = failure();
    {
      Reasons reasons(context);
      function = lookupEntry(original, options.entry);
      if (failed(function)) {
        skip(loc, reasons.get(loc));
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
    Answer answer = ask([&](engine::Shared<Phase> &phase) {
      return executeOriginal(original, options, execution, phase);
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
      skip(loc, crashes(answer) && answer.phase == Phase::Running
                    ? "it crashes"
                    : explain(answer));
      return false;
    }
    readReference(*answer.object);
    return true;
  }

  void readReference(const json::Object &object) {
    report.magnitude = *object.getInteger("magnitude");
    report.isExact = report.magnitude != 0;
    report.why = object.getString("why")->str();
    ModuleOp original = snapshots.getOriginal();
    auto decode = [](const json::Value &value) {
      std::vector<char> bytes;
      llvm::cantFail(llvm::decodeBase64(*value.getAsString(), bytes));
      return std::string(bytes.begin(), bytes.end());
    };
    unsigned number = 0;
    for (const json::Value &value : *object.getArray("sets")) {
      const json::Object &set = *value.getAsObject();
      Expected expected;
      expected.inputs.seed = options.seed + number++;
      expected.inputs.fill =
          report.isExact ? InputSet::Integers : InputSet::Reals;
      expected.inputs.magnitude = std::max<int64_t>(report.magnitude, 1);
      expected.inputs.arePositive = computesIndices(original);
      const json::Array &results = *set.getArray("results"),
                        &others = *set.getArray("others");
      reference.undefined.resize(results.size());
      for (size_t i = 0; i != results.size(); ++i) {
        std::string bytes = decode(results[i]), other = decode(others[i]);
        std::string &undefined = reference.undefined[i];
        undefined.resize(bytes.size());
        for (size_t k = 0; k != bytes.size(); ++k)
          undefined[k] |= bytes[k] != other[k];
        expected.results.push_back(std::move(bytes));
      }
      reference.expected.push_back(std::move(expected));
    }
    for (const json::Value &value : *object.getArray("parameters")) {
      const json::Object &written = *value.getAsObject();
      EntryParameter parameter;
      parameter.name = written.getString("name")->str();
      parameter.type = static_cast<FwElementType>(*written.getInteger("type"));
      for (const json::Value &extent : *written.getArray("shape"))
        parameter.shape.push_back(*extent.getAsInteger());
      reference.parameters.push_back(std::move(parameter));
    }
    for (auto [parameter, undefined] :
         llvm::zip(reference.parameters, reference.undefined)) {
      size_t size = fwElementSize(parameter.type);
      for (size_t i = 0; i + size <= undefined.size(); i += size) {
        bool any =
            llvm::is_contained(StringRef(undefined).substr(i, size).bytes(), 1);
        std::fill_n(undefined.begin() + i, size, any);
        report.numUndefined += any;
      }
    }
  }

  /// Executes `snapshot` and takes note of what is wrong with it.
  bool isFaulty(const Snapshot &snapshot) {
    Location loc = snapshot.step->getLoc();
    Answer answer = ask([&](engine::Shared<Phase> &phase) {
      return executeSnapshot(snapshots.getOriginal(), snapshot, reference,
                             options, execution, phase);
    });
    StringRef end = answer.getEnd();
    if (end == "ran") {
      ++report.numExecuted;
      ++report.numSame;
      report.same.push_back(&snapshot);
      return false;
    }
    if (end == "uncompiled") {
      skip(loc,
           engine::readFinding(*answer.object->getObject("finding"), context));
      return false;
    }
    std::optional<Finding> fault;
    if (!answer.object) {
      if (!crashes(answer) || answer.phase != Phase::Running) {
        skip(loc, explain(answer));
        return false;
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
    addInputs(*fault);
    report.fault = std::move(fault);
    report.faulty = &snapshot;
    return true;
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

  void bisect(ArrayRef<Snapshot> all) {
    if (all.empty() || !isFaulty(all.back()))
      return;
    size_t good = 0, bad = all.size() - 1; // all[good - 1] is right
    while (good < bad) {
      size_t middle = (good + bad) / 2;
      std::optional<Finding> known = report.fault;
      const Snapshot *step = report.faulty;
      if (isFaulty(all[middle])) {
        bad = middle;
        continue;
      }
      report.fault = std::move(known);
      report.faulty = step;
      good = middle + 1;
    }
  }

  const Snapshots &snapshots;
  const StepResultOptions &options;
  MLIRContext *context;
  ExecutionOptions execution;
  Reference reference;
  StepResultReport report;
};
} // namespace

StepResultReport
formwork::transforms::compareResults(const Snapshots &snapshots,
                                     const StepResultOptions &options) {
  return Comparer(snapshots, options).run();
}
