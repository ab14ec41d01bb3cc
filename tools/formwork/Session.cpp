//===- Session.cpp - One run over one input ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Session.h"

#include "engine/OutputFile.h"
#include "engine/SourcePlace.h"
#include "tools/formwork/Warnings.h"
#include "transforms/Registration.h"
#include "transforms/strategies/Strategies.h"
#include "verifier/source/UnifiedDiff.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <set>
#include <utility>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using transforms::ScheduleInput;
using transforms::ScheduleSource;

ExitCode formwork::tools::failUsage(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "formwork") << message << "\n";
  return ExitCode::Usage;
}

ExitCode formwork::tools::checkInPlace(const InputOptions &input,
                                       const OutputOptions &output, bool diff) {
  if (diff || output.output.getNumOccurrences())
    return failUsage("--in-place excludes --diff and -o");
  if ((input.transform.empty() ? input.file : input.transform) == "-")
    return failUsage("--in-place requires a file but has standard input");
  if (input.splitInputFile)
    return failUsage("--in-place excludes --split-input-file");
  return ExitCode::Success;
}

/// The place and the text of a diagnostic, notes included.
static std::pair<const void *, std::string> identify(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << diagnostic;
  for (Diagnostic &note : diagnostic.getNotes())
    os << "\n" << note.getLocation().getAsOpaquePointer() << ": " << note;
  return {diagnostic.getLocation().getAsOpaquePointer(), text};
}

static void emitAsError(Diagnostic &diagnostic, engine::Finding finding) {
  finding.severity = DiagnosticSeverity::Error;
  if (!finding.id.empty())
    return (void)emitFinding(std::move(finding));
  InFlightDiagnostic error = emitError(diagnostic.getLocation())
                             << finding.message;
  for (const engine::Note &note : finding.notes)
    error.attachNote(note.loc) << note.message;
}

/// Handles a warning that is silenced or that counts as an error.
static LogicalResult handleJudged(Diagnostic &diagnostic,
                                  WarningFilter &filter) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Warning)
    return failure();
  engine::Finding finding = engine::readDiagnostic(diagnostic);
  WarningFilter::Fate fate = filter.judge(finding);
  if (fate == WarningFilter::Fate::Error)
    emitAsError(diagnostic, std::move(finding));
  return success(fate != WarningFilter::Fate::Kept);
}

/// Says of a step that a strategy made where the strategy has it.
static LogicalResult handleStrategyStep(Diagnostic &diagnostic) {
  Location loc = diagnostic.getLocation();
  std::optional<engine::CallFrame> step = transforms::findStrategyStep(loc);
  FileLineColLoc place = engine::findSourcePlace(loc);
  if (!step || !place)
    return failure();
  engine::Finding finding = engine::readDiagnostic(diagnostic);
  finding.loc = place;
  finding.note(engine::NoteKind::Established, step->place,
               "in a step of " + step->name);
  (void)emitFinding(std::move(finding));
  return success();
}

namespace {
/// Shows a location in a piece of a file as one in the file, and a stack of
/// calls as the line of the user that made them.
class ShownLocations : public ScopedDiagnosticHandler {
public:
  ShownLocations(MLIRContext *context, SourceMgrDiagnosticHandler &handler)
      : ScopedDiagnosticHandler(context) {
    replacer.addReplacement([](FileLineColRange range) -> Attribute {
      return locateInFile(range);
    });
    setHandler([this, &handler](Diagnostic &diagnostic) {
      // A line is quoted once for what is said of it in a row.
      LocationAttr quoted;
      auto emit = [&](Diagnostic &one) {
        auto shown = cast<LocationAttr>(
            replacer.replace(LocationAttr(one.getLocation())));
        if (FileLineColLoc place = engine::findSourcePlace(shown))
          shown = place;
        handler.emitDiagnostic(shown, one.str(), one.getSeverity(),
                               /*displaySourceLine=*/shown != quoted);
        quoted = shown;
      };
      emit(diagnostic);
      for (Diagnostic &note : diagnostic.getNotes())
        emit(note);
    });
  }

private:
  AttrTypeReplacer replacer;
};

/// The settings that every piece of a split input shares.
struct Session {
  const InputOptions &options;
  const DialectRegistry &registry;
  /// The text of all of a split input, or null.
  const llvm::MemoryBuffer *whole;
  /// The text of --transform, or null.
  const llvm::MemoryBuffer *transform;
  SessionProcess process;
  TimingScope &timing;
  /// The document in the making, or null.
  Report *report;
  /// The part of it that `process` fills in, or null.
  SessionReport *details;
  WarningFilter &warnings;

