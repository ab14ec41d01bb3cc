//===- ScheduleInput.cpp - Payload and schedule from files ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/ScheduleInput.h"

#include "engine/CrashGuard.h"
#include "engine/Diagnostics.h"
#include "engine/NearName.h"
#include "transforms/schedule/FatalInput.h"
#include "verifier/source/ScheduleModel.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/Utils.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

/// Makes a module of what was parsed: the single module in `block`, or a new
/// one around everything.
static OwningOpRef<ModuleOp> takeModule(Block &block, Location loc) {
  if (llvm::hasSingleElement(block))
    if (auto module = dyn_cast<ModuleOp>(block.front())) {
      module->remove();
      return module;
    }
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  module->getBody()->getOperations().splice(module->getBody()->end(),
                                            block.getOperations());
  return module;
}

namespace {
/// A parsed file.
struct ParsedFile {
  OwningOpRef<ModuleOp> module;
  ParsedText text;
};
} // namespace

/// Says that MLIR crashes on a text, and behind which operation of it.
static LogicalResult refuseFatalText(Location loc,
                                     const AsmParserState *state) {
  Finding finding(loc, "fw-input-crashes",
                  "requires a text that MLIR can read but MLIR crashes");
  if (state && !state->getOpDefs().empty())
    finding.note(NoteKind::Evidence,
                 llvm::to_vector(state->getOpDefs()).back().op->getLoc(),
                 "this operation is the last one that MLIR read");
  return emitFinding(std::move(finding));
}

/// Adds to the parser's error about an unknown operation the known one that is
/// spelled most alike, or, where MLIR lacks the whole dialect, what to do.
static void suggestOperation(Diagnostic &error) {
  std::string message = error.str();
  StringRef name = message;
  if (name.starts_with("Dialect `") ||
      name.contains("being parsed with an unregistered dialect")) {
    error.attachNote(error.getLocation())
        << "fix-it: write it with operations of MLIR, or let what exported the "
           "model lower it to linalg, tensor, scf, arith and math; a plugin "
           "that brings the dialect is given with --load-dialect-plugin";
    return;
  }
  if (!name.consume_front("custom op '"))
    return;
  StringRef rest;
  std::tie(name, rest) = name.split('\'');
  if (!rest.starts_with(" is unknown"))
    return;
  SmallVector<StringRef> known;
  for (RegisteredOperationName op :
       error.getLocation().getContext()->getRegisteredOperations())
    known.push_back(op.getStringRef());
  if (std::optional<size_t> near = engine::findNearName(name, known))
    error.attachNote(error.getLocation())
        << "did you mean '" << known[*near] << "'?";
}

/// Parses `buffer`, text or bytecode, and verifies it.
static FailureOr<ParsedFile>
parseBuffer(MLIRContext *context, std::unique_ptr<llvm::MemoryBuffer> buffer) {
  ScopedDiagnosticHandler handler(context, [](Diagnostic &diagnostic) {
    suggestOperation(diagnostic);
    return failure();
  });
  Location loc =
      FileLineColLoc::get(context, buffer->getBufferIdentifier(), 1, 1);
  bool bytecode = isBytecode(buffer->getMemBufferRef());
  ParsedFile file;
  file.text.manager = std::make_shared<llvm::SourceMgr>();
  file.text.manager->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (!bytecode)
    file.text.state = std::make_unique<AsmParserState>();
  auto parsedBlock = std::make_unique<Block>();
  LogicalResult parsed = success();
  if (!engine::survivesCall([&] {
        parsed =
            bytecode
                ? parseSourceFile(file.text.manager, parsedBlock.get(), config)
                : parseAsmSourceFile(*file.text.manager, parsedBlock.get(),
                                     config, file.text.state.get());
      })) {
    // Both are half made.
    (void)parsedBlock.release();
    return refuseFatalText(loc, file.text.state.release());
  }
  Block &block = *parsedBlock;
  if (failed(parsed) || failed(checkLostOperands(block)) ||
      failed(checkForeachBodies(block)) || failed(checkSizeLists(block)))
    return failure();
  // Where an op has a data layout of its own, upstream looks for that of the
  // module around it, too, and crashes without one; but named sequences are to
  // stand beside the payload without a module that is marked for them. Nor does
  // it verify uses of values from around a region where nothing is around.
  SmallVector<Operation *> inModule;
  for (Operation &op : block) {
    if (failed(verifier::checkRecursion(&op)) || failed(checkOperands(op)))
      return failure();
    if (isa<DataLayoutOpInterface>(op) ||
        (op.getNumRegions() != 0 &&
         !op.hasTrait<OpTrait::IsIsolatedFromAbove>()))
      inModule.push_back(&op);
    else if (failed(verify(&op)))
      return failure();
  }
  file.module = takeModule(block, loc);
  for (Operation *op : inModule)
    if (failed(verify(op)))
      return failure();
  // The symbols of a new module.
  if (failed(verify(*file.module, /*verifyRecursively=*/false)))
    return failure();
  return file;
}

