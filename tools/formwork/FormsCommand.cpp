//===- FormsCommand.cpp - formwork forms ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "embedded/builtinCorpus.h"
#include "engine/DiscreetProgress.h"
#include "normalforms/Evidence.h"
#include "normalforms/Printing.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Libraries.h"
#include "tools/formwork/Session.h"
#include "transforms/Registration.h"
#include "transforms/gpu/Process.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using normalforms::FormLibrary;
namespace cl = llvm::cl;

namespace {
enum class ShowForms { Print, Catalogue, Dot, Svg, Evidence };

class FormsCommand : public Command {
  FormsOption forms;
  PluginOptions plugins;
  OutputOptions output;
  cl::opt<ShowForms> show{
      cl::desc("What to show:"), cl::init(ShowForms::Print),
      cl::values(
          clEnumValN(ShowForms::Print, "print",
                     "the library as a form file (the default)"),
          clEnumValN(ShowForms::Catalogue, "catalogue",
                     "the library as Markdown"),
          clEnumValN(ShowForms::Dot, "dot",
                     "the order, in Graphviz's language"),
          clEnumValN(ShowForms::Svg, "svg", "the order, drawn by Graphviz"),
          clEnumValN(
              ShowForms::Evidence, "evidence",
              "the result of testing the library's claims on the payloads")),
      cl::cat(getCommandCategory())};
  Option<std::string> leq{"leq", "Print whether form A implies form B, and why",
                          cl::value_desc("A,B")};
  cl::list<std::string> payloads{cl::Positional, cl::desc("[PAYLOAD...]"),
                                 cl::cat(getInputCategory())};
  DebugOption<bool> verifyDiagnostics{
      "verify-diagnostics",
      "Compare the diagnostics about the files of --forms with their "
      "expected-* comments"};
  Option<uint64_t> seed{"seed", "Seed of the evidence's shuffles", cl::init(1)};

public:
  ExitCode run() override;

private:
  ExitCode verifyFiles(MLIRContext &context);
  ExitCode explainLeq(const FormLibrary &library);
  ExitCode draw(StringRef dot);
  ExitCode tryClaims(MLIRContext &context, const FormLibrary &library);
};
} // namespace

static LogicalResult printCatalogue(MLIRContext &context,
                                    const FormLibrary &library,
                                    llvm::raw_ostream &os) {
  FailureOr<Libraries> libraries = Libraries::load(&context);
  if (failed(libraries))
    return failure();
  normalforms::printCatalogue(library, *libraries->contracts, os);
  return success();
}

ExitCode FormsCommand::run() {
  if (show.getNumOccurrences() + leq.getNumOccurrences() > 1)
    return failUsage("--print, --catalogue, --dot, --svg, --leq and --evidence "
                     "exclude each other");
  DialectRegistry registry;
  registerFormwork(registry);
  if (failed(plugins.load(registry)))
    return ExitCode::Usage;
  MLIRContext context(registry);
  if (verifyDiagnostics)
    return verifyFiles(context);
  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler handler(sourceMgr, &context);
  if (failed(FormLibrary::install(&context, llvm::to_vector(forms.files))))
    return ExitCode::Usage;
  const FormLibrary &library = *FormLibrary::get(&context);
  if (!leq.empty())
    return explainLeq(library);
  if (show != ShowForms::Evidence && !payloads.empty())
    return failUsage("payloads are for --evidence");

  std::string text;
  llvm::raw_string_ostream os(text);
  switch (show) {
  case ShowForms::Print:
    normalforms::printLibrary(library, os);
    break;
  case ShowForms::Catalogue:
    if (failed(printCatalogue(context, library, os)))
      return ExitCode::Usage;
    break;
  case ShowForms::Dot:
    normalforms::printDot(library, os);
    break;
  case ShowForms::Svg:
    normalforms::printDot(library, os);
    return draw(text);
  case ShowForms::Evidence:
    return tryClaims(context, library);
  }
  return writeOutput(output.output, text, llvm::outs());
}

