//===- Jit.cpp - Compiling for this machine, in this process ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Jit.h"

#include "engine/Diagnostics.h"
#include "runtime/HalfConversions.h"
#include "transforms/program/ToLLVM.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::transforms;

/// What the code calls with the text of an assertion that does not hold, before
/// it aborts. The C library's function would leave the text in a buffer.
static int printAssertion(const char *message) {
  llvm::errs() << "formwork: error: assertion of the payload fails: " << message
               << "\n";
  return 0;
}

Jit::Jit() = default;
Jit::Jit(Jit &&) = default;

Jit::~Jit() {
  if (!engine)
    return;
  // Nothing that a destructor of generated code does can be reported any more.
  llvm::consumeError(engine->deinitialize(engine->getMainJITDylib()));
}

FailureOr<Jit> Jit::create(ModuleOp module, StringRef function,
                           const SymbolProvider &symbols,
                           Instrument instrument) {
  // The session reports what went wrong beside returning that it did.
  std::vector<std::string> reported;
  auto fail = [&](llvm::Error error) {
    Finding finding(module.getLoc(), "fw-jit-failed",
                    "cannot compile for this machine: " +
                        llvm::toString(std::move(error)));
    for (const std::string &message : reported)
      finding.note(NoteKind::Evidence, module.getLoc(), message);
    return emitFinding(std::move(finding));
  };
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();

  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail(builder.takeError());
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated =
      translateToLLVM(module, *context, **machine, function);
  if (!translated)
    return failure();
  if (instrument)
    instrument(*translated);
  optimizeForHost(*translated, **machine);

  Jit jit;
  auto engine = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(*builder))
                    .create();
  if (!engine)
    return fail(engine.takeError());
  jit.engine = std::move(*engine);
  llvm::orc::ExecutionSession &session = jit.engine->getExecutionSession();
  session.setErrorReporter([&](llvm::Error error) {
    reported.push_back(llvm::toString(std::move(error)));
  });

  llvm::orc::JITDylib &library = jit.engine->getMainJITDylib();
  llvm::orc::MangleAndInterner mangle(session, jit.engine->getDataLayout());
  llvm::orc::SymbolMap conversions;
  for (const FwSymbol &symbol :
       ArrayRef(fwHalfConversions, fwHalfConversionCount))
    conversions[mangle(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported};
  conversions[mangle("puts")] = {
      llvm::orc::ExecutorAddr::fromPtr(printAssertion),
      llvm::JITSymbolFlags::Exported};
  llvm::orc::SymbolMap extra;
  if (symbols)
    extra = symbols(mangle);
  for (auto &[name, symbol] : conversions)
    extra.try_emplace(name, symbol);
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(extra))))
    return fail(std::move(error));

  if (llvm::Error error = jit.engine->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(translated), std::move(context))))
    return fail(std::move(error));
  if (llvm::Error error = jit.engine->initialize(library))
    return fail(std::move(error));
  auto address = jit.engine->lookup(function);
  if (!address)
    return fail(address.takeError());
  jit.function = address->toPtr<Function>();
  session.setErrorReporter(llvm::consumeError);
  return jit;
}