FailureOr<OwningOpRef<ModuleOp>>
formwork::transforms::readModule(MLIRContext *context,
                                 std::unique_ptr<llvm::MemoryBuffer> buffer) {
  FailureOr<ParsedFile> file = parseBuffer(context, std::move(buffer));
  if (failed(file))
    return failure();
  return std::move(file->module);
}

OwningOpRef<ModuleOp> formwork::transforms::splitSchedule(ModuleOp payload) {
  StringRef marker = transform::TransformDialect::kWithNamedSequenceAttrName;
  for (auto nested : payload.getOps<ModuleOp>())
    if (nested->hasAttr(marker)) {
      nested->remove();
      return nested;
    }
  OwningOpRef<ModuleOp> schedule = ModuleOp::create(payload.getLoc());
  (*schedule)->setAttr(marker, UnitAttr::get(payload.getContext()));
  for (Operation &op : llvm::make_early_inc_range(*payload.getBody()))
    if (isa<transform::NamedSequenceOp>(op) ||
        op.getName().getDialectNamespace() == "normalform")
      op.moveBefore(schedule->getBody(), schedule->getBody()->end());
  payload->removeAttr(marker);
  return schedule;
}

/// Adds to `finding`, which says that there is no schedule, where one could be:
/// in a sequence without a name, which MLIR does not run, or in another file.
static void suggestSchedule(ScheduleInput &input, const ScheduleSource &source,
                            Finding &finding) {
  auto suggest = [&](transform::SequenceOp sequence) {
    finding.note(NoteKind::FixIt, sequence.getLoc(),
                 "write this as 'transform.named_sequence @" +
                     source.entryPoint +
                     "': MLIR does not run a 'transform.sequence' by itself");
    return WalkResult::interrupt();
  };
  if (!input.schedule->walk(suggest).wasInterrupted() && input.payload)
    input.payload->walk(suggest);
  if (finding.notes.empty() && !input.isSeparate && input.payload)
    finding.note(NoteKind::FixIt, finding.loc,
                 "name the file with the schedule: --transform=FILE");
}

/// Finds the entry and checks that the interpreter can bind its arguments.
static LogicalResult resolveEntry(ScheduleInput &input,
                                  const ScheduleSource &source) {
  ModuleOp schedule = *input.schedule;
  auto entry = dyn_cast_or_null<transform::NamedSequenceOp>(
      SymbolTable::lookupSymbolIn(schedule, source.entryPoint));
  if (!entry) {
    // Those in modules beside or in each other; none of them is the schedule.
    SmallVector<transform::NamedSequenceOp> nested;
    schedule.walk([&](transform::NamedSequenceOp sequence) {
      if (sequence.getSymName() == source.entryPoint)
        nested.push_back(sequence);
    });
    if (nested.size() > 1) {
      Finding finding(
          schedule.getLoc(), "fw-no-schedule",
          "requires one schedule but the input has " + Twine(nested.size()) +
              " modules with a transform.named_sequence @" + source.entryPoint);
      for (transform::NamedSequenceOp sequence : nested)
        finding.note(NoteKind::Evidence, sequence.getLoc(), "one is here");
      return emitFinding(std::move(finding));
    }
    Finding finding(schedule.getLoc(), "fw-no-schedule",
                    "requires a schedule but the input has no "
                    "transform.named_sequence @" +
                        source.entryPoint);
    for (transform::NamedSequenceOp sequence : nested)
      finding.note(NoteKind::Evidence, sequence.getLoc(),
                   "there is one in a module in that of the schedule");
    for (auto sequence : schedule.getOps<transform::NamedSequenceOp>())
      finding.note(NoteKind::Evidence, sequence.getLoc(),
                   llvm::formatv("there is a sequence @{0}; name it with "
                                 "--transform-entry-point={0}",
                                 sequence.getSymName()));
    suggestSchedule(input, source, finding);
    return emitFinding(std::move(finding));
  }
  if (entry.isExternal() || entry.getBody().getNumArguments() != 1 ||
      !isa<transform::TransformHandleTypeInterface>(
          entry.getBody().getArgument(0).getType()))
    return emitFinding(Finding(
        entry.getLoc(), "fw-entry-signature",
        "an entry sequence requires a body and exactly one operation handle as "
        "argument"));
  input.entry = entry;
  return success();
}

/// Merges the sequences of the libraries into the schedule. Upstream's way to
/// do so reads the files itself and keeps no names.
static LogicalResult mergeLibraries(ScheduleInput &input,
                                    ArrayRef<std::string> libraries) {
  MLIRContext *context = input.schedule.get()->getContext();
  SmallVector<std::string> paths;
  if (failed(
          transform::detail::expandPathsToMLIRFiles(libraries, context, paths)))
    return failure();
  for (StringRef path : paths) {
    std::string error;
    std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
    if (!buffer)
      return emitError(FileLineColLoc::get(context, path, 0, 0)) << error;
    FailureOr<ParsedFile> file = parseBuffer(context, std::move(buffer));
    if (failed(file) ||
        failed(transform::detail::mergeSymbolsInto(
            *input.schedule, OwningOpRef<Operation *>(file->module.release()))))
      return failure();
    input.libraryTexts.push_back(std::move(file->text));
  }
  return success();
}

