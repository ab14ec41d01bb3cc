//===- CheckService.cpp - A document in, a check result out -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/CheckService.h"

#include "tools/report/Report.h"
#include "tools/service/HandleHistory.h"
#include "tools/service/Hovers.h"
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
using engine::Note;
using engine::NoteKind;
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

//===----------------------------------------------------------------------===//
// Findings as diagnostics of the document
//===----------------------------------------------------------------------===//

static lsp::Range toRange(const Place &place) {
  auto position = [](unsigned line, unsigned column) {
    return lsp::Position(line == 0 ? 0 : line - 1,
                         column == 0 ? 0 : column - 1);
  };
  return {position(place.line, place.column),
          position(place.endLine, place.endColumn)};
}

static int toSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return 1;
  case DiagnosticSeverity::Warning:
    return 2;
  case DiagnosticSeverity::Note:
  case DiagnosticSeverity::Remark:
    return 3;
  }
  llvm_unreachable("a severity is one of four");
}

/// The edits of a fix-it, if all of them are in `file`.
static std::optional<DocumentFix> readFix(const Note &note, StringRef file,
                                          SourceFiles &files) {
  DocumentFix fix;
  fix.title = note.message;
  for (const engine::TextEdit &edit : note.edits) {
    Place place = files.locate(edit.range);
    if (place.file != file)
      return std::nullopt;
    fix.edits.push_back({toRange(place), edit.text});
  }
  if (fix.edits.empty())
    return std::nullopt;
  return fix;
}

/// `finding` as a diagnostic of `file`: at its place, or at the beginning of
/// the file with the place beside it.
static DocumentDiagnostic toDiagnostic(const Finding &finding, StringRef file,
                                       SourceFiles &files) {
  DocumentDiagnostic diagnostic;
  diagnostic.severity = toSeverity(finding.severity);
  diagnostic.id = finding.id;
  diagnostic.message = finding.message;
  std::optional<Place> place = files.locate(finding.loc);
  if (place && place->file == file)
    diagnostic.range = toRange(*place);
  else if (place) {
    diagnostic.message = place->file + ": " + finding.message;
    diagnostic.related.push_back(
        {place->file, toRange(*place), finding.message});
  }
  for (const Note &note : finding.notes) {
    if (note.kind == NoteKind::FixIt)
      if (std::optional<DocumentFix> fix = readFix(note, file, files))
        diagnostic.fixes.push_back(std::move(*fix));
    std::string message =
        (note.kind == NoteKind::FixIt ? "fix-it: " : "") + note.message;
    if (std::optional<Place> at = files.locate(note.loc))
      diagnostic.related.push_back({at->file, toRange(*at), message});
    else
      diagnostic.message += "\n" + message;
  }
  return diagnostic;
}

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
  return success();
}

//===----------------------------------------------------------------------===//
// The names of a document
//===----------------------------------------------------------------------===//

namespace {
/// Reads from the state of the parser what a document names, and where.
class NameReader {
public:
  NameReader(const ScheduleInput &input, const HandleHistory &history,
             const normalforms::FormLibrary &forms, SourceFiles &files,
             DocumentFacts &facts)
      : input(input), history(history), forms(forms), files(files),
        facts(facts), names(*input.getNames()), positions(names.getText()) {}

  void readHandles();
  void readSymbols();
  void readSteps(const normalforms::ContractLibrary &contracts,
                 const verifier::ParameterModel *parameters);

private:
  lsp::Range toRange(verifier::TextRange range) const {
    return positions.toRange(range.begin, range.end);
  }
  std::optional<verifier::TextRange> toTextRange(llvm::SMRange range) const;
  void addHandle(Value first, unsigned count,
                 const AsmParserState::SMDefinition &definition);
  NamedEntity &findEntity(StringRef kind, StringRef name);
  /// Where the sequence or form called `name` is declared.
  void setDefinition(NamedEntity &entity, Operation *declaration);

