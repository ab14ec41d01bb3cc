//===- main.cpp - The formwork tool -----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Picks the sub-command and parses its options. Layer: tools.
//
//===----------------------------------------------------------------------===//

#include "engine/NearName.h"
#include "tools/formwork/Color.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Options.h"
#include "transforms/Registration.h"
#include "transforms/gpu/Toolkit.h"
#include "verifier/solver/SolverVersion.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;

llvm::ArrayRef<CommandInfo> formwork::tools::getCommands() {
  static const CommandInfo commands[] = {
      {"check",
       "check a schedule before it runs",
       "Checks the schedule on the payload or, without one, for any payload. "
       "With a "
       "payload, it also runs the steps on a copy, in a child process without "
       "access to files; --static runs nothing.",
       createCheckCommand,
       {"nothing is refuted", "the schedule or the payload is refuted",
        "--strict: something is unproved, and no run on the payload settles "
        "it, or a step has no effect"}},
      {"normalize", "insert the enabling steps that a schedule needs",
       "Prints the schedule with the enabling normalizations that its steps "
       "need.",
       createNormalizeCommand},
      {"apply", "run a schedule on a payload and print the result",
       "Applies the schedule to the payload and prints the result.",
       createApplyCommand},
      {"compile", "run a schedule and lower the result to GPU code",
       "Checks and normalizes the schedule, applies it, and lowers the result "
       "to the target.",
       createCompileCommand},
      {"run", "run a compiled schedule and compare with the payload",
       "Compiles, executes, and compares with the payload compiled without the "
       "schedule.",
       createRunCommand},
      {"reduce", "print the smallest input that still shows a finding",
       "Makes payload and schedule as small as they can be while they show the "
       "same finding, crash or difference, and prints them as one file.",
       createReduceCommand},
      {"solve",
       "find values for the knobs of a schedule",
       "Solves the constraints on the schedule's parameters, written and "
       "derived, and fills the values in.",
       createSolveCommand,
       {"done", "there are no values, or the schedule is refuted",
        "it is not decided whether there are values; with --strict also: a "
        "constraint or a requirement of a step is not known to the solver"}},
      {"forms", "print the normal forms, their order, and evidence for them",
       "Prints the library of normal forms; a file of --forms is written as "
       "--print shows, see docs/commands.md. --leq exits with 1 when A does "
       "not "
       "imply B, --evidence when a claim is refuted.",
       createFormsCommand},
      {"contracts", "print what transform operations require and do",
       "Prints the contracts of transform operations, rule groups and passes: "
       "all of them, or those named.",
       createContractsCommand},
      {"explain",
       "print what a diagnostic means, or what a transform operation does",
       "Prints the page of a diagnostic: what it means, an example that is "
       "refused, and the fix; or of a transform operation: its syntax and its "
       "description.",
       createExplainCommand},
      {"serve", "check schedules for another program, as long as it runs",
       "Reads requests on standard input, a JSON object a line, and answers "
       "each with one on standard output; see docs/commands.md. Nothing of a "
       "schedule is run.",
       createServeCommand},
  };
  return commands;
}

static void printVersion(llvm::raw_ostream &os) {
  os << "formwork " FORMWORK_VERSION "\n"
     << "  LLVM " LLVM_VERSION_STRING "\n"
     << "  Z3 " << verifier::getSolverVersion() << "\n";
  std::optional<transforms::Toolkit> toolkit = transforms::findToolkit();
  if (!toolkit)
    os << "  CUDA toolkit not found (PTX works, cubin does not)\n";
  else
    os << "  CUDA toolkit "
       << toolkit->queryVersion().value_or("of unknown version") << " ("
       << toolkit->root << ")\n";
}

static void printHelp(llvm::raw_ostream &os) {
  os << "OVERVIEW: checks, normalizes, compiles and runs MLIR "
        "Transform-dialect "
        "schedules\n\n"
        "USAGE: formwork COMMAND FILE [--transform=SCHEDULE] [options]\n\n"
        "COMMANDS:\n";
  for (const CommandInfo &command : getCommands())
    os << "  " << llvm::left_justify(command.name, 11) << command.summary
       << "\n";
  os << "\nOPTIONS:\n"
        "  --help     this text; 'formwork COMMAND --help' lists a command's "
        "options\n"
        "  --version  the versions of Formwork, LLVM, Z3 and the CUDA "
        "toolkit\n\n"
        "FILE holds a payload, with the schedule in --transform or in the file "
        "itself; '-' is\nstandard input.\n";
}

/// MLIR's own options that apply to every command, with their place in --help.
static void registerMLIROptions() {
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (name.starts_with("mlir-"))
      option->addCategory(getDebugCategory());
}

/// The exit codes of `command`, as a table that scripts/manual reads.
static std::string describeExitCodes(const CommandInfo &command) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "\nEXIT CODES:\n"
     << "  0  " << command.exitCodes.success << "\n"
     << "  1  " << command.exitCodes.refused << "\n";
  if (!command.exitCodes.unproved.empty())
    os << "  2  " << command.exitCodes.unproved << "\n";
  os << "  3  the command line is wrong, a file cannot be read or parsed, the "
        "output cannot be written, or a program that is needed is missing\n";
  return text;
}