  ExitCode runPiece(std::unique_ptr<llvm::MemoryBuffer> piece,
                    llvm::raw_ostream &os);

private:
  ExitCode runReported(MLIRContext &context,
                       std::unique_ptr<llvm::MemoryBuffer> piece,
                       llvm::raw_ostream &os);
  ExitCode load(MLIRContext &context, std::unique_ptr<llvm::MemoryBuffer> piece,
                llvm::raw_ostream &os);
  /// Lets the strategies of --strategies make the schedule of `piece`: fills in
  /// `source`, and the payload as that schedule takes it.
  ExitCode makeSchedule(MLIRContext &context, const llvm::MemoryBuffer &piece,
                        ScheduleSource &source, OwningOpRef<ModuleOp> &prepared,
                        llvm::raw_ostream &os);
};
} // namespace

/// A second view of the same text, for another source manager.
static std::unique_ptr<llvm::MemoryBuffer>
share(const llvm::MemoryBuffer &buffer) {
  return llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef(),
                                          /*RequiresNullTerminator=*/false);
}

/// Prints what each pass leaves, of a schedule or of the lowering, to standard
/// error. The pass managers that run them are upstream's and read no options,
/// so this listens to the passes' actions.
static void printAfterPasses(MLIRContext &context) {
  context.disableMultithreading();
  context.registerActionHandler(
      [](llvm::function_ref<void()> run, const tracing::Action &action) {
        run();
        auto *execution = dyn_cast<PassExecutionAction>(&action);
        if (!execution || execution->getPass().getArgument().empty())
          return;
        llvm::errs() << "// -----// IR Dump After "
                     << execution->getPass().getName() << " ("
                     << execution->getPass().getArgument() << ") //----- //\n"
                     << *execution->getOp() << "\n";
      });
}

/// The file of --write-schedule: `payload` with `schedule` in it.
static std::string combine(ModuleOp payload, StringRef schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "module {\n" << schedule << "\n";
  for (Operation &op : *payload.getBody()) {
    op.print(os, OpPrintingFlags().useLocalScope());
    os << "\n";
  }
  os << "}\n";
  return text;
}

ExitCode Session::makeSchedule(MLIRContext &context,
                               const llvm::MemoryBuffer &piece,
                               ScheduleSource &source,
                               OwningOpRef<ModuleOp> &prepared,
                               llvm::raw_ostream &os) {
  if (transform || options.noPayload)
    return failUsage("--strategies excludes --transform and --no-payload");
  for (const std::string &name : options.strategies) {
    std::string error;
    if (name != transforms::kShippedStrategies && !openInputFile(name, &error))
      return failUsage("strategies are 'gpu', the shipped ones, or a file: " +
                       error);
  }
  FailureOr<transforms::StrategyLibrary> library =
      transforms::loadStrategies(&context, options.strategies);
  if (failed(library))
    return ExitCode::Usage;
  FailureOr<OwningOpRef<ModuleOp>> payload = transforms::readModule(
      &context, llvm::MemoryBuffer::getMemBufferCopy(
                    piece.getBuffer(), piece.getBufferIdentifier()));
  if (failed(payload))
    return ExitCode::Usage;
  FailureOr<transforms::StrategyOutcome> outcome =
      transforms::applyStrategies(**payload, *library);
  if (failed(outcome))
    return ExitCode::Refuted;
  if (!options.writeSchedule.empty())
    if (ExitCode code =
            writeOutput(options.writeSchedule,
                        combine(*outcome->payload, outcome->schedule), os);
        failed(code))
      return code;
  prepared = std::move(outcome->payload);
  source.transformBuffer = llvm::MemoryBuffer::getMemBufferCopy(
      options.writesSchedule ? outcome->schedule : outcome->placedSchedule,
      "<strategies>");
  return ExitCode::Success;
}

ExitCode Session::load(MLIRContext &context,
                       std::unique_ptr<llvm::MemoryBuffer> piece,
                       llvm::raw_ostream &os) {
  ScopedDiagnosticHandler steps(&context, handleStrategyStep);
  ScopedDiagnosticHandler judged(&context, [&](Diagnostic &diagnostic) {
    return details && details->isJudged ? failure()
                                        : handleJudged(diagnostic, warnings);
  });
  // MLIR's verifiers warn each time that they run, and a schedule is verified
  // when it is read, merged and rewritten.
  std::set<std::pair<const void *, std::string>> known;
  ScopedDiagnosticHandler once(&context, [&](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Warning &&
                   !known.insert(identify(diagnostic)).second);
  });
  TimingScope loading = timing.nest("Load");
  FailureOr<Libraries> libraries =
      loadLibraries(&context, options.forms, options.contracts);
  if (failed(libraries))
    return ExitCode::Usage;
  ScheduleSource source;
  if (transform)
    source.transformBuffer = llvm::MemoryBuffer::getMemBufferCopy(
        transform->getBuffer(), transform->getBufferIdentifier());
  source.libraries.assign(options.libraries.begin(), options.libraries.end());
  source.entryPoint = options.entryPoint;
  source.noPayload = options.noPayload;
  OwningOpRef<ModuleOp> prepared;
  if (!options.strategies.empty())
    if (ExitCode code = makeSchedule(context, *piece, source, prepared, os);
        failed(code))
      return code;
  FailureOr<ScheduleInput> input = transforms::loadScheduleInput(
      &context, std::move(piece), std::move(source));
  if (failed(input) || failed(warnings.addSchedule(input->schedule.get())))
    return ExitCode::Usage;
  if (prepared) {
    input->original = std::move(input->payload);
    input->payload = std::move(prepared);
  }
  loading.stop();
  TimingScope processing = timing.nest("Process");
  return process(std::move(*input), *libraries, os);
}

