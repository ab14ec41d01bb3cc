//===- Plugin.cpp - The options that load plugins ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Options.h"
#include "tools/formwork/Session.h"
#include "tools/service/Plugins.h"

using namespace formwork::tools;

llvm::LogicalResult PluginOptions::load(mlir::DialectRegistry &registry) const {
  if (llvm::Error error = loadPlugins(llvm::to_vector(dialects),
                                      llvm::to_vector(passes), registry)) {
    (void)failUsage(llvm::toString(std::move(error)));
    return llvm::failure();
  }
  return llvm::success();
}
