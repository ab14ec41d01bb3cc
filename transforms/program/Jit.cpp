//===- Jit.cpp - Compiling for this machine, in this process ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Jit.h"

#include "engine/Check.h"
#include "runtime/HalfConversions.h"
#include "transforms/program/ToLLVM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"

#include <csetjmp>
#include <cstdlib>

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::transforms;

namespace {
/// A call of compiled code, which ends where an assertion does not hold.
struct ActiveCall {
  std::jmp_buf end;
  std::string text;
};
} // namespace

static thread_local ActiveCall *activeCall = nullptr;

/// The code calls this with the text of an assertion that does not hold, before
/// it aborts. The C library's function would print the text.
static int noteAssertion(const char *text) {
  if (activeCall)
    activeCall->text = text;
  return 0;
}

/// The code calls this to abort.
[[noreturn]] static void endCall() {
  if (activeCall && !activeCall->text.empty())
    std::longjmp(activeCall->end, 1);
  std::abort();
}

/// The string that `value` is the address of, as MLIR makes it for what is
/// printed; empty if it is none.
static StringRef getString(Value value) {
  while (auto gep = value.getDefiningOp<LLVM::GEPOp>())
    value = gep.getBase();
  auto address = value.getDefiningOp<LLVM::AddressOfOp>();
  if (!address)
    return "";
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      address, address.getGlobalNameAttr());
  auto bytes = dyn_cast_or_null<DenseElementsAttr>(
      global ? global.getValueOrNull() : Attribute());
  if (!bytes || bytes.isSplat())
    return "";
  ArrayRef<char> text = bytes.getRawData();
  return StringRef(text.data(), text.size()).rtrim('\0');
}

std::optional<Finding> Jit::call(void **arguments) const {
  ActiveCall call;
  ActiveCall *outer = activeCall;
  activeCall = &call;
  // Between here and the assertion, there is compiled code alone.
  if (setjmp(call.end) == 0)
    function(arguments);
  activeCall = outer;
  if (call.text.empty())
    return std::nullopt;
  StringRef text = call.text;
  auto place = assertions.find(text);
  FW_CHECK(place != assertions.end(), "an assertion that the module lacks");
  return Finding(place->second, "fw-assertion-failed",
                 text.substr(text.find(kAssertionFails)));
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
  module.walk([&](LLVM::CallOp print) {
    if (print.getCallee() == StringRef("puts"))
      jit.assertions.try_emplace(getString(print.getArgOperands().front()),
                                 print.getLoc());
  });
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
      llvm::orc::ExecutorAddr::fromPtr(noteAssertion),
      llvm::JITSymbolFlags::Exported};
  conversions[mangle("abort")] = {llvm::orc::ExecutorAddr::fromPtr(endCall),
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
