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
#include "transforms/emulate/EmulationFindings.h"
#include "transforms/program/Program.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;

/// What --target=emulate compiles for: its limits are those of the newest
/// architecture that most people have.
static constexpr llvm::StringLiteral emulatedArchitecture = "sm_90";

namespace {
class RunCommand : public Command {
  InputOptions input;
  PipelineOptions pipeline;
  ValidateOption validation;
  cl::opt<std::string> target{
      "target",
      cl::desc(
          "Where to run: 'emulate' (a GPU emulated on this machine's CPU)"),
      cl::value_desc("target"), cl::init("emulate"),
      cl::cat(getCommandCategory())};
  ProgramOptions programOptions;
  cl::list<std::string> inputs{
      "input",
      cl::desc(
          "Argument in NumPy's format: for the one named arg0, arg1, … or, "
          "without a name, for the next that has none. The others are "
          "drawn from the seed"),
      cl::value_desc("[name=]file.npy"), cl::cat(getCommandCategory())};
  cl::opt<bool> showTimes{
      "time", cl::desc("Print how long the run and its reference took"),
      cl::cat(getCommandCategory())};
  cl::opt<uint64_t> shuffleSeed{
      "shuffle-seed",
      cl::desc("Run the threads of a block in an order drawn from this seed"),
      cl::cat(getCommandCategory())};
  cl::opt<bool> earlyCopies{
      "early-copies",
      cl::desc("Let asynchronous copies arrive at once instead of at the wait "
               "for them"),
      cl::cat(getCommandCategory())};

public:
  ExitCode run() override;

private:
  ExitCode emulate(transforms::ScheduleInput pair, const Libraries &libraries,
                   llvm::raw_ostream &os);
};
} // namespace

ExitCode RunCommand::run() {
  if (target != "emulate")
    return failUsage("unknown target '" + target +
                     "'; 'run' knows 'emulate', and a GPU runs what 'compile "
                     "--emit=exe' writes");
  return runSession(input,
                    [&](transforms::ScheduleInput pair,
                        const Libraries &libraries, llvm::raw_ostream &os) {
                      return emulate(std::move(pair), libraries, os);
                    });
}

ExitCode RunCommand::emulate(transforms::ScheduleInput pair,
                             const Libraries &libraries,
                             llvm::raw_ostream &os) {
  if (!pair.payload)
    return failUsage("'run' requires a payload");
  if (!checkProgramOptions(programOptions, *pair.payload))
    return ExitCode::Usage;
  OwningOpRef<ModuleOp> original = pair.payload->clone();
  const verifier::Target &gpu = *verifier::lookupTarget(emulatedArchitecture);
  Guard guard(pipeline.guard);
  if (ExitCode code = compileToDevice(pair, libraries, pipeline, gpu, guard,
                                      validation.validate);
      code != ExitCode::Success)
    return code;

  gpu::GPUModuleOp kernels = getKernels(*pair.payload);
  Location loc = pair.entry.getLoc();
  engine::Findings findings;
  auto kernelCode = transforms::emulate::DeviceModule::load(kernels);
  if (!kernelCode) {
    transforms::emulate::addFindings(kernelCode.takeError(), loc, findings);
    findings.emit();
    return ExitCode::Refuted;
  }
  transforms::emulate::EmulationOptions emulation;
  if (shuffleSeed.getNumOccurrences())
    emulation.shuffleSeed = shuffleSeed;
  emulation.earlyCopies = earlyCopies;
  transforms::emulate::EmulatedDevice device(emulation);
  transforms::KernelImages images;
  images[kernels.getSymName()].bytes = device.addModule(std::move(*kernelCode));
  FailureOr<transforms::Program> program = transforms::buildProgram(
      *original, *pair.payload, programOptions.entry, images);
  if (failed(program))
    return ExitCode::Refuted;

  transforms::RunOptions options;
  options.seed = programOptions.seed;
  options.tolerance = programOptions.tolerance;
  options.inputs.assign(inputs.begin(), inputs.end());
  options.device = transforms::emulate::EmulatedDevice::getSymbols;
  options.onBuffer = [&](llvm::StringRef name,
                         llvm::MutableArrayRef<char> bytes) {
    device.getMemory().add(bytes.data(), bytes.size(), name.str());
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
  report->print(os);
  if (showTimes)
    os << llvm::formatv("time: {0:f3} s on the emulated device, {1:f3} s for "
                        "the reference\n",
                        report->runSeconds, report->referenceSeconds);
  return report->passed() && !findings.hasErrors() ? ExitCode::Success
                                                   : ExitCode::Refuted;
}

std::unique_ptr<Command> formwork::tools::createRunCommand() {
  return std::make_unique<RunCommand>();
}
