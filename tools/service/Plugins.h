//===- Plugins.h - Loads plugins built for this LLVM ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialects and passes from shared libraries, for the command line and for the
// editor. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_PLUGINS_H
#define FORMWORK_TOOLS_SERVICE_PLUGINS_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace formwork::tools {

/// Adds what the plugins have to `registry` and to the passes of the process.
/// To load one runs its code. The error names the plugin and why it cannot be
/// loaded, such as that it is built for another LLVM.
llvm::Error loadPlugins(llvm::ArrayRef<std::string> dialects,
                        llvm::ArrayRef<std::string> passes,
                        mlir::DialectRegistry &registry);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_PLUGINS_H
