//===- CheckService.cpp - A document in, a check result out -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/CheckService.h"

#include "tools/report/Report.h"
#include "tools/service/DocumentDiagnostics.h"
#include "tools/service/HandleHistory.h"
#include "tools/service/NameReader.h"
#include "tools/service/OperationPages.h"
#include "tools/service/Plugins.h"
#include "tools/service/TextPositions.h"
#include "transforms/schedule/CheckPair.h"
#include "transforms/schedule/Repair.h"
#include "verifier/solver/SolverRun.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"

#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;
using transforms::ScheduleInput;
using verifier::CheckResult;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

/// The text that was read last, and the result of its check.
struct CheckService::Checked {
  ScheduleInput input;
  CheckResult result;
};

CheckService::~CheckService() = default;

namespace {
/// Collects what the diagnostic engine of a context is told.
class Collector : public ScopedDiagnosticHandler {
public:
  explicit Collector(MLIRContext *context) : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      findings.push_back(engine::readDiagnostic(diagnostic));
      return success();
    });
  }

  std::vector<Finding> findings;
};
} // namespace

//===----------------------------------------------------------------------===//
// Settings, libraries and the payload
//===----------------------------------------------------------------------===//

/// A schedule that is one, and does nothing: to read a payload as one is.
static constexpr llvm::StringLiteral kNoSchedule = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
})";

CheckService::CheckService(CheckSettings given, DialectRegistry &registry)
    : settings(std::move(given)) {
  solver.run = std::make_shared<verifier::solver::SolverRun>();
  if (llvm::Error error = loadPlugins(settings.dialectPlugins,
                                      settings.passPlugins, registry)) {
    addProblem(llvm::toString(std::move(error)));
    return;
  }
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  context->allowUnregisteredDialects(settings.allowUnregisteredDialects);
  Collector collector(context.get());
  if (succeeded(load()))
    return;
  SourceFiles files;
  for (const Finding &finding : collector.findings)
    if (finding.severity == DiagnosticSeverity::Error)
      problems.push_back(toDiagnostic(finding, "", files));
}

void CheckService::addProblem(const Twine &message) {
  DocumentDiagnostic problem;
  problem.message = message.str();
  problems.push_back(std::move(problem));
}

LogicalResult CheckService::load() {
  for (const std::string &id : settings.silenced)
    if (std::optional<std::string> fault = findIdFault(id))
      addProblem(*fault);
  if (!settings.target.empty()) {
    target = verifier::lookupTarget(settings.target);
    if (!target)
      addProblem("unknown target '" + settings.target + "'");
  }
  SmallVector<std::string> names = llvm::to_vector(settings.forms);
  llvm::append_range(names, settings.contracts);
  if (!settings.payload.empty())
    names.push_back(settings.payload);
  for (const std::string &name : names)
    if (std::string error; !openInputFile(name, &error))
      addProblem(error);
  for (const std::string &name : settings.libraries)
    if (!llvm::sys::fs::exists(name))
      addProblem("cannot open input file '" + name +
                 "': No such file or directory");
  if (!problems.empty())
    return failure();
  FailureOr<normalforms::Libraries> loaded = normalforms::Libraries::load(
      context.get(), settings.forms, settings.contracts);
  if (failed(loaded))
    return failure();
  libraries = std::move(*loaded);
  if (settings.payload.empty())
    return success();
  std::string error;
  transforms::ScheduleSource source;
  source.transformBuffer =
      llvm::MemoryBuffer::getMemBuffer(kNoSchedule, "no schedule");
  FailureOr<ScheduleInput> input = transforms::loadScheduleInput(
      context.get(), openInputFile(settings.payload, &error),
      std::move(source));
  if (failed(input))
    return failure();
  // A file that holds a schedule, too, has its payload beside that.
  payload = std::move(input->payload);
  (void)transforms::splitSchedule(*payload);
  if (settings.readsPayloadOnce)
    given.emplace(*payload, *libraries.forms);
  return success();
}

//===----------------------------------------------------------------------===//
// Check and repair
//===----------------------------------------------------------------------===//

FailureOr<ScheduleInput> CheckService::read(StringRef file, StringRef text) {
  transforms::ScheduleSource source;
  source.libraries = settings.libraries;
  source.entryPoint = settings.entryPoint;
  FailureOr<ScheduleInput> input = transforms::loadScheduleInput(
      context.get(), llvm::MemoryBuffer::getMemBufferCopy(text, file),
      std::move(source));
  if (failed(input) || input->payload || !payload)
    return input;
  input->payload = std::move(payload);
  input->isSeparate = true;
  isPayloadLent = true;
  return input;
}

void CheckService::takePayloadBack(ScheduleInput &input) {
  if (isPayloadLent)
    payload = std::move(input.payload);
  isPayloadLent = false;
}

FailureOr<CheckResult>
CheckService::checkInput(const ScheduleInput &input, ModuleOp payload,
                         verifier::StateObserver *observer) {
  solver.run->setBudget(verifier::solver::Budget(settings.budget));
  verifier::CheckOptions options;
  options.target = target;
  options.observer = observer;
  options.given = given ? &*given : nullptr;
  return transforms::checkPair(input, payload, libraries, options, solver);
}

