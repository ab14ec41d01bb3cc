//===- RunCommand.cpp - formwork run ----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Command.h"
#include "tools/formwork/Pipeline.h"
#include "tools/formwork/Session.h"
#include "tools/formwork/StepComparison.h"
#include "tools/report/Report.h"
#include "tools/trace/HtmlTrace.h"
#include "transforms/emulate/BankConflicts.h"
#include "transforms/emulate/EmulationFindings.h"
#include "transforms/emulate/ProfileReport.h"
#include "transforms/emulate/StepPlaces.h"
#include "transforms/gpu/DeviceCode.h"
#include "transforms/program/Npy.h"
#include "transforms/program/Program.h"
#include "transforms/settle/LoweredRun.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;

/// The architecture that --target=emulate compiles for: its limits are those of
/// the newest architecture that most people have.
static constexpr llvm::StringLiteral emulatedArchitecture = "sm_90";

namespace {
enum class RunFormat { Text, Json };

class RunCommand : public Command {
  InputOptions input;
  FileAccessOption fileAccess;
  PipelineOptions pipeline;
  ValidateOption validation;
  Option<std::string> target{
      "target",
      "Where to run: 'emulate' (a GPU emulated on this machine's CPU)",
      cl::value_desc("target"), cl::init("emulate")};
  ProgramOptions programOptions;
  OptionList<std::string> inputs{
      "input",
      "Argument in NumPy's format: for the one named arg0, arg1, … or, "
      "without a name, for the next that has none. The others are "
      "drawn from the seed",
      cl::value_desc("[name=]file.npy")};
  Option<int64_t> openSize{
      "open-size",
      "Each size that the types of the entry leave open, of arguments "
      "without --input, whose files have their own",
      cl::value_desc("N")};
  OptionList<std::string> expected{
      "expected",
      "Expected value of the next result, in NumPy's format, instead "
      "of the result of the payload without its schedule",
      cl::value_desc("file.npy")};
  Option<Trace> trace{"trace", "Write what each step does to the payload, as",
                      cl::init(Trace::None),
                      cl::values(clEnumValN(
                          Trace::Html, "html",
                          "an HTML page to step through, in the file of -o"))};
  Option<std::string> page{"o", "File of the page of --trace=html",
                           cl::value_desc("filename")};
  Option<std::string> resultsFolder{
      "results",
      "Write each result into this folder, in NumPy's format, as "
      "result_0.npy, result_1.npy, …",
      cl::value_desc("folder")};
  Option<RunFormat> format{
      "format",
      "How to print the errors of the results:", cl::init(RunFormat::Text),
      cl::values(clEnumValN(RunFormat::Text, "text", "a line for each"),
                 clEnumValN(RunFormat::Json, "json", "one JSON document"))};
  Option<bool> showTimes{"time",
                         "Print how long the run and its reference took"};
  Option<uint64_t> shuffleSeed{
      "shuffle-seed",
      "Run the threads of a block in an order drawn from this seed"};
  Option<bool> profile{"profile", "Profile each launch, and print the counts"};
  Option<std::string> profileJSON{
      "profile-json", "Profile each launch, and write the counts as JSON",
      cl::value_desc("file")};
  Option<uint64_t> sampleBlocks{
      "sample-blocks",
      "Run only N blocks of the last kernel, including those at the "
      "corners of the grid, and compare the elements that they write",
      cl::value_desc("N")};
  Option<bool> earlyCopies{
      "early-copies",
      "Let asynchronous copies arrive at once instead of at the wait "
      "for them"};
  Option<bool> afterEachStep{
      "after-each-step",
      "Execute the payload after each step, and name the first step "
      "that changes its results, or after which the payload races or "
      "accesses memory out of bounds"};
  Option<bool> bisect{
      "bisect", "With --after-each-step: assume that a wrong result stays "
                "wrong, and find the step by bisection"};
  Option<bool> fullSize{
      "full-size", "With --after-each-step: execute the payload with its own "
                   "sizes, however long that takes"};
  Option<double> stepSeconds{
      "step-seconds",
      "With --after-each-step: most seconds that one execution may "
      "take (120 by default)",
      cl::value_desc("seconds"), cl::init(120)};

public:
  ExitCode run() override;

private:
  /// Opens the file of --trace=html, if that is given.
  ExitCode openPage(const transforms::ScheduleInput &pair,
                    std::optional<llvm::raw_fd_ostream> &stream);
  /// Checks that there is a program to run, and that it may be.
  ExitCode checkPair(const transforms::ScheduleInput &pair, StringRef entry);
  /// Removes the file if it is empty.
  ExitCode closePage(llvm::raw_fd_ostream &stream);
  ExitCode compareSteps(transforms::ScheduleInput pair,
                        const Libraries &libraries, llvm::raw_ostream &os);
  ExitCode emulate(transforms::ScheduleInput pair, const Libraries &libraries,
                   llvm::raw_ostream &os);
  ExitCode writeResults(const transforms::RunReport &report,
                        ArrayRef<std::string> contents, llvm::raw_ostream &os);
  ExitCode reportProfiles(const transforms::emulate::EmulatedDevice &device,
                          gpu::GPUModuleOp kernels, llvm::raw_ostream &os);
};
} // namespace