  const ScheduleInput &input;
  const HandleHistory &history;
  const normalforms::FormLibrary &forms;
  SourceFiles &files;
  DocumentFacts &facts;
  verifier::SourceNames names;
  TextPositions positions;
};
} // namespace

std::optional<verifier::TextRange>
NameReader::toTextRange(llvm::SMRange range) const {
  StringRef text = names.getText();
  if (!range.isValid() || range.Start.getPointer() < text.begin() ||
      range.End.getPointer() > text.end())
    return std::nullopt;
  return verifier::TextRange{
      static_cast<size_t>(range.Start.getPointer() - text.begin()),
      static_cast<size_t>(range.End.getPointer() - text.begin())};
}

void NameReader::addHandle(Value first, unsigned count,
                           const AsmParserState::SMDefinition &definition) {
  std::optional<verifier::TextRange> range = toTextRange(definition.loc);
  if (!range)
    return;
  NamedEntity entity;
  entity.kind = "handle";
  entity.name = names.getText().slice(range->begin, range->end);
  entity.definition = toRange(*range);
  for (llvm::SMRange use : definition.uses)
    if (std::optional<verifier::TextRange> at = toTextRange(use))
      entity.uses.push_back(toRange(*at));
  Operation *around = first.getParentBlock()->getParentOp();
  if (std::optional<verifier::TextRange> scope = names.getRange(around))
    entity.scopeEnd = positions.toPosition(scope->end);
  std::string label;
  for (unsigned i = 0; i < count; ++i) {
    Value value = first;
    std::string name = entity.name;
    if (count > 1) {
      auto result = cast<OpResult>(first);
      value = result.getOwner()->getResult(result.getResultNumber() + i);
      name += "#" + std::to_string(i);
    }
    ArrayRef<HandleEvent> events = history.get(value);
    entity.hover += describeHandle(name, events);
    if (!events.empty()) {
      const verifier::HandleSummary &last = events.back().summary;
      facts.handles.push_back({name, last.payload, last.forms, last.validity});
    }
    std::string words = history.describeShortly(value);
    if (!words.empty())
      label += (label.empty() ? "" : " | ") + words;
  }
  entity.hint = std::move(label);
  facts.entities.push_back(std::move(entity));
}

void NameReader::readHandles() {
  // The state of the parser also knows operations that are gone by now.
  llvm::DenseSet<Operation *> steps;
  llvm::DenseSet<Block *> blocks;
  input.schedule.get()->walk([&](Operation *op) {
    steps.insert(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.insert(&block);
  });
  const AsmParserState &state = *input.sourceText.state;
  for (const AsmParserState::BlockDefinition &block : state.getBlockDefs()) {
    if (!blocks.contains(block.block))
      continue;
    unsigned count = std::min<size_t>(block.arguments.size(),
                                      block.block->getNumArguments());
    for (unsigned i = 0; i < count; ++i)
      addHandle(block.block->getArgument(i), 1, block.arguments[i]);
  }
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs()) {
    if (!steps.contains(op.op))
      continue;
    for (size_t i = 0; i < op.resultGroups.size(); ++i) {
      unsigned begin = op.resultGroups[i].startIndex;
      unsigned end = i + 1 == op.resultGroups.size()
                         ? op.op->getNumResults()
                         : op.resultGroups[i + 1].startIndex;
      if (begin < end && end <= op.op->getNumResults())
        addHandle(op.op->getResult(begin), end - begin,
                  op.resultGroups[i].definition);
    }
  }
}

NamedEntity &NameReader::findEntity(StringRef kind, StringRef name) {
  for (NamedEntity &entity : facts.entities)
    if (entity.kind == kind && entity.name == name)
      return entity;
  NamedEntity entity;
  entity.kind = kind;
  entity.name = name;
  entity.file = "-";
  facts.entities.push_back(std::move(entity));
  return facts.entities.back();
}

