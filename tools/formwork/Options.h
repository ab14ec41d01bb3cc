//===- Options.h - Options that commands share ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of more than one command, each group once. An object of one of
// these types registers its options; construct it only in a command that was
// chosen. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_OPTIONS_H
#define FORMWORK_TOOLS_FORMWORK_OPTIONS_H

#include "normalforms/Libraries.h"
#include "tools/formwork/Command.h"
#include "tools/report/Report.h"
#include "transforms/schedule/RankParameters.h"
#include "verifier/plan/Steps.h"
#include "verifier/solving/ParameterCheck.h"
#include "verifier/target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Support/CommandLine.h"

#include <string>

namespace formwork::tools {

/// The categories that --help shows.
llvm::cl::OptionCategory &getInputCategory();
llvm::cl::OptionCategory &getCommandCategory();
llvm::cl::OptionCategory &getDebugCategory();

/// --forms.
struct FormsOption {
  llvm::cl::list<std::string> files{
      "forms", llvm::cl::desc("File with further normal forms"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getInputCategory())};
};

/// --contracts.
struct ContractsOption {
  llvm::cl::list<std::string> files{
      "contracts",
      llvm::cl::desc("File with contracts of further transform operations"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getInputCategory())};
};

/// Options that say where a report belongs.
struct ReportOptions {
  llvm::cl::opt<std::string> category{
      "report-category",
      llvm::cl::desc("Category of a SARIF report, instead of one made from the "
                     "names of its files"),
      llvm::cl::value_desc("name"), llvm::cl::cat(getDebugCategory())};
  llvm::cl::opt<std::string> pages{
      "report-pages-uri",
      llvm::cl::desc("Where the folder docs/diagnostics is published, for the "
                     "links of a SARIF report, instead of the installed one"),
      llvm::cl::value_desc("URI"), llvm::cl::cat(getDebugCategory())};
  llvm::cl::opt<std::string> root{
      "report-root",
      llvm::cl::desc("Folder to which the paths of a SARIF report are "
                     "relative, instead of the repository's"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(getDebugCategory())};

  ReportSettings get() const { return {category, pages, root}; }
};

/// --load-dialect-plugin and --load-pass-plugin.
struct PluginOptions {
  llvm::cl::list<std::string> dialects{
      "load-dialect-plugin", llvm::cl::desc("Load dialects from a plugin"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getInputCategory())};
  llvm::cl::list<std::string> passes{
      "load-pass-plugin", llvm::cl::desc("Load passes from a plugin"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getInputCategory())};