/// The kernel that is launched last, if nothing can depend on what it leaves
/// out: it is launched once.
static llvm::Expected<std::string> findSampledKernel(ModuleOp lowered) {
  gpu::LaunchFuncOp last;
  unsigned launches = 0;
  lowered.walk([&](gpu::LaunchFuncOp launch) {
    bool again = last && last.getKernel() == launch.getKernel();
    launches = again ? launches + 1 : 1;
    last = launch;
  });
  if (!last)
    return llvm::createStringError("a kernel that is launched");
  if (launches != 1 || !isa<func::FuncOp>(last->getParentOp()))
    return llvm::createStringError("that '" + last.getKernelName().getValue() +
                                   "', launched last, is launched once");
  return last.getKernelName().str();
}

static llvm::json::Value describe(const transforms::RunReport &report) {
  llvm::json::Array results;
  // JSON has no infinity and no NaN.
  auto number = [](double value) -> llvm::json::Value {
    return std::isfinite(value) ? llvm::json::Value(value)
                                : llvm::json::Value(nullptr);
  };
  for (const transforms::ResultComparison &result : report.results)
    results.push_back(
        llvm::json::Object{{"name", toUtf8(result.parameter.name)},
                           {"type", result.parameter.getTypeText()},
                           {"maxAbsolute", number(result.errors.maxAbsolute)},
                           {"maxRelative", number(result.errors.maxRelative)},
                           {"tolerance", number(result.errors.tolerance)},
                           {"mismatches", int64_t(result.errors.mismatches)},
                           {"passed", result.passed()}});
  return llvm::json::Object{{"results", std::move(results)},
                            {"passed", report.passed()},
                            {"seconds", report.runSeconds},
                            {"referenceSeconds", report.referenceSeconds}};
}

ExitCode RunCommand::run() {
  if (target != "emulate")
    return failUsage("unknown target '" + target +
                     "'; 'run' knows 'emulate', and a GPU runs what 'compile "
                     "--emit=exe' writes");
  if ((trace == Trace::Html) == page.empty())
    return failUsage("--trace=html and -o require each other");
  if (page == "-")
    return failUsage("--trace=html requires a file in -o, because the results "
                     "go to standard output");
  if (!resultsFolder.empty() && !llvm::sys::fs::is_directory(resultsFolder))
    return failUsage("cannot write into '" + resultsFolder +
                     "': no such folder");
  if (trace == Trace::Html && (pipeline.unchecked || input.splitInputFile))
    return failUsage("--trace=html excludes --unchecked and "
                     "--split-input-file");
  if (bisect && !afterEachStep)
    return failUsage("--bisect requires --after-each-step");
  if (fullSize && !afterEachStep)
    return failUsage("--full-size requires --after-each-step");
  if (afterEachStep &&
      (pipeline.unchecked || profile || earlyCopies || !profileJSON.empty() ||
       sampleBlocks != 0 || !inputs.empty() ||
       shuffleSeed.getNumOccurrences() || !pipeline.lowering.empty()))
    return failUsage("--after-each-step excludes --unchecked, --profile, "
                     "--profile-json, --sample-blocks, --input, "
                     "--shuffle-seed, --early-copies and --lowering");
  if (openSize < 0)
    return failUsage("--open-size requires a number of at least 0");
  if (!(stepSeconds > 0 && stepSeconds < 1e6))
    return failUsage("--step-seconds requires a positive number of seconds");
  return runSession(input,
                    [&](transforms::ScheduleInput pair,
                        const Libraries &libraries, llvm::raw_ostream &os) {
                      if (afterEachStep)
                        return compareSteps(std::move(pair), libraries, os);
                      return emulate(std::move(pair), libraries, os);
                    });
}

