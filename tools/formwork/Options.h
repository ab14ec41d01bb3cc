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
#include "tools/Option.h"
#include "tools/formwork/Command.h"
#include "tools/report/Report.h"
#include "transforms/schedule/RankParameters.h"
#include "verifier/plan/Steps.h"
#include "verifier/solving/ParameterCheck.h"
#include "verifier/target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include <string>

namespace formwork::tools {

/// The categories that --help shows.
llvm::cl::OptionCategory &getInputCategory();
llvm::cl::OptionCategory &getCommandCategory();
llvm::cl::OptionCategory &getDebugCategory();

template <typename T>
using Option = CategorizedOption<llvm::cl::opt<T>, getCommandCategory>;
template <typename T>
using InputOption = CategorizedOption<llvm::cl::opt<T>, getInputCategory>;
template <typename T>
using DebugOption = CategorizedOption<llvm::cl::opt<T>, getDebugCategory>;
template <typename T>
using OptionList = CategorizedOption<llvm::cl::list<T>, getCommandCategory>;
template <typename T>
using InputOptionList = CategorizedOption<llvm::cl::list<T>, getInputCategory>;
template <typename T>
using DebugOptionList = CategorizedOption<llvm::cl::list<T>, getDebugCategory>;

/// --forms.
struct FormsOption {
  InputOptionList<std::string> files{"forms", "File with further normal forms",
                                     llvm::cl::value_desc("filename")};
};

/// --contracts.
struct ContractsOption {
  InputOptionList<std::string> files{
      "contracts", "File with contracts of further transform operations",
      llvm::cl::value_desc("filename")};
};

/// Options that say where a report belongs.
struct ReportOptions {
  DebugOption<std::string> category{
      "report-category",
      "Category of a SARIF report, instead of one made from the "
      "names of its files",
      llvm::cl::value_desc("name")};
  DebugOption<std::string> pages{
      "report-pages-uri",
      "Where the folder docs/diagnostics is published, for the "
      "links of a SARIF report, instead of the installed one",
      llvm::cl::value_desc("URI")};
  DebugOption<std::string> root{
      "report-root",
      "Folder to which the paths of a SARIF report are "
      "relative, instead of the repository's",
      llvm::cl::value_desc("folder")};

  ReportSettings get() const { return {category, pages, root}; }
};

/// --load-dialect-plugin and --load-pass-plugin.
struct PluginOptions {
  InputOptionList<std::string> dialects{"load-dialect-plugin",
                                        "Load dialects from a plugin",
                                        llvm::cl::value_desc("filename")};
  InputOptionList<std::string> passes{"load-pass-plugin",
                                      "Load passes from a plugin",
                                      llvm::cl::value_desc("filename")};

