//===- CompileCommand.cpp - formwork compile --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Command.h"
#include "tools/formwork/Pipeline.h"
#include "tools/formwork/Session.h"
#include "transforms/gpu/DeviceCode.h"
#include "transforms/gpu/LaunchDescription.h"
#include "transforms/gpu/Lowering.h"
#include "transforms/gpu/SlowKernels.h"
#include "transforms/program/ObjectEmitter.h"
#include "transforms/settle/LoweredRun.h"
#include "transforms/strategies/StrategyLibrary.h"

#include <functional>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;

namespace {
enum class Emit { MLIR, LLVM, PTX, Cubin, Object, Exe };

class CompileCommand : public Command {
  InputOptions input;
  FileAccessOption fileAccess;
  OutputOptions output;
  TargetOption target;
  PipelineOptions pipeline;
  Option<Emit> emit{
      "emit", "What to write", cl::init(Emit::PTX),
      cl::values(
          clEnumValN(Emit::MLIR, "mlir", "the lowered module"),
          clEnumValN(Emit::LLVM, "llvm", "the kernels' optimized LLVM IR"),
          clEnumValN(Emit::PTX, "ptx", "PTX (the default)"),
          clEnumValN(Emit::Cubin, "cubin", "a cubin, by the toolkit's ptxas"),
          clEnumValN(Emit::Object, "object",
                     "an object file with the kernel, its host code and a "
                     "reference"),
          clEnumValN(Emit::Exe, "exe",
                     "a program that runs, checks and times the kernel on a "
                     "machine with a CUDA driver"))};
  ProgramOptions programOptions;
  Option<bool> resourceUsage{
      "resource-usage",
      "Print a table of the resources of each kernel: registers, spills, "
      "workgroup memory, occupancy, access widths"};
  Option<std::string> launchDescription{
      "launch-description",
      "Write a description of how to launch the kernels, as JSON",
      cl::value_desc("file")};
  Option<bool> printLowering{"print-lowering",
                             "Print the shipped lowering and exit"};

  Option<bool> printStrategies{"print-strategies",
                               "Print the shipped strategies and exit"};

public:
  ExitCode run() override;

private:
  ExitCode compile(transforms::ScheduleInput pair, const Libraries &libraries,
                   llvm::raw_ostream &os);
  /// The code of `pair`, which is lowered, into the output.
  ExitCode emitCode(transforms::ScheduleInput &pair, ModuleOp original,
                    const std::optional<transforms::Toolkit> &toolkit,
                    StringRef linker, const engine::Findings &slow,
                    llvm::raw_ostream &os);
  ExitCode emitProgram(ModuleOp original, ModuleOp lowered,
                       gpu::GPUModuleOp kernels, transforms::Cubin cubin,
                       StringRef linker);

  const verifier::Target *gpu = nullptr;
};
} // namespace

ExitCode CompileCommand::run() {
  if (printLowering) {
    llvm::outs() << transforms::getShippedLowering();
    return ExitCode::Success;
  }
  if (printStrategies) {
    llvm::outs() << transforms::getShippedStrategies();
    return ExitCode::Success;
  }
  gpu = resolveTarget(target.name);
  if (!gpu)
    return ExitCode::Usage;
  return runSession(input, std::bind_front(&CompileCommand::compile, this),
                    output.output);
}

/// The option that needs ptxas, as it is written; nothing for the others.
static StringRef getAssembledEmit(Emit emit) {
  return emit == Emit::Cubin    ? "--emit=cubin"
         : emit == Emit::Object ? "--emit=object"
         : emit == Emit::Exe    ? "--emit=exe"
                                : "";
}

/// Emits `slow`, and what is slow in the code of the kernels, at the steps that
/// decide what threads do.
static void warnOfSlowKernels(transforms::ScheduleInput &pair,
                              ArrayRef<transforms::KernelUsage> usage,
                              const engine::Findings &slow) {
  engine::Findings all = slow, moved;
  transforms::findSlowCode(*pair.payload, usage, all);
  for (const engine::Finding &finding : all.get())
    moved.add(transforms::moveToThreadStep(finding, pair.schedule.get()));
  moved.emit();
}