ExitCode RunCommand::openPage(const transforms::ScheduleInput &pair,
                              std::optional<llvm::raw_fd_ostream> &stream) {
  if (trace != Trace::Html)
    return ExitCode::Success;
  if (!pair.getNames())
    return failUsage("'" + pair.sourceName +
                     "' is bytecode; 'run --trace=html' shows text");
  std::error_code error;
  stream.emplace(page, error);
  if (error)
    return failUsage("cannot write '" + page + "': " + error.message());
  return ExitCode::Success;
}

ExitCode RunCommand::closePage(llvm::raw_fd_ostream &stream) {
  bool isEmpty = stream.tell() == 0;
  stream.close();
  std::error_code error = stream.error();
  // Nothing came to be shown.
  if (isEmpty && llvm::sys::fs::is_regular_file(page))
    llvm::sys::fs::remove(page);
  if (!error)
    return ExitCode::Success;
  stream.clear_error();
  return failUsage("cannot write '" + page + "': " + error.message());
}

/// The payload as it was given: what strategies made of it may hold no call.
static ModuleOp getGiven(const transforms::ScheduleInput &pair) {
  return pair.original ? *pair.original : *pair.payload;
}

ExitCode RunCommand::checkPair(const transforms::ScheduleInput &pair,
                               StringRef entry) {
  if (!pair.payload)
    return failUsage("'run' requires a payload");
  if (failed(fileAccess.check(pair)))
    return ExitCode::Refuted;
  if (!checkProgramOptions(programOptions, getGiven(pair), entry))
    return ExitCode::Usage;
  return ExitCode::Success;
}

ExitCode RunCommand::compareSteps(transforms::ScheduleInput pair,
                                  const Libraries &libraries,
                                  llvm::raw_ostream &os) {
  SmallVector<std::string> entries;
  if (pair.payload && programOptions.entry.empty())
    for (func::FuncOp entry : transforms::listEntries(getGiven(pair)))
      entries.push_back(entry.getSymName().str());
  bool hasSeveral = entries.size() > 1;
  if (!hasSeveral)
    entries.assign(1, programOptions.entry);
  if (ExitCode code = checkPair(pair, entries.front()); failed(code))
    return code;
  if (!hasSeveral)
    entries.front() = transforms::lookupEntry(getGiven(pair), entries.front())
                          ->getSymName()
                          .str();
  StepComparisonOptions options;
  options.seed = programOptions.seed;
  options.tolerance = programOptions.tolerance;
  options.isBisected = bisect;
  options.hasFullSize = fullSize;
  if (openSize.getNumOccurrences())
    options.openSize = openSize;
  options.limits.time =
      std::chrono::milliseconds(static_cast<int64_t>(stepSeconds * 1000));
  options.limits.memory = transforms::executionMemory;
  StepComparison comparison(pair, libraries, options);
  Guard guard(pipeline.guard);
  std::optional<llvm::raw_fd_ostream> pageStream;
  if (ExitCode code = openPage(pair, pageStream); failed(code))
    return code;
  if (ExitCode code =
          prepareRun(pair, libraries, pipeline, /*target=*/nullptr, guard,
                     validation.validate, /*ranking=*/nullptr,
                     pageStream ? &*pageStream : nullptr);
      failed(code)) {
    if (pageStream)
      (void)closePage(*pageStream);
    return code;
  }
  bool isSame =
      comparison.run(entries, guard, pageStream ? &*pageStream : nullptr);
  if (pageStream)
    if (ExitCode code = closePage(*pageStream); failed(code))
      return code;
  comparison.print(os);
  return isSame ? ExitCode::Success : ExitCode::Refuted;
}

