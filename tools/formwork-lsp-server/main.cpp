//===- main.cpp - The server of editors -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Handlers.h"

#include "transforms/Registration.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
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
  cl::OptionCategory category{"Options"};
  cl::list<std::string> forms{"forms",
                              cl::desc("File with further normal forms"),
                              cl::value_desc("filename"), cl::cat(category)};
  cl::list<std::string> contracts{
      "contracts",
      cl::desc("File with contracts of further transform operations"),
      cl::value_desc("filename"), cl::cat(category)};
  cl::list<std::string> libraries{
      "transform-library",
      cl::desc("File or folder with sequences that the schedules include"),
      cl::value_desc("path"), cl::cat(category)};
  cl::list<std::string> dialectPlugins{
      "load-dialect-plugin", cl::desc("Load dialects from a plugin"),
      cl::value_desc("filename"), cl::cat(category)};
  cl::list<std::string> passPlugins{
      "load-pass-plugin", cl::desc("Load passes from a plugin"),
      cl::value_desc("filename"), cl::cat(category)};
  cl::opt<std::string> target{"target",
                              cl::desc("GPU architecture whose limits hold"),
                              cl::value_desc("arch"), cl::cat(category)};
  cl::list<std::string> silenced{"Wno-", cl::Prefix,
                                 cl::desc("Do not show warnings of this id"),
                                 cl::value_desc("ID"), cl::cat(category)};
  cl::opt<bool> allowUnregisteredDialect{
      "allow-unregistered-dialect",
      cl::desc("Allow operations of dialects that are not registered"),
      cl::cat(category)};
  cl::opt<unsigned> debounce{
      "debounce",
      cl::desc("Milliseconds from the last change of a document to its check"),
      cl::value_desc("ms"), cl::init(60), cl::cat(category)};
  cl::opt<unsigned> timeout{
      "check-timeout", cl::desc("Milliseconds after which a check is ended"),
      cl::value_desc("ms"), cl::init(30000), cl::cat(category)};
  cl::opt<unsigned> watch{
      "watch",
      cl::desc(
          "Milliseconds between two looks at the files that a check reads; 0: "
          "the server looks when the editor says that one is saved"),
      cl::value_desc("ms"), cl::init(1000), cl::cat(category)};
  cl::opt<double> budget{
      "budget",
      cl::desc("About how many seconds the solver may work for one check; 0 "
               "for no limit"),
      cl::value_desc("seconds"), cl::init(2), cl::cat(category)};
  cl::opt<bool> litTest{
      "lit-test",
      cl::desc("Read messages that '// -----' separates, check each document "
               "before the next message is read, and print for people"),
      cl::cat(category)};

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
  cl::HideUnrelatedOptions(options.category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "formwork-lsp-server " FORMWORK_VERSION
          "\n  LLVM " LLVM_VERSION_STRING "\n";
  });
  cl::ParseCommandLineOptions(
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