  /// Adds what they have to `registry` and to the passes. Fails, with an error
  /// printed, where one cannot be loaded.
  llvm::LogicalResult load(mlir::DialectRegistry &registry) const;
};

/// -Wno-ID, --error, --baseline, --write-baseline.
struct WarningOptions {
  DebugOptionList<std::string> silenced{
      "Wno-", "Do not print warnings of this id, as -Wno-fw-empty-match",
      llvm::cl::Prefix, llvm::cl::value_desc("ID")};
  DebugOptionList<std::string> errors{
      "error", "Warnings of these ids are errors", llvm::cl::CommaSeparated,
      llvm::cl::value_desc("ID,...")};
  DebugOption<std::string> baseline{
      "baseline", "Do not print the warnings that are in this file",
      llvm::cl::value_desc("filename")};
  DebugOption<std::string> writeBaseline{
      "write-baseline", "Write the warnings to a file for --baseline",
      llvm::cl::value_desc("filename")};
};

/// FILE, the schedule, and how both are read.
struct InputOptions {
  /// The command writes the text of the schedule, which then has no locations.
  bool writesSchedule = false;
  llvm::cl::opt<std::string> file{llvm::cl::Positional, llvm::cl::desc("FILE"),
                                  llvm::cl::init("-"),
                                  llvm::cl::cat(getInputCategory())};
  InputOption<std::string> transform{
      "transform", "File with the schedule, if it is not in FILE",
      llvm::cl::value_desc("filename")};
  InputOptionList<std::string> strategies{
      "strategies",
      "Make the schedule from these strategies, the first that "
      "fits: gpu (the shipped ones), or a file",
      llvm::cl::CommaSeparated, llvm::cl::value_desc("gpu|filename,...")};
  InputOption<std::string> writeSchedule{
      "write-schedule",
      "Write the schedule that strategies make, and the payload "
      "that it is for, into one file",
      llvm::cl::value_desc("filename")};
  InputOptionList<std::string> libraries{
      "transform-library",
      "File or folder with sequences that the schedule includes",
      llvm::cl::value_desc("path")};
  InputOption<std::string> entryPoint{
      "transform-entry-point", "Sequence that is the schedule",
      llvm::cl::value_desc("symbol"), llvm::cl::init("__transform_main")};
  FormsOption forms;
  ContractsOption contracts;
  InputOption<bool> noPayload{"no-payload",
                              "FILE is a schedule without a payload"};
  InputOption<bool> allowUnregisteredDialect{
      "allow-unregistered-dialect",
      "Allow operations of dialects that are not registered"};
  PluginOptions plugins;
  ReportOptions report;
  DebugOption<bool> splitInputFile{
      "split-input-file",
      "Split FILE at '// -----' and process each piece alone"};
  DebugOption<bool> printAfterAll{"mlir-print-ir-after-all",
                                  "Print the IR after each pass that runs"};
  DebugOption<ReportFormat> diagnosticsFormat{
      "diagnostics-format", "How diagnostics are printed on standard error",
      llvm::cl::init(ReportFormat::Text),
      llvm::cl::values(
          clEnumValN(ReportFormat::Text, "text", "for people (the default)"),
          clEnumValN(ReportFormat::Json, "json", "one JSON document"),
          clEnumValN(ReportFormat::Sarif, "sarif", "SARIF 2.1.0"))};
  DebugOption<bool> verifyDiagnostics{
      "verify-diagnostics", "Compare diagnostics with the expected-* comments"};
  WarningOptions warnings;
};

/// -o.
struct OutputOptions {
  Option<std::string> output{"o", "Output file, '-' for standard output",
                             llvm::cl::value_desc("filename"),
                             llvm::cl::init("-")};
};

/// --trace. A command that writes pages adds `html` to the values.
enum class Trace { None, Text, Full, Html };
struct TraceOption {
  Option<Trace> kind{
      "trace", "Print the state of the handles after every step",
      llvm::cl::init(Trace::None), llvm::cl::ValueOptional,
      llvm::cl::values(
          clEnumValN(Trace::Text, "text", "those that the step changes"),
          clEnumValN(Trace::Text, "", ""),
          clEnumValN(Trace::Full, "full", "all that a next step can name"))};
};

/// --target with the names of Targets.def; `extra` names are allowed too.
struct TargetOption {
  Option<std::string> name{
      "target",
      "GPU architecture: sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, sm_89, "
      "sm_90, sm_90a, sm_100, sm_100a, sm_103, sm_120, sm_121",
      llvm::cl::value_desc("arch")};
};

/// --allow.
struct AllowOption {
  OptionList<std::string> steps{
      "allow",
      "Also insert these steps where they are needed, which "
      "otherwise the author decides on: bufferize, promote",
      llvm::cl::CommaSeparated, llvm::cl::value_desc("step,...")};

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
      : budget{"budget",
               "Most seconds that all decisions and trials may take together, "
               "counted as work done and by the clock; 0 for no limit",
               llvm::cl::value_desc("seconds"), llvm::cl::init(seconds)} {}

  Option<double> budget;
  Option<unsigned> rlimit{
      "solver-rlimit", "Deterministic limit of each solver query, 0 for none",
      llvm::cl::init(verifier::solver::SolverOptions().rlimit)};
  Option<unsigned> timeout{
      "solver-timeout",
      "Time limit of each solver query in milliseconds, 0 for none",
      llvm::cl::init(verifier::solver::SolverOptions().timeoutMs)};
  Option<std::string> dumpQueries{
      "dump-queries",
      "Folder into which each query to the solver is written, as SMT-LIB",
      llvm::cl::value_desc("folder")};

  Option<bool> printStats{
      "solver-stats", "Print the number and cost of the solver's queries on "
                      "standard error"};

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
  Option<bool> noSolve{"no-solve",
                       "Refuse a schedule with open knobs instead of solving "
                       "for them"};
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
  Option<bool> isFirst{"first",
                       "Take the first values that the solver finds for open "
                       "knobs, instead of the best of a sample"};
};

/// --allow-file-access, of the commands that run the steps of a schedule.
struct FileAccessOption {
  Option<bool> isAllowed{
      "allow-file-access",
      "Run passes that can open files or run programs that the "
      "schedule names"};

  /// Refuses such a schedule unless it is allowed.
  llvm::LogicalResult check(const transforms::ScheduleInput &input) const;
};

/// Options of a program that runs the payload.
struct ProgramOptions {
  Option<std::string> entry{"entry",
                            "Payload function to run, if several are public",
                            llvm::cl::value_desc("symbol")};
  Option<uint64_t> seed{"seed", "Seed of the generated arguments",
                        llvm::cl::init(0)};
  Option<double> tolerance{
      "tolerance",
      "Largest error that passes, instead of the element type's "
      "own",
      llvm::cl::init(-1)};
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
