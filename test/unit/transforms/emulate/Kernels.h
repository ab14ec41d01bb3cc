//===- Kernels.h - Running kernels in tests ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads textual LLVM IR as a device module and launches its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_TRANSFORMS_EMULATE_KERNELS_H
#define FORMWORK_TEST_UNIT_TRANSFORMS_EMULATE_KERNELS_H

#include "transforms/emulate/DeviceModule.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

namespace formwork::transforms::emulate {

/// The bits of the number of `semantics` that is nearest to `value`.
inline uint32_t toBits(const llvm::fltSemantics &semantics, float value) {
  llvm::APFloat number(value);
  bool lost;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return number.bitcastToAPInt().getZExtValue();
}

inline llvm::Expected<std::unique_ptr<DeviceModule>>
tryLoad(const std::string &text) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, *context);
  if (!module)
    return llvm::createStringError(llvm::formatv("line {0}: {1}",
                                                 diagnostic.getLineNo(),
                                                 diagnostic.getMessage())
                                       .str());
  return DeviceModule::load(std::move(context), std::move(module));
}

/// Loads a module that must load.
inline std::unique_ptr<DeviceModule> load(const std::string &text) {
  auto module = tryLoad(text);
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
  return nullptr;
}

/// Launches kernel "k" with pointers as its arguments.
inline LaunchReport launch(const DeviceModule &module, Dim3 grid, Dim3 block,
                           std::vector<void *> pointers,
                           std::optional<uint64_t> seed = std::nullopt,
                           uint64_t dynamicBytes = 0) {
  std::vector<void *> arguments;
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);
  auto report =
      module.launch({"k", grid, block, dynamicBytes, {seed}}, arguments);
  if (report)
    return std::move(*report);
  ADD_FAILURE() << llvm::toString(report.takeError());
  return {};
}

/// The orders in which tests run the threads of a block: that of their index,
/// and some others.
inline std::vector<std::optional<uint64_t>> threadOrders() {
  return {std::nullopt, 1, 2, 3, 4, 5};
}

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TEST_UNIT_TRANSFORMS_EMULATE_KERNELS_H
