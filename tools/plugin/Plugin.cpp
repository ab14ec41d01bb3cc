//===- Plugin.cpp - Formwork in stock mlir-opt ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two entry points of a plugin of MLIR: the `normalform` dialect with the
// transform operations, and the passes. Layer: tools.
//
//===----------------------------------------------------------------------===//

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/LibraryFiles.h"
#include "transforms/Registration.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace formwork;
namespace cl = llvm::cl;

/// The options that the host takes behind the one that loads the plugin.
static cl::OptionCategory category("Formwork options");
static cl::list<std::string>
    formFiles("formwork-forms",
              cl::desc("File with further normal forms of schedules"),
              cl::value_desc("filename"), cl::cat(category));
static cl::list<std::string>
    contractFiles("formwork-contracts",
                  cl::desc("File with contracts of further transform "
                           "operations"),
                  cl::value_desc("filename"), cl::cat(category));

/// The name of the library from which MLIR is to come.
static constexpr llvm::StringLiteral kLibrary = FORMWORK_MLIR_LIBRARY;

/// Ends the process when its MLIR is another one than the plugin was built
/// with: MLIR's symbols have no versions, so that those of the host take the
/// place of the library's, and nothing else would say so.
static void checkHost() {
  Dl_info info{};
  // Where this is found in the process, of the host's libraries first.
  auto *function = static_cast<InFlightDiagnostic (*)(Location)>(&emitError);
  llvm::StringRef file = "an unknown file";
  if (dladdr(reinterpret_cast<void *>(function), &info) && info.dli_fname)
    file = info.dli_fname;
  if (llvm::sys::path::filename(file) == kLibrary)
    return;
  llvm::errs() << "formwork: error: the plugin is built for LLVM "
               << LLVM_VERSION_STRING << " and requires a tool that uses "
               << kLibrary << " but has one that uses the MLIR of " << file
               << "\n";
  llvm::errs().flush();
  // With two versions in one process, nothing else is to run.
  std::_Exit(EXIT_FAILURE);
}

static void addFiles(MLIRContext *, normalforms::NormalFormDialect *dialect) {
  auto &files = dialect->addInterface<normalforms::LibraryFiles>();
  files.forms.assign(formFiles.begin(), formFiles.end());
  files.contracts.assign(contractFiles.begin(), contractFiles.end());
}

static void registerDialects(DialectRegistry *registry) {
  // There, the host is a tool of Formwork's, or was told to load it twice.
  if (registry->getDialectAllocator("normalform"))
    return;
  registerFormworkDialects(*registry);
  registry->addExtension(addFiles);
}

static void registerPasses() {
  if (!PassInfo::lookup("formwork-check"))
    registerFormworkOwnPasses();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  checkHost();
  return {MLIR_PLUGIN_API_VERSION, "formwork", FORMWORK_VERSION,
          registerDialects};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  checkHost();
  return {MLIR_PLUGIN_API_VERSION, "formwork", FORMWORK_VERSION,
          registerPasses};
}
