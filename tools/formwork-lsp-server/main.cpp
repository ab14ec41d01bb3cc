//===- main.cpp - The server of editors -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/Option.h"
#include "tools/formwork-lsp-server/Handlers.h"

#include "transforms/Registration.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <csignal>

using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;
namespace lsp = llvm::lsp;

namespace {
/// Options for all documents; a document's configuration adds to them.
struct Options {
  ToolOptionList<std::string> forms{"forms", "File with further normal forms",
                                    cl::value_desc("filename")};
  ToolOptionList<std::string> contracts{
      "contracts", "File with contracts of further transform operations",
      cl::value_desc("filename")};
  ToolOptionList<std::string> libraries{
      "transform-library",
      "File or folder with sequences that the schedules include",
      cl::value_desc("path")};
  ToolOptionList<std::string> dialectPlugins{"load-dialect-plugin",
                                             "Load dialects from a plugin",
                                             cl::value_desc("filename")};
  ToolOptionList<std::string> passPlugins{"load-pass-plugin",
                                          "Load passes from a plugin",
                                          cl::value_desc("filename")};
  ToolOption<std::string> target{"target", "GPU architecture whose limits hold",
                                 cl::value_desc("arch")};
  ToolOptionList<std::string> silenced{"Wno-",
                                       "Do not show warnings of this id",
                                       cl::Prefix, cl::value_desc("ID")};
  ToolOption<bool> allowUnregisteredDialect{
      "allow-unregistered-dialect",
      "Allow operations of dialects that are not registered"};
  ToolOption<unsigned> debounce{
      "debounce",
      "Milliseconds from the last change of a document to its check",
      cl::value_desc("ms"), cl::init(60)};
  ToolOption<unsigned> timeout{"check-timeout",
                               "Milliseconds after which a check is ended",
                               cl::value_desc("ms"), cl::init(30000)};
  ToolOption<unsigned> watch{
      "watch",
      "Milliseconds between two looks at the files that a check reads; 0: "
      "the server looks when the editor says that one is saved",
      cl::value_desc("ms"), cl::init(1000)};
  ToolOption<double> budget{
      "budget",
      "About how many seconds the solver may work for one check; 0 "
      "for no limit",
      cl::value_desc("seconds"), cl::init(2)};
  ToolOption<bool> litTest{
      "lit-test",
      "Read messages that '// -----' separates, check each document "
      "before the next message is read, and print for people"};

  CheckSettings get() const;
};
} // namespace

/// Paths of the command line are those of its folder.
static std::vector<std::string>
makeAbsolute(const cl::list<std::string> &paths) {
  std::vector<std::string> result;
  for (const std::string &path : paths) {
    llvm::SmallString<256> whole = llvm::StringRef(path);
    (void)llvm::sys::fs::make_absolute(whole);
    result.push_back(std::string(whole));
  }
  return result;
}

CheckSettings Options::get() const {
  CheckSettings settings;
  settings.forms = makeAbsolute(forms);
  settings.contracts = makeAbsolute(contracts);
  settings.libraries = makeAbsolute(libraries);
  settings.dialectPlugins = makeAbsolute(dialectPlugins);
  settings.passPlugins = makeAbsolute(passPlugins);
  settings.target = target;
  settings.silenced.assign(silenced.begin(), silenced.end());
  settings.allowUnregisteredDialects = allowUnregisteredDialect;
  settings.budget = budget;
  return settings;
}

int main(int argc, char **argv) {
  // A client that is gone is seen at the next read.
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "formwork-lsp-server " FORMWORK_VERSION
          "\n  LLVM " LLVM_VERSION_STRING "\n";
  });
  parseToolOptions(
      argc, argv,
      "Checks schedules while they are written in an editor, which starts this "
      "and speaks the Language Server Protocol with it over standard input and "
      "output. Nothing of a schedule is run.\n");
  if (options.litTest)
    lsp::URIForFile::registerSupportedScheme("test");
  llvm::sys::ChangeStdinToBinary();
  lsp::JSONTransport transport(stdin, llvm::outs(),
                               options.litTest ? lsp::JSONStreamStyle::Delimited
                                               : lsp::JSONStreamStyle::Standard,
                               /*PrettyOutput=*/options.litTest);
  mlir::DialectRegistry registry;
  registerFormwork(registry);
  registerFormworkPasses();
  ServerOptions server;
  server.settings = options.get();
  server.debounce =
      std::chrono::milliseconds(options.litTest ? 0 : options.debounce);
  server.timeout = std::chrono::milliseconds(options.timeout);
  server.watch = std::chrono::milliseconds(options.litTest ? 0 : options.watch);
  return serve(transport, std::move(server), registry, options.litTest);
}
