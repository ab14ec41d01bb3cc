//===- DeviceModule.cpp - A gpu.module that runs on the CPU ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/DeviceModule.h"

#include "runtime/HalfConversions.h"
#include "transforms/emulate/DeviceMath.h"
#include "transforms/emulate/DeviceSupport.h"
#include "transforms/emulate/HostModule.h"
#include "transforms/emulate/Launch.h"
#include "transforms/emulate/ProfileInstrumentation.h"
#include "transforms/emulate/Runtime.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

namespace formwork::transforms::emulate {

struct DeviceModule::Implementation {
  ModuleInfo info;
  llvm::StringMap<Launch::Entry> entries;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

DeviceModule::DeviceModule(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

DeviceModule::~DeviceModule() = default;

static void optimize(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&target);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

/// Makes the runtime, the device's math library and the host's C library known
/// to compiled device code.
static llvm::Error defineSymbols(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto define = [&](llvm::StringRef name, void *address) {
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported};
  };
  for (const RuntimeFunction &function : getRuntimeFunctions())
    define(function.name, function.address);
  for (const HostFunction &function : getDeviceMathFunctions())
    define(function.name, function.address);
  for (const FwSymbol &function :
       llvm::ArrayRef(fwHalfConversions, fwHalfConversionCount))
    define(function.name, reinterpret_cast<void *>(function.address));
  llvm::orc::JITDylib &library = jit.getMainJITDylib();
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<DeviceModule>>
DeviceModule::load(std::unique_ptr<llvm::LLVMContext> context,
                   std::unique_ptr<llvm::Module> module, bool profile) {
  if (llvm::Error error = checkSupported(*module))
    return error;
  if (profile) {
    if (llvm::Error error = optimizeForDevice(*module))
      return error;
    // The optimizer may have found something else to use.
    if (llvm::Error error = checkSupported(*module))
      return error;
  }

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  auto target = host->createTargetMachine();
  if (!target)
    return target.takeError();

  auto implementation = std::make_unique<Implementation>();
  ModuleInfo &info = implementation->info;
  if (profile)
    info.profile.emplace();
  auto hostModule = createHostModule(*module, **target, info);
  if (!hostModule)
    return hostModule.takeError();
  module.reset();
  optimize(**hostModule, **target);

  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*host))
                 .create();
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = defineSymbols(**jit))
    return error;
  if (llvm::Error error = (*jit)->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(*hostModule), std::move(context))))
    return error;
  for (const auto &kernel : info.kernels) {
    auto entry = (*jit)->lookup(getEntryName(kernel.getKey()));
    if (!entry)
      return entry.takeError();
    implementation->entries[kernel.getKey()] = entry->toPtr<Launch::Entry>();
  }
  implementation->jit = std::move(*jit);
  return std::unique_ptr<DeviceModule>(
      new DeviceModule(std::move(implementation)));
}

bool DeviceModule::hasKernel(llvm::StringRef name) const {
  return implementation->entries.count(name) != 0;
}

/// Checks the limits of every CUDA device since compute capability 3.0.
static llvm::Error checkConfig(const LaunchConfig &config,
                               const KernelInfo &kernel, size_t numArguments) {
  auto fail = [&](const llvm::Twine &message) {
    return llvm::createStringError("launch of '" + config.kernel + "' " +
                                   message);
  };
  const Dim3 &grid = config.grid, &block = config.block;
  if (numArguments != kernel.numArguments)
    return fail("requires " + llvm::Twine(kernel.numArguments) +
                " arguments but has " + llvm::Twine(numArguments));
  if (grid.count() == 0 || block.count() == 0)
    return fail("requires a grid and a block of at least one thread");
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || block.count() > 1024)
    return fail("requires a block of at most 1024 threads and 1024 x 1024 x 64 "
                "but has " +
                llvm::formatv("{0} x {1} x {2}", block.x, block.y, block.z));
  if (kernel.maxThreads != 0 && block.count() > kernel.maxThreads)
    return fail("requires a block of at most " +
                llvm::Twine(kernel.maxThreads) +
                " threads, which it was compiled for, but has " +
                llvm::Twine(block.count()));
  if (grid.x > 0x7FFFFFFF || grid.y > 65535 || grid.z > 65535)
    return fail(
        "requires a grid of at most 2147483647 x 65535 x 65535 but has " +
        llvm::formatv("{0} x {1} x {2}", grid.x, grid.y, grid.z));
  return llvm::Error::success();
}

llvm::Expected<LaunchReport>
DeviceModule::launch(const LaunchConfig &config,
                     llvm::ArrayRef<void *> arguments) const {
  auto entry = implementation->entries.find(config.kernel);
  if (entry == implementation->entries.end())
    return llvm::createStringError("the module has no kernel '" +
                                   config.kernel + "'");
  const ModuleInfo &info = implementation->info;
  const KernelInfo &kernel = info.kernels.find(config.kernel)->second;
  if (llvm::Error error = checkConfig(config, kernel, arguments.size()))
    return error;
  Launch launch(info, config, entry->second, arguments.data());
  if (llvm::Error error = launch.run())
    return error;
  return launch.takeReport();
}

} // namespace formwork::transforms::emulate