  /// Adds what they have to `registry` and to the passes. Fails, with an error
  /// printed, where one cannot be loaded.
  llvm::LogicalResult load(mlir::DialectRegistry &registry) const;
};

/// -Wno-ID, --error, --baseline, --write-baseline.
struct WarningOptions {
  llvm::cl::list<std::string> silenced{
      "Wno-", llvm::cl::Prefix,
      llvm::cl::desc(
          "Do not print warnings of this id, as -Wno-fw-empty-match"),
      llvm::cl::value_desc("ID"), llvm::cl::cat(getDebugCategory())};
  llvm::cl::list<std::string> errors{
      "error", llvm::cl::CommaSeparated,
      llvm::cl::desc("Warnings of these ids are errors"),
      llvm::cl::value_desc("ID,..."), llvm::cl::cat(getDebugCategory())};
  llvm::cl::opt<std::string> baseline{
      "baseline",
      llvm::cl::desc("Do not print the warnings that are in this file"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getDebugCategory())};
  llvm::cl::opt<std::string> writeBaseline{
      "write-baseline",
      llvm::cl::desc("Write the warnings to a file for --baseline"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getDebugCategory())};
};

/// FILE, the schedule, and how both are read.
struct InputOptions {
  /// The command writes the text of the schedule, which then has no locations.
  bool writesSchedule = false;
  llvm::cl::opt<std::string> file{llvm::cl::Positional, llvm::cl::desc("FILE"),
                                  llvm::cl::init("-"),
                                  llvm::cl::cat(getInputCategory())};
  llvm::cl::opt<std::string> transform{
      "transform",
      llvm::cl::desc("File with the schedule, if it is not in FILE"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getInputCategory())};
  llvm::cl::list<std::string> strategies{
      "strategies", llvm::cl::CommaSeparated,
      llvm::cl::desc("Make the schedule from these strategies, the first that "
                     "fits: gpu (the shipped ones), or a file"),
      llvm::cl::value_desc("gpu|filename,..."),
      llvm::cl::cat(getInputCategory())};
  llvm::cl::opt<std::string> writeSchedule{
      "write-schedule",
      llvm::cl::desc("Write the schedule that strategies make, and the payload "
                     "that it is for, into one file"),
      llvm::cl::value_desc("filename"), llvm::cl::cat(getInputCategory())};
  llvm::cl::list<std::string> libraries{
      "transform-library",
      llvm::cl::desc(
          "File or folder with sequences that the schedule includes"),
      llvm::cl::value_desc("path"), llvm::cl::cat(getInputCategory())};
  llvm::cl::opt<std::string> entryPoint{
      "transform-entry-point", llvm::cl::desc("Sequence that is the schedule"),
      llvm::cl::value_desc("symbol"), llvm::cl::init("__transform_main"),
      llvm::cl::cat(getInputCategory())};
  FormsOption forms;
  ContractsOption contracts;
  llvm::cl::opt<bool> noPayload{
      "no-payload", llvm::cl::desc("FILE is a schedule without a payload"),
      llvm::cl::cat(getInputCategory())};
  llvm::cl::opt<bool> allowUnregisteredDialect{
      "allow-unregistered-dialect",
      llvm::cl::desc("Allow operations of dialects that are not registered"),
      llvm::cl::cat(getInputCategory())};
  PluginOptions plugins;
  ReportOptions report;
  llvm::cl::opt<bool> splitInputFile{
      "split-input-file",
      llvm::cl::desc("Split FILE at '// -----' and process each piece alone"),
      llvm::cl::cat(getDebugCategory())};
  llvm::cl::opt<bool> printAfterAll{
      "mlir-print-ir-after-all",
      llvm::cl::desc("Print the IR after each pass that runs"),
      llvm::cl::cat(getDebugCategory())};
  llvm::cl::opt<ReportFormat> diagnosticsFormat{
      "diagnostics-format",
      llvm::cl::desc("How diagnostics are printed on standard error"),
      llvm::cl::init(ReportFormat::Text),
      llvm::cl::values(
          clEnumValN(ReportFormat::Text, "text", "for people (the default)"),
          clEnumValN(ReportFormat::Json, "json", "one JSON document"),
          clEnumValN(ReportFormat::Sarif, "sarif", "SARIF 2.1.0")),
      llvm::cl::cat(getDebugCategory())};
  llvm::cl::opt<bool> verifyDiagnostics{
      "verify-diagnostics",
      llvm::cl::desc("Compare diagnostics with the expected-* comments"),
      llvm::cl::cat(getDebugCategory())};
  WarningOptions warnings;
};

/// -o.
struct OutputOptions {
  llvm::cl::opt<std::string> output{
      "o", llvm::cl::desc("Output file, '-' for standard output"),
      llvm::cl::value_desc("filename"), llvm::cl::init("-"),
      llvm::cl::cat(getCommandCategory())};
};

/// --trace. A command that writes pages adds `html` to the values.
enum class Trace { None, Text, Full, Html };
struct TraceOption {
  llvm::cl::opt<Trace> kind{
      "trace",
      llvm::cl::desc("Print the state of the handles after every step"),
      llvm::cl::init(Trace::None),
      llvm::cl::ValueOptional,
      llvm::cl::values(
          clEnumValN(Trace::Text, "text", "those that the step changes"),
          clEnumValN(Trace::Text, "", ""),
          clEnumValN(Trace::Full, "full", "all that a next step can name")),
      llvm::cl::cat(getCommandCategory())};
};

/// --target with the names of Targets.def; `extra` names are allowed too.
struct TargetOption {
  llvm::cl::opt<std::string> name{
      "target",
      llvm::cl::desc(
          "GPU architecture: sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, sm_89, "
          "sm_90, sm_90a, sm_100, sm_100a, sm_103, sm_120, sm_121"),
      llvm::cl::value_desc("arch"), llvm::cl::cat(getCommandCategory())};
};

/// --allow.
struct AllowOption {
  llvm::cl::list<std::string> steps{
      "allow", llvm::cl::CommaSeparated,
      llvm::cl::desc("Also insert these steps where they are needed, which "
                     "otherwise the author decides on: bufferize, promote"),
      llvm::cl::value_desc("step,..."), llvm::cl::cat(getCommandCategory())};