/// Emits what counters say of workgroup memory, at the step that laid it out.
static void warnOfConflicts(const transforms::emulate::EmulatedDevice &device,
                            transforms::ScheduleInput &pair) {
  engine::Findings counted, moved;
  transforms::emulate::findBankConflicts(device, pair.entry.getLoc(), counted);
  for (const engine::Finding &finding : counted.get())
    moved.add(transforms::moveToThreadStep(finding, pair.schedule.get()));
  moved.emit();
}

ExitCode RunCommand::emulate(transforms::ScheduleInput pair,
                             const Libraries &libraries,
                             llvm::raw_ostream &os) {
  if (ExitCode code = checkPair(pair, programOptions.entry); failed(code))
    return code;
  OwningOpRef<ModuleOp> original = pair.copyOriginal();
  const verifier::Target &gpu = *verifier::lookupTarget(emulatedArchitecture);
  Guard guard(pipeline.guard);
  std::optional<llvm::raw_fd_ostream> pageStream;
  if (ExitCode code = openPage(pair, pageStream); failed(code))
    return code;
  bool counts = profile || !profileJSON.empty();
  std::optional<transforms::emulate::StepPlaces> places;
  StepCallback onStep;
  if (counts)
    onStep = [&](Operation *step) {
      if (step)
        places->take(step, libraries.contracts->has(
                               step, normalforms::SideEffect::CleansUp));
      else
        places.emplace(*pair.payload);
    };
  ExitCode compiled = compileToDevice(
      pair, libraries, pipeline, gpu, guard, validation.validate,
      pageStream ? &*pageStream : nullptr, /*slow=*/nullptr, onStep);
  if (pageStream)
    if (ExitCode code = closePage(*pageStream); failed(code))
      return code;
  if (compiled != ExitCode::Success)
    return compiled;

  gpu::GPUModuleOp kernels = getKernels(*pair.payload);
  Location loc = pair.entry.getLoc();
  engine::Findings findings;
  auto kernelCode = transforms::emulate::DeviceModule::load(kernels, counts);
  if (!kernelCode) {
    transforms::emulate::addFindings(kernelCode.takeError(), loc, findings);
    findings.emit();
    return ExitCode::Refuted;
  }
  transforms::emulate::EmulationOptions emulation;
  if (shuffleSeed.getNumOccurrences())
    emulation.shuffleSeed = shuffleSeed;
  emulation.earlyCopies = earlyCopies;
  if (sampleBlocks != 0) {
    llvm::Expected<std::string> kernel = findSampledKernel(*pair.payload);
    if (!kernel)
      return failUsage("--sample-blocks requires " +
                       llvm::toString(kernel.takeError()));
    emulation.sampledBlocks = sampleBlocks;
    emulation.sampledKernel = *kernel;
  }
  transforms::emulate::EmulatedDevice device(emulation);
  transforms::KernelImages images;
  images[kernels.getSymName()].bytes = device.addModule(std::move(*kernelCode));
  FailureOr<transforms::Program> program = transforms::buildProgram(
      *original, *pair.payload, programOptions.entry, images,
      /*takesOpenSizes=*/true);
  if (failed(program))
    return ExitCode::Refuted;

  transforms::RunOptions options;
  options.seed = programOptions.seed;
  options.tolerance = programOptions.tolerance;
  options.inputs.assign(inputs.begin(), inputs.end());
  if (openSize.getNumOccurrences())
    options.openSize = openSize;
  options.expected.assign(expected.begin(), expected.end());
  options.device = transforms::emulate::EmulatedDevice::getSymbols;
  options.onBuffer = [&](llvm::StringRef name,
                         llvm::MutableArrayRef<char> bytes) {
    device.getMemory().add(bytes.data(), bytes.size(), name.str());
  };
  std::vector<std::string> contents;
  if (!resultsFolder.empty())
    options.onResult = [&](ArrayRef<char> bytes) {
      contents.emplace_back(bytes.begin(), bytes.end());
    };
  if (sampleBlocks != 0)
    options.isWritten = [&](const char *address) {
      return device.getMemory().wasWritten(
          reinterpret_cast<const std::byte *>(address));
    };
  options.onRun = [&] {
    transforms::emulate::addFindings(device, loc, findings);
    findings.emit();
  };
  transforms::emulate::EmulatedDevice::Activation active(device);
  guard.enter(Phase::Program);
  FailureOr<transforms::RunReport> report =
      transforms::runInProcess(*program, options);
  if (failed(report))
    return ExitCode::Usage;
  if (report->fault) {
    // A kernel that makes the assertion, too, has said so.
    if (!findings.hasErrors())
      (void)emitFinding(std::move(*report->fault));
    return ExitCode::Refuted;
  }
  if (ExitCode code = writeResults(*report, contents, os); failed(code))
    return code;
  if (format == RunFormat::Json)
    os << llvm::formatv("{0:2}\n", describe(*report));
  else
    report->print(os);
  for (const transforms::emulate::EmulatedLaunch &launch : device.getLaunches())
    if (format == RunFormat::Text &&
        launch.report.numBlocks != launch.config.grid.count() &&
        launch.error.empty())
      os << llvm::formatv("sampled: {0} of {1} blocks of kernel '{2}'\n",
                          launch.report.numBlocks, launch.config.grid.count(),
                          launch.config.kernel);
  if (showTimes && format == RunFormat::Text)
    os << llvm::formatv("time: {0:f3} s on the emulated device, {1:f3} s for "
                        "the reference\n",
                        report->runSeconds, report->referenceSeconds);
  if (counts) {
    if (ExitCode code = reportProfiles(device, kernels, os); failed(code))
      return code;
    warnOfConflicts(device, pair);
  }
  return report->passed() && !findings.hasErrors() ? ExitCode::Success
                                                   : ExitCode::Refuted;
}