static ExitCode usageError(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "formwork")
      << message << "; see 'formwork --help'\n";
  return ExitCode::Usage;
}

/// An option with one file or symbol that is given twice. LLVM takes the last
/// one, and the user would not learn that the others are ignored.
static std::optional<llvm::StringRef> findRepeatedOption() {
  for (llvm::StringRef name :
       {"transform", "transform-entry-point", "o", "target", "baseline"}) {
    auto known = cl::getRegisteredOptions().find(name);
    if (known != cl::getRegisteredOptions().end() &&
        known->second->getNumOccurrences() > 1)
      return name;
  }
  return std::nullopt;
}

/// An option that requires a value and is given an empty one, as
/// `--target=$ARCH` does where a script has not set the variable. Most options
/// would take that as if they were not given.
static std::optional<llvm::StringRef>
findEmptyOption(llvm::ArrayRef<const char *> arguments) {
  auto &known = cl::getRegisteredOptions();
  for (size_t i = 1; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (argument == "--")
      break;
    if (!argument.consume_front("-"))
      continue;
    argument.consume_front("-");
    auto [name, value] = argument.split('=');
    auto option = known.find(name);
    if (option == known.end() ||
        option->second->getValueExpectedFlag() != cl::ValueRequired)
      continue;
    bool isNext = !argument.contains('=');
    if (isNext && ++i < arguments.size())
      value = arguments[i];
    if (value.empty() && i < arguments.size())
      return name;
  }
  return std::nullopt;
}

/// Gives standard streams that are closed a descriptor on which reading or
/// writing fails. Otherwise, the next file that is opened would become one.
static void reserveStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Ends with the code of a result that was not written where the reader is
/// gone, or a disk is full. LLVM ends with a fatal error then, also where it is
/// standard error that cannot be written, which changes no result.
static void reportUnwritten() {
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    std::error_code error = llvm::outs().error();
    llvm::outs().clear_error();
    llvm::WithColor::error(llvm::errs(), "formwork")
        << "cannot write standard output: " << error.message() << "\n";
    _exit(static_cast<int>(ExitCode::Usage));
  }
  llvm::errs().clear_error();
}

static ExitCode runCommand(const CommandInfo &info, int argc, char **argv) {
  registerFormworkPasses();
  registerMLIROptions();
  cl::SetVersionPrinter(printVersion);
  ColorOption color;
  std::unique_ptr<Command> command = info.create();
  cl::HideUnrelatedOptions(
      {&getInputCategory(), &getCommandCategory(), &getDebugCategory()});
  std::string program = ("formwork " + info.name).str();
  llvm::SmallVector<const char *> arguments = {program.c_str()};
  arguments.append(argv + 2, argv + argc);
  std::string codes = describeExitCodes(info);
  cl::extrahelp help(codes);
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (!cl::ParseCommandLineOptions(arguments.size(), arguments.data(),
                                   info.overview, &errorStream)) {
    // The usual mistake is to name the schedule beside the payload.
    if (llvm::StringRef(errors).contains("Too many positional arguments"))
      return usageError("'" + info.name +
                        "' takes one FILE; a schedule in a file of its own is "
                        "given with --transform=FILE");
    llvm::errs() << errors;
    return ExitCode::Usage;
  }
  if (std::optional<llvm::StringRef> empty = findEmptyOption(arguments))
    return usageError((empty->size() == 1 ? "-" : "--") + *empty +
                      " requires a value but has an empty one");
  if (std::optional<llvm::StringRef> repeated = findRepeatedOption())
    return usageError("--" + *repeated + " is given more than once");
  color.apply();
  return command->run();
}

/// The command that `name` may mean, as a question; empty when none is near.
static std::string suggestCommand(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const CommandInfo &command : getCommands())
    names.push_back(command.name);
  std::optional<size_t> near = engine::findNearName(name, names);
  return near ? ("; did you mean '" + names[*near] + "'?").str() : "";
}

int main(int argc, char **argv) {
  reserveStandardStreams();
  // The streams must live longer than the handler.
  (void)llvm::outs();
  (void)llvm::errs();
  std::atexit(reportUnwritten);
  llvm::InitLLVM initLLVM(argc, argv);
  if (argc < 2) {
    printHelp(llvm::errs());
    return static_cast<int>(ExitCode::Usage);
  }
  // 'help COMMAND' is 'COMMAND --help'.
  char help[] = "--help";
  if (argc == 3 && argv[1] == llvm::StringRef("help")) {
    argv[1] = argv[2];
    argv[2] = help;
  }
  llvm::StringRef name = argv[1];
  if (name == "--help" || name == "-h" || name == "-help" || name == "help") {
    printHelp(llvm::outs());
    return 0;
  }
  if (name == "--version") {
    printVersion(llvm::outs());
    return 0;
  }
  const CommandInfo *info =
      llvm::find_if(getCommands(), [&](const CommandInfo &command) {
        return command.name == name;
      });
  if (info == getCommands().end())
    return static_cast<int>(usageError(
        name.starts_with("-")
            ? ("expected a command before '" + name + "'").str()
            : ("unknown command '" + name + "'").str() + suggestCommand(name)));
  return static_cast<int>(runCommand(*info, argc, argv));
}