/// Adds the libraries and the entry to the modules of `input`.
static FailureOr<ScheduleInput> completeInput(ScheduleInput input,
                                              ScheduleSource source) {
  if (failed(mergeLibraries(input, source.libraries)) ||
      failed(resolveEntry(input, source)))
    return failure();
  // A file with nothing but named sequences is a schedule alone.
  if (!input.isSeparate && input.payload && input.payload->getBody()->empty())
    input.payload = nullptr;
  input.source = std::move(source);
  return input;
}

FailureOr<ScheduleInput> formwork::transforms::loadScheduleInput(
    MLIRContext *context, std::unique_ptr<llvm::MemoryBuffer> inputBuffer,
    ScheduleSource source) {
  bool separate = source.transformBuffer != nullptr;
  FailureOr<ParsedFile> file = parseBuffer(context, std::move(inputBuffer));
  if (failed(file))
    return failure();
  ScheduleInput input;
  input.payload = std::move(file->module);
  if (separate) {
    file = parseBuffer(context, std::move(source.transformBuffer));
    if (failed(file))
      return failure();
    input.schedule = std::move(file->module);
  } else if (source.noPayload) {
    input.schedule = std::move(input.payload);
  } else {
    input.schedule = splitSchedule(*input.payload);
  }
  input.sourceText = std::move(file->text);
  llvm::SourceMgr &manager = *input.sourceText.manager;
  input.sourceName =
      manager.getMemoryBuffer(manager.getMainFileID())->getBufferIdentifier();
  input.isSeparate = separate;
  return completeInput(std::move(input), std::move(source));
}

FailureOr<ScheduleInput>
formwork::transforms::takeScheduleInput(OwningOpRef<ModuleOp> module,
                                        ScheduleSource source) {
  ScheduleInput input;
  input.payload = std::move(module);
  input.schedule = splitSchedule(*input.payload);
  // Without a text, there is nothing to say of options and other sequences.
  if (failed(
          verifier::ScheduleModel::create(*input.schedule, source.entryPoint)))
    return failure();
  return completeInput(std::move(input), std::move(source));
}

/// Reads `text`, named `identifier`, in the place of the text of `input`.
static FailureOr<ScheduleInput>
readAgain(const ScheduleInput &input, StringRef text, StringRef identifier) {
  ScheduleSource source;
  source.libraries = input.source.libraries;
  source.entryPoint = input.source.entryPoint;
  // A schedule of a file of its own is reread as one without a payload.
  source.noPayload = input.source.noPayload || input.isSeparate;
  FailureOr<ScheduleInput> again =
      loadScheduleInput(input.schedule.get()->getContext(),
                        llvm::MemoryBuffer::getMemBufferCopy(text, identifier),
                        std::move(source));
  if (succeeded(again))
    again->isSeparate = input.isSeparate;
  return again;
}

FailureOr<ScheduleInput>
formwork::transforms::reloadSchedule(const ScheduleInput &input,
                                     StringRef text) {
  return readAgain(input, text, input.sourceName);
}

FailureOr<ScheduleInput>
formwork::transforms::replaceSchedule(const ScheduleInput &input,
                                      StringRef text, StringRef identifier) {
  // The warnings were emitted when the schedule was read first.
  ScopedDiagnosticHandler errors(
      input.schedule.get()->getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
      });
  FailureOr<ScheduleInput> again =
      readAgain(input, text,
                identifier.empty() ? StringRef(input.sourceName) : identifier);
  if (failed(again))
    return failure();
  again->sourceName = input.sourceName;
  again->source.noPayload = input.source.noPayload;
  if (input.isSeparate && input.payload)
    again->payload = input.payload.get().clone();
  if (input.original)
    again->original = input.original.get().clone();
  return again;
}

std::optional<verifier::SourceNames> ParsedText::getNames() const {
  if (!state)
    return std::nullopt;
  const llvm::MemoryBuffer &buffer =
      *manager->getMemoryBuffer(manager->getMainFileID());
  return verifier::SourceNames(*state, buffer.getBuffer(),
                               buffer.getBufferIdentifier());
}

std::string ScheduleInput::getName(Value value) const {
  auto findIn = [&](const ParsedText &text) -> std::optional<std::string> {
    std::optional<verifier::SourceNames> names = text.getNames();
    return names ? names->getName(value) : std::nullopt;
  };
  if (std::optional<std::string> name = findIn(sourceText))
    return *name;
  for (const ParsedText &library : libraryTexts)
    if (std::optional<std::string> name = findIn(library))
      return *name;
  std::string name;
  llvm::raw_string_ostream os(name);
  value.printAsOperand(os, OpPrintingFlags().useLocalScope());
  return name;
}
