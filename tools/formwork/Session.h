//===- Session.h - One run over one input -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ground that a command stands on: the context with everything registered,
// the inputs read, diagnostics printed or verified, and output written only at
// the end. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_SESSION_H
#define FORMWORK_TOOLS_FORMWORK_SESSION_H

#include "tools/formwork/Command.h"
#include "tools/formwork/Libraries.h"
#include "tools/formwork/Options.h"
#include "transforms/schedule/ScheduleInput.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::tools {

class WarningFilter;

/// Prints "formwork: error: MESSAGE" and returns ExitCode::Usage.
ExitCode failUsage(const llvm::Twine &message);

/// Checks the options that --in-place excludes and requires.
ExitCode checkInPlace(const InputOptions &input, const OutputOptions &output,
                      bool diff);

/// The work of a command on the parsed pair; the text that it writes to the
/// stream goes to standard output.
using SessionProcess = llvm::function_ref<ExitCode(
    transforms::ScheduleInput, const Libraries &, llvm::raw_ostream &)>;

/// The report of a command with --format: a document on standard output instead
/// of diagnostics on standard error.
struct SessionReport {
  ReportFormat format = ReportFormat::Text;
  /// Where the document goes.
  std::string path = "-";
  /// The summary that `process` gives of its input; taken when it returns.
  llvm::json::Object summary;
  /// Decides on warnings; there while `process` runs.
  WarningFilter *warnings = nullptr;
  /// Whether the emitted diagnostics were judged before.
  bool isJudged = false;
};

/// Reads FILE and --transform, and calls `process` with the parsed pair: once,
/// or once for each piece with --split-input-file. Diagnostics go to standard
/// error, or are compared with the expected ones. Returns the worst code.
///
/// `outputPath` is where the command writes: it is looked at before any work is
/// done, and a file cannot take the output of several pieces. With `report`,
/// the diagnostics of all pieces, those of the parser among them, become one
/// document in its format; without, that of --diagnostics-format on standard
/// error.
ExitCode runSession(const InputOptions &options, SessionProcess process,
                    llvm::StringRef outputPath = "-",
                    SessionReport *report = nullptr);

/// The difference of two versions of the text of `schedule`, as patch(1) reads
/// it; of a piece of a split input, at its place in the file.
std::string printScheduleDiff(const transforms::ScheduleInput &schedule,
                              llvm::StringRef before, llvm::StringRef after);

/// `text`, which is a version of that of `schedule`, as it is written: without
/// the rest of the line of the marker that a piece of a split input begins
/// with, as markers are written with their line ends.
llvm::StringRef getWrittenText(const transforms::ScheduleInput &schedule,
                               llvm::StringRef text);

/// Writes `content` to `path` as engine::writeFile does; "-" is
/// `standardOutput`.
ExitCode writeOutput(llvm::StringRef path, llvm::StringRef content,
                     llvm::raw_ostream &standardOutput);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_SESSION_H
