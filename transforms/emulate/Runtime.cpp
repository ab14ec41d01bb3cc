//===- Runtime.cpp - What prepared code calls -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Runtime.h"

#include "engine/Check.h"
#include "transforms/emulate/Launch.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace formwork::transforms::emulate {

static ThreadContext &getThread(ThreadRegisters *registers) {
  return *static_cast<ThreadContext *>(registers);
}

namespace {
/// Calls `method` for the thread whose registers are given.
template <auto method> struct Call;
template <typename Result, typename... Args,
          Result (Launch::*method)(ThreadContext &, Args...)>
struct Call<method> {
  static Result ofLaunch(ThreadRegisters *registers, Args... args) {
    ThreadContext &thread = getThread(registers);
    return (thread.launch->*method)(thread, args...);
  }
};
} // namespace

template <auto method> static void *ofLaunch() {
  return reinterpret_cast<void *>(&Call<method>::ofLaunch);
}

static std::byte *accessElements(ThreadRegisters *registers, std::byte *address,
                                 uint64_t bytes, uint64_t mask,
                                 uint32_t place) {
  ThreadContext &thread = getThread(registers);
  std::byte *result = address;
  for (uint64_t i = 0; mask >> i != 0 && i != 64; ++i) {
    if ((mask >> i & 1) == 0)
      continue;
    std::byte *element = address + i * bytes;
    std::byte *used = thread.launch->access(thread, element, bytes, place);
    if (used != element)
      result = used;
  }
  return result;
}

static void startCopy(ThreadRegisters *registers, std::byte *target,
                      std::byte *source, uint32_t bytes, uint32_t sourceBytes,
                      uint32_t place, uint32_t sourcePlace) {
  ThreadContext &thread = getThread(registers);
  AsyncCopy copy{target, source,      bytes, std::min(bytes, sourceBytes),
                 place,  sourcePlace, 0};
  thread.launch->startCopy(thread, copy);
}

static void traceBlock(ThreadRegisters *registers, uint32_t block) {
  getThread(registers).trace.blocks.push_back(block);
}

static void traceAccess(ThreadRegisters *registers, const void *address) {
  getThread(registers).trace.addresses.push_back(
      reinterpret_cast<uintptr_t>(address));
}

llvm::ArrayRef<RuntimeFunction> getRuntimeFunctions() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  static const RuntimeFunction functions[] = {
      {runtime::access, "pppli", ofLaunch<&Launch::access>(), false},
      {runtime::accessMasked, "ppplli", address(accessElements), false},
      {runtime::align, "vppi", ofLaunch<&Launch::checkAlignment>(), false},
      {runtime::barrier, "ipiiii", ofLaunch<&Launch::waitAtBarrier>(), true},
      {runtime::warp, "lpiiiiii", ofLaunch<&Launch::waitInWarp>(), true},
      {runtime::matrix, "vpipi", ofLaunch<&Launch::waitForMatrix>(), true},
      {runtime::matrixLoad, "vppipi", ofLaunch<&Launch::loadMatrix>(), true},
      {runtime::matrixStore, "vppipi", ofLaunch<&Launch::storeMatrix>(), true},
      {runtime::copy, "vpppiiii", address(startCopy), false},
      {runtime::commit, "vp", ofLaunch<&Launch::commitCopies>(), false},
      {runtime::wait, "vpi", ofLaunch<&Launch::finishCopies>(), false},
      {runtime::waitAll, "vp", ofLaunch<&Launch::finishAllCopies>(), false},
      {runtime::traceBlock, "vpi", address(traceBlock), false},
      {runtime::traceAccess, "vpp", address(traceAccess), false},
      {runtime::failAssertion, "vpi", ofLaunch<&Launch::failAssertion>(),
       false},
      {runtime::exit, "vpi", ofLaunch<&Launch::exit>(), false},
  };
  return functions;
}

const RuntimeFunction *findRuntimeFunction(llvm::StringRef name) {
  for (const RuntimeFunction &function : getRuntimeFunctions())
    if (function.name == name)
      return &function;
  return nullptr;
}

llvm::FunctionCallee declareRuntimeFunction(llvm::Module &module,
                                            llvm::StringRef name) {
  const RuntimeFunction *function = findRuntimeFunction(name);
  FW_CHECK(function, "the runtime has this function");
  llvm::LLVMContext &context = module.getContext();
  auto getType = [&](char letter) -> llvm::Type * {
    switch (letter) {
    case 'p':
      return llvm::PointerType::get(context, 0);
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'l':
      return llvm::Type::getInt64Ty(context);
    default:
      return llvm::Type::getVoidTy(context);
    }
  };
  llvm::SmallVector<llvm::Type *> arguments;
  for (char letter : function->signature.drop_front())
    arguments.push_back(getType(letter));
  return module.getOrInsertFunction(
      name, llvm::FunctionType::get(getType(function->signature.front()),
                                    arguments, /*isVarArg=*/false));
}

} // namespace formwork::transforms::emulate