  /// The kinds of the steps that are named. Fails, with an error printed, where
  /// there is no such step.
  llvm::FailureOr<llvm::SmallVector<const verifier::StepKind *, 3>>
  resolve() const;
};

/// How much work a command does without an option, in seconds: `check` is asked
/// for again and again, the others once.
inline constexpr double kCheckBudget = 8, kUsualBudget = 60;

/// The limits of the solver, and where its questions go.
struct SolverLimitOptions {
  explicit SolverLimitOptions(double seconds = kUsualBudget)
      : budget{
            "budget",
            llvm::cl::desc(
                "Most seconds that all decisions and trials may take together, "
                "counted as work done and by the clock; 0 for no limit"),
            llvm::cl::value_desc("seconds"), llvm::cl::init(seconds),
            llvm::cl::cat(getCommandCategory())} {}

  llvm::cl::opt<double> budget;
  llvm::cl::opt<unsigned> rlimit{
      "solver-rlimit",
      llvm::cl::desc("Deterministic limit of each solver query, 0 for none"),
      llvm::cl::init(verifier::solver::SolverOptions().rlimit),
      llvm::cl::cat(getCommandCategory())};
  llvm::cl::opt<unsigned> timeout{
      "solver-timeout",
      llvm::cl::desc(
          "Time limit of each solver query in milliseconds, 0 for none"),
      llvm::cl::init(verifier::solver::SolverOptions().timeoutMs),
      llvm::cl::cat(getCommandCategory())};
  llvm::cl::opt<std::string> dumpQueries{
      "dump-queries",
      llvm::cl::desc(
          "Folder into which each query to the solver is written, as SMT-LIB"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(getCommandCategory())};

  llvm::cl::opt<bool> printStats{
      "solver-stats",
      llvm::cl::desc("Print the number and cost of the solver's queries on "
                     "standard error"),
      llvm::cl::cat(getCommandCategory())};

  /// Prints what was asked with `options`, if that was asked for.
  void print(const verifier::solver::SolverOptions &options) const;
  /// Makes the folder; fails, with an error printed, when that cannot be done,
  /// or when the budget is no number of seconds. The clock of the budget
  /// starts.
  llvm::FailureOr<verifier::solver::SolverOptions> resolve() const;
  /// Starts a budget for the next schedule of the command.
  void startBudget(verifier::solver::SolverOptions &options) const;
};

/// Options about the parameters of a schedule that is to be run.
struct ParameterOptions {
  llvm::cl::opt<bool> noSolve{
      "no-solve",
      llvm::cl::desc("Refuse a schedule with open knobs instead of solving "
                     "for them"),
      llvm::cl::cat(getCommandCategory())};
  SolverLimitOptions limits;

  /// Leaves no parameter of `input` open, by the best values of `ranking` where
  /// that is given. Refuted, with diagnostics, where no values are to be had.
  ExitCode resolve(transforms::ScheduleInput &input,
                   const normalforms::Libraries &libraries,
                   const verifier::Target *target,
                   const transforms::Ranking *ranking = nullptr) const;
};

/// --first, of the commands that rank values of knobs.
struct FirstOption {
  llvm::cl::opt<bool> isFirst{
      "first",
      llvm::cl::desc("Take the first values that the solver finds for open "
                     "knobs, instead of the best of a sample"),
      llvm::cl::cat(getCommandCategory())};
};

/// --allow-file-access, of the commands that run the steps of a schedule.
struct FileAccessOption {
  llvm::cl::opt<bool> isAllowed{
      "allow-file-access",
      llvm::cl::desc("Run passes that can open files or run programs that the "
                     "schedule names"),
      llvm::cl::cat(getCommandCategory())};

  /// Refuses such a schedule unless it is allowed.
  llvm::LogicalResult check(const transforms::ScheduleInput &input) const;
};

/// Options of a program that runs the payload.
struct ProgramOptions {
  llvm::cl::opt<std::string> entry{
      "entry", llvm::cl::desc("Payload function to run, if several are public"),
      llvm::cl::value_desc("symbol"), llvm::cl::cat(getCommandCategory())};
  llvm::cl::opt<uint64_t> seed{
      "seed", llvm::cl::desc("Seed of the generated arguments"),
      llvm::cl::init(0), llvm::cl::cat(getCommandCategory())};
  llvm::cl::opt<double> tolerance{
      "tolerance",
      llvm::cl::desc("Largest error that passes, instead of the element type's "
                     "own"),
      llvm::cl::init(-1), llvm::cl::cat(getCommandCategory())};
};

/// Whether `entry` is there and the tolerance is a number that can be met;
/// prints or emits an error if not.
bool checkProgramOptions(const ProgramOptions &options, mlir::ModuleOp payload,
                         llvm::StringRef entry);

/// The row of --target. Prints an error that lists what there is, and returns
/// null, if there is no such row; `extra` are names that are not GPUs.
const verifier::Target *
resolveTarget(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> extra = {});

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_OPTIONS_H