ExitCode Session::runReported(MLIRContext &context,
                              std::unique_ptr<llvm::MemoryBuffer> piece,
                              llvm::raw_ostream &os) {
  SourceFiles files;
  ReportRun run;
  run.input = resolveSplitName(piece->getBufferIdentifier()).first;
  auto text = llvm::MemoryBuffer::getMemBufferCopy(
      piece->getBuffer(), piece->getBufferIdentifier());
  files.add(piece->getBufferIdentifier(), piece->getBuffer());
  if (transform) {
    run.schedule = transform->getBufferIdentifier();
    files.add(run.schedule, transform->getBuffer());
  }
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    run.findings.push_back(engine::readDiagnostic(diagnostic));
  });
  ExitCode code = load(context, std::move(text), os);
  run.exitCode = static_cast<int>(code);
  if (details)
    run.summary = std::exchange(details->summary, {});
  report->add(run, files);
  return code;
}

ExitCode Session::runPiece(std::unique_ptr<llvm::MemoryBuffer> piece,
                           llvm::raw_ostream &os) {
  MLIRContext context(registry);
  // An op is verified when it is printed, which never ends when the diagnostic
  // comes from its verifier: that of foreach_match warns.
  context.printOpOnDiagnostic(false);
  context.allowUnregisteredDialects(options.allowUnregisteredDialect);
  if (options.printAfterAll)
    printAfterPasses(context);
  if (report)
    return runReported(context, std::move(piece), os);
  llvm::SourceMgr sourceMgr;
  // Lines are quoted from the first that has them.
  if (whole && !options.verifyDiagnostics)
    sourceMgr.AddNewSourceBuffer(share(*whole), llvm::SMLoc());
  sourceMgr.AddNewSourceBuffer(share(*piece), llvm::SMLoc());
  if (transform)
    sourceMgr.AddNewSourceBuffer(share(*transform), llvm::SMLoc());
  // The copy must live as long as the handlers, which quote its lines.
  auto text = llvm::MemoryBuffer::getMemBufferCopy(
      piece->getBuffer(), piece->getBufferIdentifier());
  if (!options.verifyDiagnostics) {
    SourceMgrDiagnosticHandler handler(sourceMgr, &context);
    ShownLocations shown(&context, handler);
    return load(context, std::move(text), os);
  }
  SourceMgrDiagnosticVerifierHandler handler(sourceMgr, &context);
  (void)load(context, std::move(text), os);
  return succeeded(handler.verify()) ? ExitCode::Success : ExitCode::Refuted;
}

/// Refuses what cannot be written before anything is computed.
static ExitCode checkOutput(const InputOptions &options, StringRef path) {
  if (path == "-")
    return ExitCode::Success;
  if (options.splitInputFile)
    return failUsage("--split-input-file writes to standard output; -o takes "
                     "one result");
  StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
    return failUsage("cannot write '" + path + "': no such folder");
  return ExitCode::Success;
}

/// The content of `file`; null, with an `error`, where that cannot be read.
/// MLIR says of a byte order mark only that it does not expect the character,
/// which no editor shows.
static std::unique_ptr<llvm::MemoryBuffer> openText(StringRef file,
                                                    std::string &error) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &error);
  if (!buffer || !buffer->getBuffer().starts_with("\xef\xbb\xbf"))
    return buffer;
  error = ("'" + file +
           "' begins with a byte order mark, which MLIR does not read; save it "
           "as UTF-8 without one")
              .str();
  return nullptr;
}

/// Says that `file` cannot be read: with a report, in that.
static ExitCode failUnreadable(StringRef file, StringRef error,
                               Report *report) {
  if (!report)
    return failUsage(error);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  SourceFiles files;
  ReportRun run;
  run.input = file;
  run.exitCode = static_cast<int>(ExitCode::Usage);
  run.findings.push_back(
      engine::Finding(FileLineColLoc::get(&context, file, 1, 1), "", error));
  report->add(run, files);
  return ExitCode::Usage;
}

