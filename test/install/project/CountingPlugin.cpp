//===- CountingPlugin.cpp - The additions as a plugin -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The additions of Counting.cpp for --load-dialect-plugin of Formwork's tools.
//
//===----------------------------------------------------------------------===//

#include "Counting.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "counting", "1",
          [](mlir::DialectRegistry *registry) { registerCounting(*registry); }};
}