void NameReader::setDefinition(NamedEntity &entity, Operation *declaration) {
  std::optional<Place> place = files.locate(declaration->getLoc());
  if (!place)
    return;
  if (place->file != input.sourceName) {
    // Built-in declarations have no file.
    if (llvm::sys::fs::exists(place->file)) {
      entity.file = place->file;
      entity.definition = ::toRange(*place);
    }
    return;
  }
  // The name of the sequence is behind that of the operation.
  std::optional<verifier::TextRange> range = names.getRange(declaration);
  size_t at =
      range ? names.getText().find(entity.name, range->begin) : StringRef::npos;
  if (at == StringRef::npos)
    return;
  entity.file = "";
  entity.definition = positions.toRange(at, at + entity.name.size());
}

void NameReader::readSymbols() {
  StringRef text = names.getText();
  input.schedule.get()->walk([&](Operation *op) {
    std::optional<verifier::TextRange> range = names.getRange(op);
    if (!range)
      return;
    if (auto sequence = dyn_cast<transform::NamedSequenceOp>(op)) {
      NamedEntity &entity =
          findEntity("sequence", ("@" + sequence.getSymName()).str());
      setDefinition(entity, op);
      entity.hover = describeSequence(sequence);
    }
    llvm::SmallSetVector<StringRef, 4> symbols;
    AttrTypeWalker walker;
    walker.addWalk([&](SymbolRefAttr symbol) {
      symbols.insert(symbol.getLeafReference());
    });
    for (NamedAttribute attribute : op->getAttrs())
      walker.walk(attribute.getValue());
    for (StringRef symbol : symbols) {
      std::string name = ("@" + symbol).str();
      bool isForm =
          op->getName().getStringRef().starts_with("transform.normalform.") &&
          forms.lookup(symbol);
      Operation *sequence =
          isForm ? nullptr
                 : SymbolTable::lookupSymbolIn(input.schedule.get(), symbol);
      if (!isForm && !sequence)
        continue;
      NamedEntity &entity = findEntity(isForm ? "form" : "sequence", name);
      if (isForm && entity.hover.empty()) {
        const normalforms::Form &form = *forms.lookup(symbol);
        setDefinition(entity, form.declaration);
        entity.hover = describeForm(form, forms);
      } else if (entity.hover.empty()) {
        setDefinition(entity, sequence);
        if (auto named = dyn_cast<transform::NamedSequenceOp>(sequence))
          entity.hover = describeSequence(named);
      }
      for (size_t at = text.find(name, range->begin);
           at != StringRef::npos && at < range->end;
           at = text.find(name, at + name.size())) {
        size_t end = at + name.size();
        if (end < text.size() && verifier::isNameCharacter(text[end]))
          continue;
        lsp::Range use = positions.toRange(at, end);
        if (!llvm::is_contained(entity.uses, use))
          entity.uses.push_back(use);
      }
    }
  });
}

void NameReader::readSteps(const normalforms::ContractLibrary &contracts,
                           const verifier::ParameterModel *parameters) {
  input.schedule.get()->walk([&](Operation *op) {
    std::optional<verifier::TextRange> range = names.getNameRange(op);
    StringRef name = op->getName().getStringRef();
    if (!range || !name.starts_with("transform."))
      return;
    facts.steps.push_back(
        {toRange(*range), name.str(), describeKnob(op, parameters)});
    std::string &text = facts.operations[name.str()];
    if (text.empty())
      text = describeOperation(name, contracts, forms);
  });
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
  input->payload = payload.get().clone();
  input->isSeparate = true;
  return input;
}

FailureOr<CheckResult>
CheckService::checkInput(const ScheduleInput &input, ModuleOp payload,
                         verifier::StateObserver *observer) {
  solver.run->setBudget(verifier::solver::Budget(settings.budget));
  verifier::CheckOptions options;
  options.target = target;
  options.observer = observer;
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
      NameReader names(*input, history, *libraries.forms, files, facts);
      names.readHandles();
      names.readSymbols();
      names.readSteps(*libraries.contracts, result->parameters.get());
      last = std::make_unique<Checked>(
          Checked{std::move(*input), std::move(*result)});
    }
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