ExitCode formwork::tools::runSession(const InputOptions &options,
                                     SessionProcess process,
                                     StringRef outputPath,
                                     SessionReport *details) {
  ReportFormat format = details && details->format != ReportFormat::Text
                            ? details->format
                            : options.diagnosticsFormat.getValue();
  if (options.verifyDiagnostics && format != ReportFormat::Text)
    return failUsage("--verify-diagnostics excludes another format than text");
  if (ExitCode code = checkOutput(options, outputPath); failed(code))
    return code;
  StringRef file = options.file;
  StringRef transformFile = options.transform;
  // A schedule alone can be given either way, but only once.
  if (options.noPayload && !transformFile.empty()) {
    if (options.file.getNumOccurrences())
      return failUsage("--no-payload excludes a FILE beside --transform");
    std::swap(file, transformFile);
    transformFile = "";
  }
  if (file == "-" && transformFile == "-")
    return failUsage("payload and schedule cannot both be standard input; name "
                     "a file for one of them");
  if (options.strategies.empty() && !options.writeSchedule.empty())
    return failUsage("--write-schedule requires --strategies");
  FailureOr<WarningFilter> warnings = WarningFilter::create(options.warnings);
  if (failed(warnings))
    return ExitCode::Usage;
  if (details)
    details->warnings = &*warnings;
  std::unique_ptr<Report> report = createReport(format, options.report.get());
  bool toOutput = details && details->format != ReportFormat::Text;
  auto finish = [&](ExitCode code) {
    if (warnings->madeErrors())
      code = std::max(code, ExitCode::Refuted);
    code = std::max(code, warnings->writeBaseline());
    if (!report)
      return code;
    std::string document;
    llvm::raw_string_ostream os(document);
    report->print(os);
    ExitCode written = writeOutput(toOutput ? details->path : "-", document,
                                   toOutput ? llvm::outs() : llvm::errs());
    return std::max(code, written);
  };
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openText(file, error);
  if (!input)
    return finish(failUnreadable(file, error, report.get()));
  std::unique_ptr<llvm::MemoryBuffer> transform;
  if (!transformFile.empty()) {
    transform = openText(transformFile, error);
    if (!transform)
      return finish(failUnreadable(transformFile, error, report.get()));
  }
  DefaultTimingManager timing;
  applyDefaultTimingManagerCLOptions(timing);
  TimingScope root = timing.getRootScope();
  DialectRegistry registry;
  registerFormwork(registry);
  if (failed(options.plugins.load(registry)))
    return ExitCode::Usage;

  std::unique_ptr<llvm::MemoryBuffer> whole;
  if (options.splitInputFile)
    whole = share(*input);
  Session session{options, registry,     whole.get(), transform.get(), process,
                  root,    report.get(), details,     *warnings};
  if (!options.splitInputFile)
    return finish(session.runPiece(std::move(input), llvm::outs()));
  ExitCode worst = ExitCode::Success;
  (void)splitAndProcessBuffer(
      std::move(input),
      [&](std::unique_ptr<llvm::MemoryBuffer> piece, llvm::raw_ostream &os) {
        worst = std::max(worst, session.runPiece(std::move(piece), os));
        return success();
      },
      // There is one document, and nothing stands between its parts.
      toOutput ? llvm::nulls() : llvm::outs(), kDefaultSplitMarker,
      kDefaultSplitMarker);
  return finish(worst);
}

std::string formwork::tools::printScheduleDiff(const ScheduleInput &schedule,
                                               StringRef before,
                                               StringRef after) {
  auto [name, linesBefore] = resolveSplitName(schedule.sourceName);
  if (linesBefore == 0)
    return verifier::printUnifiedDiff(name, before, after);
  // A piece begins behind the marker, and with the rest of its line.
  std::string marker = kDefaultSplitMarker;
  return verifier::printUnifiedDiff(name, marker + before.str(),
                                    marker + after.str(), linesBefore);
}

StringRef formwork::tools::getWrittenText(const ScheduleInput &schedule,
                                          StringRef text) {
  if (resolveSplitName(schedule.sourceName).second != 0)
    text.consume_front("\n");
  return text;
}

ExitCode formwork::tools::writeOutput(llvm::StringRef path,
                                      llvm::StringRef content,
                                      llvm::raw_ostream &standardOutput) {
  if (path == "-") {
    standardOutput << content;
    standardOutput.flush();
    return ExitCode::Success;
  }
  if (llvm::Error error = engine::writeFile(path, content))
    return failUsage("cannot write " + llvm::toString(std::move(error)));
  return ExitCode::Success;
}