ExitCode RunCommand::writeResults(const transforms::RunReport &report,
                                  ArrayRef<std::string> contents,
                                  llvm::raw_ostream &os) {
  for (auto [i, content] : llvm::enumerate(contents)) {
    llvm::SmallString<128> path = StringRef(resultsFolder);
    llvm::sys::path::append(path, "result_" + Twine(i) + ".npy");
    if (ExitCode code = writeOutput(
            path, transforms::formatNpy(report.results[i].parameter, content),
            os);
        failed(code))
      return code;
  }
  return ExitCode::Success;
}

/// The registers that ptxas gives each kernel; none where there is no ptxas.
static transforms::emulate::RegisterCounts
countRegisters(gpu::GPUModuleOp kernels,
               const std::optional<transforms::Toolkit> &toolkit) {
  transforms::emulate::RegisterCounts counts;
  std::optional<std::string> ptxas =
      toolkit ? toolkit->findProgram("ptxas") : std::nullopt;
  if (!ptxas)
    return counts;
  FailureOr<transforms::DeviceCode> code =
      transforms::generateDeviceCode(kernels, toolkit);
  if (failed(code))
    return counts;
  FailureOr<std::optional<transforms::Cubin>> cubin = transforms::assemble(
      kernels.getLoc(), code->ptx, emulatedArchitecture, *ptxas);
  if (failed(cubin) || !*cubin)
    return counts;
  StringRef kernel;
  for (StringRef line : llvm::split((*cubin)->log, '\n')) {
    if (line.contains("Compiling entry function"))
      kernel = line.split('\'').second.split('\'').first;
    unsigned registers;
    if (!line.split("Used ").second.consumeInteger(10, registers))
      counts[kernel] = registers;
  }
  return counts;
}

ExitCode
RunCommand::reportProfiles(const transforms::emulate::EmulatedDevice &device,
                           gpu::GPUModuleOp kernels, llvm::raw_ostream &os) {
  FailureOr<std::optional<transforms::Toolkit>> toolkit =
      resolveToolkit(pipeline);
  if (failed(toolkit))
    return ExitCode::Usage;
  transforms::emulate::RegisterCounts registers =
      countRegisters(kernels, *toolkit);
  if (profile)
    transforms::emulate::printProfiles(device, registers, os);
  if (profileJSON.empty())
    return ExitCode::Success;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv(
      "{0:2}\n", transforms::emulate::describeProfiles(device, registers));
  return writeOutput(profileJSON, text, os);
}

std::unique_ptr<Command> formwork::tools::createRunCommand() {
  return std::make_unique<RunCommand>();
}