ExitCode FormsCommand::verifyFiles(MLIRContext &context) {
  llvm::SourceMgr sourceMgr;
  for (const std::string &path : forms.files) {
    std::string error;
    std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
    if (!file)
      return failUsage(error);
    sourceMgr.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  }
  if (forms.files.empty())
    return failUsage("--verify-diagnostics requires --forms=FILE");
  SourceMgrDiagnosticVerifierHandler handler(sourceMgr, &context);
  (void)FormLibrary::install(&context, llvm::to_vector(forms.files));
  return succeeded(handler.verify()) ? ExitCode::Success : ExitCode::Refuted;
}

ExitCode FormsCommand::explainLeq(const FormLibrary &library) {
  auto [first, second] = StringRef(leq).split(',');
  if (first.empty() || second.empty() || second.contains(','))
    return failUsage("--leq requires two forms: --leq=A,B");
  const normalforms::Form *sides[2] = {};
  for (auto [name, form] : llvm::zip(std::array{first, second}, sides)) {
    form = lookupNamedForm(library, name.trim(), "--leq=A,B");
    if (!form)
      return ExitCode::Usage;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  bool holds = normalforms::explainLeq(library, *sides[0], *sides[1], os);
  ExitCode code = writeOutput(output.output, text, llvm::outs());
  if (failed(code))
    return code;
  return holds ? ExitCode::Success : ExitCode::Refuted;
}

ExitCode FormsCommand::draw(StringRef dot) {
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName("dot");
  if (!program)
    return failUsage("--svg requires Graphviz's 'dot' on PATH; --dot needs "
                     "nothing");
  llvm::SmallString<128> input;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("formwork", "dot", input))
    return failUsage("cannot create a temporary file: " + error.message());
  llvm::FileRemover remover(input);
  if (ExitCode code = writeOutput(input, dot, llvm::outs()); failed(code))
    return code;
  llvm::Expected<transforms::ProcessResult> result =
      transforms::runProcess(*program, {"-Tsvg", input});
  if (!result)
    return failUsage(llvm::toString(result.takeError()));
  if (result->exitCode != 0)
    return failUsage("Graphviz fails: " + result->output);
  return writeOutput(output.output, result->output, llvm::outs());
}

/// Adds the payloads in `buffer`, one for each piece between split markers.
static LogicalResult readPayloads(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                  MLIRContext &context,
                                  SmallVectorImpl<OwningOpRef<ModuleOp>> &to) {
  return splitAndProcessBuffer(
      std::move(buffer),
      [&](std::unique_ptr<llvm::MemoryBuffer> piece, llvm::raw_ostream &) {
        llvm::SourceMgr sourceMgr;
        sourceMgr.AddNewSourceBuffer(std::move(piece), llvm::SMLoc());
        to.push_back(
            parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(&context)));
        return success(static_cast<bool>(to.back()));
      },
      llvm::nulls());
}

ExitCode FormsCommand::tryClaims(MLIRContext &context,
                                 const FormLibrary &library) {
  SmallVector<OwningOpRef<ModuleOp>> corpus;
  for (const std::string &path : payloads) {
    std::string error;
    std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
    if (!buffer)
      return failUsage(error);
    if (failed(readPayloads(std::move(buffer), context, corpus)))
      return ExitCode::Usage;
  }
  if (payloads.empty() &&
      failed(readPayloads(llvm::MemoryBuffer::getMemBuffer(
                              embedded::builtinCorpus, "<shipped corpus>"),
                          context, corpus)))
    return ExitCode::Usage;
  normalforms::EvidenceOptions options;
  options.seed = seed;
  SmallVector<ModuleOp> modules = llvm::map_to_vector(
      corpus, [](OwningOpRef<ModuleOp> &module) { return *module; });
  std::optional<engine::DiscreetProgress> progress(
      std::in_place, &context, "trying the claims of the forms");
  normalforms::Evidence evidence =
      normalforms::collectEvidence(library, modules, options);
  progress.reset();
  std::string text;
  llvm::raw_string_ostream os(text);
  normalforms::printEvidence(library, evidence, os);
  if (ExitCode code = writeOutput(output.output, text, llvm::outs());
      failed(code))
    return code;
  return evidence.refutations.empty() ? ExitCode::Success : ExitCode::Refuted;
}

std::unique_ptr<Command> formwork::tools::createFormsCommand() {
  return std::make_unique<FormsCommand>();
}