ExitCode CompileCommand::compile(transforms::ScheduleInput pair,
                                 const Libraries &libraries,
                                 llvm::raw_ostream &os) {
  if (!pair.payload)
    return failUsage("'compile' requires a payload");
  if (failed(fileAccess.check(pair)))
    return ExitCode::Refuted;
  // Anything missing on this machine is reported before any work.
  FailureOr<std::optional<transforms::Toolkit>> toolkit =
      resolveToolkit(pipeline, getAssembledEmit(emit));
  if (failed(toolkit))
    return ExitCode::Usage;
  std::string linker;
  if (emit == Emit::Exe) {
    FailureOr<std::string> found =
        transforms::findLinker(pair.schedule->getLoc());
    if (failed(found))
      return ExitCode::Usage;
    linker = *found;
  }
  if (resourceUsage && getAssembledEmit(emit).empty())
    return failUsage("--resource-usage requires --emit=cubin, object or exe");
  bool isProgram = emit == Emit::Object || emit == Emit::Exe;
  if (isProgram && output.output == "-")
    return failUsage(getAssembledEmit(emit) + " requires -o");

  OwningOpRef<ModuleOp> original = pair.copyOriginal();
  if (isProgram &&
      !checkProgramOptions(programOptions, *original, programOptions.entry))
    return ExitCode::Usage;
  Guard guard(pipeline.guard);
  engine::Findings slow;
  if (ExitCode code =
          compileToDevice(pair, libraries, pipeline, *gpu, guard,
                          /*validate=*/false, /*page=*/nullptr, &slow);
      failed(code))
    return code;
  std::string description;
  if (!launchDescription.empty())
    llvm::raw_string_ostream(description) << llvm::formatv(
        "{0:2}\n", transforms::describeLaunches(
                       *pair.payload, getKernels(*pair.payload), gpu->name));
  ExitCode code = emitCode(pair, *original, *toolkit, linker, slow, os);
  if (failed(code) || launchDescription.empty())
    return code;
  return writeOutput(launchDescription, description, os);
}

ExitCode
CompileCommand::emitCode(transforms::ScheduleInput &pair, ModuleOp original,
                         const std::optional<transforms::Toolkit> &toolkit,
                         StringRef linker, const engine::Findings &slow,
                         llvm::raw_ostream &os) {
  bool isProgram = emit == Emit::Object || emit == Emit::Exe;
  if (emit == Emit::MLIR) {
    std::string text;
    llvm::raw_string_ostream(text) << *pair.payload << "\n";
    return writeOutput(output.output, text, os);
  }

  // Whoever takes the kernels alone has to do what the host code does beside.
  if (!isProgram)
    for (auto function : original.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        (void)transforms::checkHostCode(*pair.payload, function.getSymName(),
                                        DiagnosticSeverity::Warning);
  gpu::GPUModuleOp kernels = getKernels(*pair.payload);
  FailureOr<transforms::DeviceCode> code =
      transforms::generateDeviceCode(kernels, toolkit);
  if (failed(code))
    return ExitCode::Refuted;
  auto readUsage = [&](StringRef log) {
    return transforms::readResourceUsage(
        code->ptx, log, gpu->name,
        transforms::countDynamicBytes(*pair.payload));
  };
  if (emit == Emit::LLVM || emit == Emit::PTX) {
    warnOfSlowKernels(pair, readUsage({}), slow);
    return writeOutput(output.output,
                       emit == Emit::LLVM ? code->llvmIR : code->ptx, os);
  }

  FailureOr<std::optional<transforms::Cubin>> cubin = transforms::assemble(
      kernels.getLoc(), code->ptx, gpu->name, *toolkit->findProgram("ptxas"));
  if (failed(cubin))
    return ExitCode::Usage;
  if (!*cubin)
    return ExitCode::Refuted;
  std::vector<transforms::KernelUsage> usage = readUsage((*cubin)->log);
  warnOfSlowKernels(pair, usage, slow);
  if (resourceUsage)
    transforms::printResourceUsage(usage, llvm::errs());
  if (emit == Emit::Cubin)
    return writeOutput(output.output, (*cubin)->image, os);
  return emitProgram(original, *pair.payload, kernels, std::move(**cubin),
                     linker);
}

ExitCode CompileCommand::emitProgram(ModuleOp original, ModuleOp lowered,
                                     gpu::GPUModuleOp kernels,
                                     transforms::Cubin cubin,
                                     StringRef linker) {
  transforms::KernelImages images;
  images[kernels.getSymName()].bytes = std::move(cubin.image);
  FailureOr<transforms::Program> program =
      transforms::buildProgram(original, lowered, programOptions.entry, images);
  if (failed(program))
    return ExitCode::Refuted;
  transforms::EmitOptions options;
  options.target = gpu->name;
  options.seed = programOptions.seed;
  options.tolerance = programOptions.tolerance;
  LogicalResult emitted =
      emit == Emit::Object
          ? transforms::emitObject(*program, options, output.output)
          : transforms::emitExecutable(*program, options, linker,
                                       output.output);
  return failed(emitted) ? ExitCode::Usage : ExitCode::Success;
}

std::unique_ptr<Command> formwork::tools::createCompileCommand() {
  return std::make_unique<CompileCommand>();
}
