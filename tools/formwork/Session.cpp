//===- Session.cpp - One run over one input ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Session.h"

#include "transforms/Registration.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using transforms::ScheduleInput;
using transforms::ScheduleSource;

ExitCode formwork::tools::failUsage(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "formwork") << message << "\n";
  return ExitCode::Usage;
}

/// Loads the plugins of --load-dialect-plugin and --load-pass-plugin.
static LogicalResult loadPlugins(const InputOptions &options,
                                 DialectRegistry &registry) {
  for (const std::string &path : options.dialectPlugins) {
    llvm::Expected<DialectPlugin> plugin = DialectPlugin::load(path);
    if (!plugin) {
      (void)failUsage(llvm::toString(plugin.takeError()));
      return failure();
    }
    plugin->registerDialectRegistryCallbacks(registry);
  }
  for (const std::string &path : options.passPlugins) {
    llvm::Expected<PassPlugin> plugin = PassPlugin::load(path);
    if (!plugin) {
      (void)failUsage(llvm::toString(plugin.takeError()));
      return failure();
    }
    plugin->registerPassRegistryCallbacks();
  }
  return success();
}

namespace {
/// What is the same for every piece of a split input.
struct Session {
  const InputOptions &options;
  const DialectRegistry &registry;
  /// The text of --transform, or null.
  const llvm::MemoryBuffer *transform;
  SessionProcess process;

  ExitCode runPiece(std::unique_ptr<llvm::MemoryBuffer> piece,
                    llvm::raw_ostream &os);

private:
  ExitCode load(MLIRContext &context, std::unique_ptr<llvm::MemoryBuffer> piece,
                llvm::raw_ostream &os);
};
} // namespace

/// A second view of the same text, for another source manager.
static std::unique_ptr<llvm::MemoryBuffer>
share(const llvm::MemoryBuffer &buffer) {
  return llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef(),
                                          /*RequiresNullTerminator=*/false);
}

ExitCode Session::load(MLIRContext &context,
                       std::unique_ptr<llvm::MemoryBuffer> piece,
                       llvm::raw_ostream &os) {
  FailureOr<Libraries> libraries = loadLibraries(&context, options);
  if (failed(libraries))
    return ExitCode::Usage;
  ScheduleSource source;
  if (transform)
    source.transformBuffer = llvm::MemoryBuffer::getMemBufferCopy(
        transform->getBuffer(), transform->getBufferIdentifier());
  source.libraries.assign(options.libraries.begin(), options.libraries.end());
  source.entryPoint = options.entryPoint;
  source.noPayload = options.noPayload;
  FailureOr<ScheduleInput> input = transforms::loadScheduleInput(
      &context, std::move(piece), std::move(source));
  if (failed(input))
    return ExitCode::Usage;
  return process(std::move(*input), *libraries, os);
}

ExitCode Session::runPiece(std::unique_ptr<llvm::MemoryBuffer> piece,
                           llvm::raw_ostream &os) {
  MLIRContext context(registry);
  context.allowUnregisteredDialects(options.allowUnregisteredDialect);
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(share(*piece), llvm::SMLoc());
  if (transform)
    sourceMgr.AddNewSourceBuffer(share(*transform), llvm::SMLoc());
  // The copy must live as long as the handlers, which quote its lines.
  auto text = llvm::MemoryBuffer::getMemBufferCopy(
      piece->getBuffer(), piece->getBufferIdentifier());
  if (!options.verifyDiagnostics) {
    SourceMgrDiagnosticHandler handler(sourceMgr, &context);
    return load(context, std::move(text), os);
  }
  SourceMgrDiagnosticVerifierHandler handler(sourceMgr, &context);
  (void)load(context, std::move(text), os);
  return succeeded(handler.verify()) ? ExitCode::Success : ExitCode::Refuted;
}

ExitCode formwork::tools::runSession(const InputOptions &options,
                                     SessionProcess process) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(options.file, &error);
  if (!input)
    return failUsage(error);
  std::unique_ptr<llvm::MemoryBuffer> transform;
  if (!options.transform.empty()) {
    transform = openInputFile(options.transform, &error);
    if (!transform)
      return failUsage(error);
  }
  DialectRegistry registry;
  registerFormwork(registry);
  if (failed(loadPlugins(options, registry)))
    return ExitCode::Usage;

  Session session{options, registry, transform.get(), process};
  if (!options.splitInputFile)
    return session.runPiece(std::move(input), llvm::outs());
  ExitCode worst = ExitCode::Success;
  (void)splitAndProcessBuffer(
      std::move(input),
      [&](std::unique_ptr<llvm::MemoryBuffer> piece, llvm::raw_ostream &os) {
        worst = std::max(worst, session.runPiece(std::move(piece), os));
        return success();
      },
      llvm::outs(), kDefaultSplitMarker, kDefaultSplitMarker);
  return worst;
}

ExitCode formwork::tools::writeOutput(llvm::StringRef path,
                                      llvm::StringRef content,
                                      llvm::raw_ostream &standardOutput,
                                      bool executable) {
  if (path == "-") {
    standardOutput << content;
    standardOutput.flush();
    return ExitCode::Success;
  }
  if (llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
        os << content;
        return llvm::Error::success();
      }))
    return failUsage("cannot write '" + path +
                     "': " + llvm::toString(std::move(error)));
  if (executable)
    if (llvm::ErrorOr<llvm::sys::fs::perms> perms =
            llvm::sys::fs::getPermissions(path))
      if (std::error_code error = llvm::sys::fs::setPermissions(
              path, *perms | llvm::sys::fs::all_exe))
        return failUsage("cannot make '" + path +
                         "' executable: " + error.message());
  return ExitCode::Success;
}
