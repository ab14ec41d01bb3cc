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
#include "tools/service/MixedText.h"
#include "tools/service/NameReader.h"
#include "tools/service/OperationPages.h"
#include "tools/service/Plugins.h"
#include "tools/service/TextPositions.h"
#include "transforms/schedule/CheckPair.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/Repair.h"
#include "verifier/solver/SolverRun.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OperationSupport.h"
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

/// A text that was read, and the result of its check.
struct CheckService::Checked {
  std::string file;
  ScheduleInput input;
  /// Where the payload beside the schedule is; none where there is none, or
  /// where it is read again with each text.
  std::optional<MixedText> mixed;
  /// That payload as checks read it, once a second one does.
  std::shared_ptr<const verifier::GivenPayload> given;
  /// The diagnostics of the check, and its result.
  std::vector<Finding> told;
  CheckResult result;
  /// The facts that the service derived from them.
  DocumentFacts facts;
};

CheckService::~CheckService() = default;

namespace {
/// Collects what the diagnostic engine of a context is told.
class Collector : public ScopedDiagnosticHandler {
public:
  explicit Collector(MLIRContext *context) : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      findings.push_back(engine::readDiagnostic(diagnostic));
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
  problems.emplace_back().message = message.str();
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
  if (settings.isIncremental)
    given.emplace(*payload, *libraries.forms);
  return success();
}

//===----------------------------------------------------------------------===//
// Check and repair
//===----------------------------------------------------------------------===//

FailureOr<ScheduleInput>
CheckService::parse(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  transforms::ScheduleSource source;
  source.libraries = settings.libraries;
  source.entryPoint = settings.entryPoint;
  FailureOr<ScheduleInput> input = transforms::loadScheduleInput(
      context.get(), std::move(buffer), std::move(source));
  if (succeeded(input))
    input->isSeparate = !input->payload && payload;
  return input;
}

FailureOr<ScheduleInput> CheckService::readBeside(Checked &before,
                                                  StringRef text) {
  std::optional<std::string> blanked =
      before.mixed ? before.mixed->blank(text) : std::nullopt;
  if (!blanked)
    return failure();
  std::unique_ptr<llvm::WritableMemoryBuffer> buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(text.size(),
                                                        before.file);
  char *bytes = buffer->getBufferStart();
  llvm::copy(*blanked, bytes);
  Collector collector(context.get());
  FailureOr<ScheduleInput> input = parse(std::move(buffer));
  if (failed(input) || !collector.findings.empty())
    return failure();
  std::optional<MixedText> mixed = before.mixed->follow(*input, text);
  if (!mixed)
    return failure();
  // The parser has places in the buffer, and is done with what was in them.
  llvm::copy(text, bytes);
  if (!before.given)
    before.given = std::make_shared<verifier::GivenPayload>(
        *before.input.payload, *libraries.forms);
  before.mixed = std::move(mixed);
  input->payload = std::move(before.input.payload);
  input->isSeparate = false;
  return input;
}

ModuleOp CheckService::getPayload(const ScheduleInput &input) {
  if (input.payload)
    return *input.payload;
  return input.isSeparate ? *payload : ModuleOp();
}

FailureOr<CheckResult>
CheckService::checkInput(const ScheduleInput &input, ModuleOp payload,
                         const verifier::GivenPayload *given,
                         verifier::StateObserver *observer) {
  solver.run->setBudget(verifier::solver::Budget(settings.budget));
  verifier::CheckOptions options;
  options.target = target;
  options.observer = observer;
  options.given = given;
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

DocumentFacts CheckService::listProblems() const {
  DocumentFacts facts;
  facts.diagnostics = problems;
  json::Array findings;
  for (const DocumentDiagnostic &problem : problems)
    findings.push_back(describeProblem(problem));
  facts.findings = print(std::move(findings));
  return facts;
}

/// The text of `op`; empty for an op of another file.
static StringRef getText(const verifier::SourceNames &names, Operation *op) {
  std::optional<verifier::TextRange> range = names.getRange(op);
  return range ? names.getText().slice(range->begin, range->end) : StringRef();
}

/// The ops of `now` that the entry reaches, if they are those of `before`, with
/// their names and places: checks of the same payload then come to the same
/// result.
static std::optional<SmallVector<Operation *>>
findSameReached(const ScheduleInput &before, const ScheduleInput &now) {
  FailureOr<verifier::ScheduleModel> old = transforms::getModel(before);
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(now);
  if (failed(old) || failed(model))
    return std::nullopt;
  verifier::SourceNames oldNames = *before.getNames(), names = *now.getNames();
  auto isSame = [&](Operation *a, Operation *b) {
    return getText(oldNames, a) == getText(names, b) &&
           OperationEquivalence::isEquivalentTo(a, b,
                                                OperationEquivalence::None);
  };
  if (!llvm::equal(old->getReached(), model->getReached(), isSame))
    return std::nullopt;
  return llvm::to_vector(model->getReached());
}

/// The names of values in `text`, with their `%`, wherever they stand.
static std::set<StringRef> findNames(StringRef text) {
  std::set<StringRef> names;
  for (size_t at = text.find('%'); at != StringRef::npos;
       at = text.find('%', at + 1)) {
    size_t size =
        text.substr(at + 1).take_while(verifier::isNameCharacter).size();
    names.insert(text.substr(at, 1 + size));
  }
  return names;
}

/// Whether fix-its of `findings` that name new handles in the text `before`
/// name the same ones in the text `now`.
static bool keepsNewNames(ArrayRef<Finding> findings, StringRef before,
                          StringRef now) {
  std::set<StringRef> bases;
  auto add = [&](StringRef text) {
    for (StringRef name : findNames(text)) {
      // A name that is taken is made a new one by `_N`.
      auto [base, number] = name.rsplit('_');
      bool isNumbered = !number.empty() && llvm::all_of(number, llvm::isDigit);
      bases.insert(isNumbered ? base : name);
    }
  };
  for (const Finding &finding : findings)
    for (const engine::Note &note : finding.notes)
      if (note.kind == engine::NoteKind::FixIt) {
        add(note.message);
        for (const engine::TextEdit &edit : note.edits)
          add(edit.text);
      }
  if (bases.empty())
    return true;
  auto findAlike = [&](StringRef text) {
    std::set<StringRef> names = findNames(text);
    std::erase_if(names, [&](StringRef name) {
      return llvm::none_of(
          bases, [&](StringRef base) { return name.starts_with(base); });
    });
    return names;
  };
  return findAlike(before) == findAlike(now);
}

LogicalResult CheckService::inspect(Checked &now, const Checked *before,
                                    SourceFiles &files, DocumentFacts &facts) {
  ModuleOp payload = getPayload(now.input);
  HandleHistory history(*libraries.forms);
  bool mayKeep =
      before &&
      (now.input.payload ? now.given != nullptr : !before->input.payload) &&
      llvm::all_of(ArrayRef<ArrayRef<Finding>>{before->told,
                                               before->result.findings.get()},
                   [&](ArrayRef<Finding> findings) {
                     return keepsNewNames(findings,
                                          before->input.getNames()->getText(),
                                          now.input.getNames()->getText());
                   });
  std::optional<SmallVector<Operation *>> reached =
      mayKeep ? findSameReached(before->input, now.input) : std::nullopt;
  kept.verdict = reached.has_value();
  if (reached) {
    now.told = before->told;
    now.result.findings = before->result.findings;
    now.result.verdict = before->result.verdict;
    now.result.numUnproved = before->result.numUnproved;
    facts.verdict = before->facts.verdict;
    readNames(now.input, history, libraries, /*parameters=*/nullptr, files,
              facts);
    keepInferred(before->facts, now.input, *reached, facts);
  } else {
    Collector collector(context.get());
    const verifier::GivenPayload *known = now.input.payload ? now.given.get()
                                          : given           ? &*given
                                                            : nullptr;
    FailureOr<CheckResult> result =
        checkInput(now.input, payload, known, &history);
    now.told = std::move(collector.findings);
    if (failed(result))
      return failure();
    now.result = std::move(*result);
    facts.verdict = now.result.verdict.getName();
    readNames(now.input, history, libraries, now.result.parameters.get(), files,
              facts);
  }
  facts.isParsed = true;
  return success();
}

DocumentFacts CheckService::check(StringRef file, StringRef text) {
  isLastRead = false;
  kept = Kept();
  if (!problems.empty())
    return listProblems();
  DocumentFacts facts;
  SourceFiles files;
  files.add(file, text);
  Collector collector(context.get());
  Checked *before =
      settings.isIncremental && last && last->file == file ? &*last : nullptr;
  auto now = std::make_unique<Checked>();
  now->file = file;
  FailureOr<ScheduleInput> input = failure();
  if (before)
    input = readBeside(*before, text);
  kept.payload = succeeded(input);
  if (!kept.payload)
    input = parse(llvm::MemoryBuffer::getMemBufferCopy(text, file));
  if (succeeded(input)) {
    now->input = std::move(*input);
    if (kept.payload) {
      now->given = before->given;
      now->mixed = std::move(before->mixed);
    } else if (settings.isIncremental && collector.findings.empty()) {
      now->mixed = MixedText::read(now->input, text);
    }
    bool isChecked = now->input.sourceText.state &&
                     succeeded(silencedSteps.read(now->input.schedule.get())) &&
                     succeeded(inspect(*now, before, files, facts));
    llvm::append_range(collector.findings, now->told);
    llvm::append_range(collector.findings, now->result.findings.get());
    isLastRead = isChecked;
  }
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
  if (isLastRead) {
    now->facts = facts;
    last = std::move(now);
  } else if (kept.payload) {
    before->input.payload = std::move(now->input.payload);
    before->mixed = std::move(now->mixed);
  }
  return facts;
}

bool CheckService::keepsFor(StringRef file) const {
  if (!last || last->file != file)
    return false;
  if (last->mixed)
    return true;
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(last->input);
  return succeeded(model) && model->hasUnreached();
}

std::optional<std::string> CheckService::repair() {
  if (!isLastRead || !last->facts.hasFix())
    return std::nullopt;
  isLastRead = false;
  Collector collector(context.get());
  transforms::Repair repair = transforms::repairSchedule(
      last->input, last->result, [&](const ScheduleInput &input, ModuleOp own) {
        return checkInput(input, own ? own : getPayload(input),
                          given ? &*given : nullptr, nullptr);
      });
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
