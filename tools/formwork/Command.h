//===- Command.h - A sub-command of the formwork tool -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The base of every sub-command: a name, a line of help, options, and a run.
// The options of a command exist only once the command is chosen, so that
// --help shows what applies and nothing else. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_COMMAND_H
#define FORMWORK_TOOLS_FORMWORK_COMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>

namespace formwork::tools {

/// The exit codes of the tool; DESIGN §6.
enum class ExitCode {
  Success = 0,  ///< nothing refuted
  Refuted = 1,  ///< the input is wrong: refused, or failed when run
  Unproved = 2, ///< --strict, and something could not be proved
  Usage = 3     ///< bad command line, unreadable file, missing program
};

/// Whether the command ends with another code than that of success.
inline bool failed(ExitCode code) { return code != ExitCode::Success; }

class Command {
public:
  virtual ~Command() = default;
  /// Runs with the parsed options.
  virtual ExitCode run() = 0;
};

/// The meaning of those exit codes of a command that not all commands share.
struct ExitCodes {
  llvm::StringLiteral success = "done";
  llvm::StringLiteral refused =
      "the input is refused, fails when it is run, or makes MLIR crash";
  /// Empty: the command does not end with this code.
  llvm::StringLiteral unproved = "";
};

/// One row of the command table. `create` registers the command's options.
struct CommandInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  llvm::StringLiteral overview;
  std::unique_ptr<Command> (*create)();
  ExitCodes exitCodes = {};
};

std::unique_ptr<Command> createCheckCommand();
std::unique_ptr<Command> createNormalizeCommand();
std::unique_ptr<Command> createApplyCommand();
std::unique_ptr<Command> createCompileCommand();
std::unique_ptr<Command> createRunCommand();
std::unique_ptr<Command> createReduceCommand();
std::unique_ptr<Command> createSolveCommand();
std::unique_ptr<Command> createFormsCommand();
std::unique_ptr<Command> createContractsCommand();
std::unique_ptr<Command> createExplainCommand();
std::unique_ptr<Command> createServeCommand();

/// All commands, in the order of --help.
llvm::ArrayRef<CommandInfo> getCommands();

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_COMMAND_H