bool CheckService::isSilenced(const Finding &finding) const {
  return finding.severity == DiagnosticSeverity::Warning &&
         (llvm::is_contained(settings.silenced, finding.id) ||
          silencedSteps.has(finding.loc, finding.id));
}

/// A problem of the settings as a finding for programs.
static json::Object describeProblem(const DocumentDiagnostic &problem) {
  auto place = [](StringRef file, const lsp::Range &range) {
    return json::Object{{"file", toUtf8(file)},
                        {"line", range.start.line + 1},
                        {"column", range.start.character + 1},
                        {"endLine", range.end.line + 1},
                        {"endColumn", range.end.character + 1}};
  };
  json::Value location = nullptr;
  std::string message = problem.message;
  json::Array notes;
  for (const RelatedPlace &related : problem.related) {
    // The first one is that of the problem itself.
    bool isOwn = StringRef(problem.message).split('\n').first ==
                 related.file + ": " + related.message;
    json::Object where = place(related.file, related.range);
    if (isOwn && location.kind() == json::Value::Null) {
      location = std::move(where);
      message = related.message;
    } else {
      notes.push_back(json::Object{{"kind", "evidence"},
                                   {"message", toUtf8(related.message)},
                                   {"location", std::move(where)}});
    }
  }
  json::Object finding{{"severity", "error"},
                       {"message", toUtf8(message)},
                       {"location", std::move(location)},
                       {"notes", std::move(notes)},
                       {"fixes", json::Array()}};
  if (!problem.id.empty())
    finding["id"] = problem.id;
  return finding;
}

static std::string print(json::Array array) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(array));
  return text;
}

DocumentFacts CheckService::check(StringRef file, StringRef text) {
  if (last)
    takePayloadBack(last->input);
  last = nullptr;
  DocumentFacts facts;
  if (!problems.empty()) {
    facts.diagnostics = problems;
    json::Array findings;
    for (const DocumentDiagnostic &problem : problems)
      findings.push_back(describeProblem(problem));
    facts.findings = print(std::move(findings));
    return facts;
  }
  SourceFiles files;
  files.add(file, text);
  Collector collector(context.get());
  FailureOr<ScheduleInput> input = read(file, text);
  if (succeeded(input) && input->sourceText.state &&
      succeeded(silencedSteps.read(input->schedule.get()))) {
    HandleHistory history(*libraries.forms);
    FailureOr<CheckResult> result = checkInput(
        *input, input->payload ? *input->payload : ModuleOp(), &history);
    if (succeeded(result)) {
      facts.isParsed = true;
      facts.verdict = result->verdict.getName();
      llvm::append_range(collector.findings, result->findings.get());
      readNames(*input, history, libraries, result->parameters.get(), files,
                facts);
      last = std::make_unique<Checked>(
          Checked{std::move(*input), std::move(*result)});
    }
  }
  if (succeeded(input) && !last)
    takePayloadBack(*input);
  json::Array findings;
  std::set<std::pair<unsigned, std::string>> said;
  for (const Finding &finding : collector.findings) {
    // A payload, or sequences that other schedules include.
    bool hasNoSchedule = finding.id == "fw-no-schedule" &&
                         !text.contains("@" + settings.entryPoint);
    if (hasNoSchedule || isSilenced(finding))
      continue;
    DocumentDiagnostic diagnostic = toDiagnostic(finding, file, files);
    // MLIR's verifiers warn each time that they run.
    if (said.insert({diagnostic.range.start.line,
                     std::to_string(diagnostic.range.start.character) +
                         diagnostic.id + diagnostic.message})
            .second) {
      facts.diagnostics.push_back(std::move(diagnostic));
      findings.push_back(toJson(finding, files));
    }
  }
  facts.findings = print(std::move(findings));
  return facts;
}

std::optional<std::string> CheckService::repair() {
  if (!last)
    return std::nullopt;
  std::unique_ptr<Checked> checked = std::move(last);
  Collector collector(context.get());
  transforms::Repair repair = transforms::repairSchedule(
      checked->input, std::move(checked->result),
      [&](const ScheduleInput &input, ModuleOp payload) {
        return checkInput(input, payload, nullptr);
      });
  takePayloadBack(checked->input);
  if (repair.numFixes == 0)
    return std::nullopt;
  return std::move(repair.text);
}

KnownNames CheckService::getNames() const {
  KnownNames names;
  if (!problems.empty())
    return names;
  for (RegisteredOperationName op : context->getRegisteredOperations()) {
    if (op.getDialectNamespace() != "transform")
      continue;
    KnownOperation known;
    known.name = op.getStringRef();
    OperationPage page = lookupOperationPage(op.getStringRef());
    known.detail = page.summary.empty() ? page.description.split('\n').first
                                        : page.summary;
    known.isRuleGroup =
        op.hasInterface<transform::PatternDescriptorOpInterface>();
    names.operations.push_back(std::move(known));
  }
  llvm::sort(names.operations,
             [](const auto &a, const auto &b) { return a.name < b.name; });
  for (const normalforms::Form &form : libraries.forms->getForms())
    names.forms.push_back({form.name, form.summary});
  return names;
}
