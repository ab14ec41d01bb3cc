//===- StateExecution.cpp - One state of a payload, executed ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/StateExecution.h"

#include "engine/FindingTransfer.h"
#include "runtime/FormworkComparison.h"
#include "transforms/results/Exactness.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
namespace json = llvm::json;

/// The largest of small integers, tried from the first on.
static constexpr int64_t magnitudes[] = {4, 2, 1};
static constexpr unsigned numInputSets = 2;

CompilationErrors::CompilationErrors(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !first)
          first = engine::readDiagnostic(diagnostic);
        return success();
      }) {}

Finding CompilationErrors::get(Location loc) const {
  std::string message = "it cannot be compiled";
  if (first)
    message += ": " + StringRef(first->message).split('\n').first.str();
  Finding finding(loc, "fw-not-executed", message, DiagnosticSeverity::Warning);
  if (first && first->loc->findInstanceOf<FileLineColRange>())
    finding.note(NoteKind::Evidence, first->loc, "here");
  if (first)
    for (const engine::Note &note : first->notes)
      finding.note(note.kind, note.loc,
                   StringRef(note.message).split('\n').first);
  return finding;
}

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
  for (unsigned number : entry.listResults())
    results.push_back(entry.parameters[number]);
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

/// Set number `number` of those that the payload is executed with.
static InputSet makeInputs(ModuleOp original, uint64_t seed, unsigned number,
                           int64_t magnitude) {
  InputSet inputs;
  inputs.seed = seed + number;
  inputs.fill = magnitude != 0 ? InputSet::Integers : InputSet::Reals;
  inputs.magnitude = std::max<int64_t>(magnitude, 1);
  inputs.arePositive = computesIndices(original);
  inputs.edge = number % 2 == 0 ? InputSet::Negative : InputSet::Positive;
  return inputs;
}

json::Object
formwork::transforms::executeOriginal(ModuleOp original, uint64_t seed,
                                      const ExecutionOptions &options,
                                      engine::Shared<ExecutionPhase> &phase) {
  CompilationErrors errors(original.getContext());
  Location loc = original.getLoc();
  auto compiled = Execution::create(original, original, options);
  if (failed(compiled))
    return makeAnswer("uncompiled", errors.get(loc));
  *phase = ExecutionPhase::Running;
  std::string why;
  int64_t magnitude = findExactMagnitude(original, options, why);
  json::Array sets;
  for (unsigned i = 0; i != numInputSets; ++i) {
    InputSet inputs = makeInputs(original, seed, i, magnitude);
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

ReferenceResults formwork::transforms::readReference(const json::Object &answer,
                                                     ModuleOp original,
                                                     uint64_t seed) {
  ReferenceResults reference;
  reference.magnitude = *answer.getInteger("magnitude");
  reference.why = answer.getString("why")->str();
  auto decode = [](const json::Value &value) {
    std::vector<char> bytes;
    llvm::cantFail(llvm::decodeBase64(*value.getAsString(), bytes));
    return std::string(bytes.begin(), bytes.end());
  };
  for (const json::Value &value : *answer.getArray("sets")) {
    const json::Object &set = *value.getAsObject();
    ExpectedResults expected;
    expected.inputs = makeInputs(original, seed, reference.expected.size(),
                                 reference.magnitude);
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
  for (const json::Value &value : *answer.getArray("parameters")) {
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
      reference.numUndefined += any;
    }
  }
  return reference;
}

/// "element [0, 3] of 'result'"
static std::string printElement(const EntryParameter &parameter,
                                uint64_t number) {
  if (parameter.shape.empty())
    return "'" + parameter.name + "'";
  SmallVector<int64_t> indices =
      delinearize(number, computeStrides(parameter.shape));
  return llvm::formatv("element [{0:$[, ]}] of '{1}'",
                       llvm::make_range(indices.begin(), indices.end()),
                       parameter.name);
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

json::Object formwork::transforms::executeSnapshot(
    ModuleOp original, const Snapshot &snapshot,
    const ReferenceResults &reference, double tolerance,
    ExecutionOptions options, engine::Shared<ExecutionPhase> &phase) {
  CompilationErrors errors(original.getContext());
  Location loc = snapshot.step->getLoc();
  bool isExact = reference.isExact() && keepsIntegers(*snapshot.payload);
  // Asynchronous copies arrive at the wait for them, and once more at once.
  for (bool isEarly : {false, true}) {
    options.emulation.earlyCopies = isEarly;
    *phase = ExecutionPhase::Compiling;
    auto compiled = Execution::create(original, *snapshot.payload, options);
    if (failed(compiled))
      return makeAnswer("uncompiled", errors.get(loc));
    if (isEarly && !(*compiled)->hasAsyncCopies())
      break;
    *phase = ExecutionPhase::Running;
    for (const ExpectedResults &expected : reference.expected) {
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
                              isExact ? 0 : tolerance, loc))
          return makeAnswer("differs", *finding);
    }
    if (!(*compiled)->hasAsyncCopies())
      break;
  }
  return json::Object{{"end", "ran"}};
}
