//===- ParameterStudy.cpp - Predictions against the truth -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes assignments of a schedule's knobs that the solver calls valid, and
// neighbours that violate one constraint, and finds out what happens with each:
// the schedule is normalized once, for the first valid assignment, and then run
// with the values of each point in a process of its own, compiled for each
// target, and given to ptxas. A point predicted valid runs on the emulator too,
// by the `formwork` beside this program, and so does one predicted to race,
// which nothing else refuses. Appends one JSON object a point to the
// output, and skips the points that are there.
//
//===----------------------------------------------------------------------===//

#include "bench/study/Points.h"
#include "bench/study/Truth.h"
#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "tools/Option.h"
#include "transforms/Registration.h"
#include "transforms/gpu/Lowering.h"
#include "transforms/gpu/Process.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/ScheduleInput.h"
#include "verifier/solver/AssignmentWriter.h"
#include "verifier/solving/ChosenValues.h"
#include "verifier/solving/ParameterCheck.h"
#include "verifier/target/Target.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/WithColor.h"

#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::bench;
using namespace formwork::tools;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;
using verifier::ParameterModel;
namespace cl = llvm::cl;

static cl::opt<std::string> payloadFile(cl::Positional, cl::Required,
                                        cl::desc("PAYLOAD"),
                                        cl::cat(getToolCategory()));
static cl::opt<std::string> scheduleFile(cl::Positional, cl::Required,
                                         cl::desc("SCHEDULE"),
                                         cl::cat(getToolCategory()));
static ToolOption<std::string> outputFile("o", "File to append to",
                                          cl::Required);
static ToolOption<unsigned> numValid("valid", "How many valid assignments",
                                     cl::init(250));
static ToolOption<unsigned> numNeighbours("neighbours", "How many neighbours",
                                          cl::init(250));
static ToolOption<uint64_t> seed("seed", "Of the choice", cl::init(1));
static ToolOption<unsigned> numJobs("jobs", "Processes at a time", cl::init(2));
static ToolOption<unsigned> timeLimit("limit", "Seconds for one point",
                                      cl::init(120));
static ToolOptionList<std::string>
    targets("target", "sm_80 and sm_90 by default", cl::CommaSeparated);

namespace {
/// A copy of the schedule, whose knobs take the values of one point after the
/// other.
struct Copy {
  OwningOpRef<ModuleOp> module;
  SmallVector<Operation *> choices;
};

/// Everything that a point's process finds in memory.
struct Study {
  transforms::ScheduleInput input;
  ParameterModel model;
  /// As it was written, for the emulator.
  Copy plain;
  /// Without constraints and with the enablers, for the truth; in `input`.
  SmallVector<Operation *> choices;
  OwningOpRef<ModuleOp> lowering;
  transforms::Toolkit toolkit;
  std::string ptxas, formwork;
};

/// A process, and the file that it writes its answer to.
struct Job {
  const Point *point;
  std::string answer;
};
} // namespace

static void fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "parameter-study") << message << "\n";
  exit(3);
}

/// The knobs and the alternatives, each of a name of its own.
static SmallVector<Operation *> collectChoices(ModuleOp module) {
  SmallVector<Operation *> choices;
  module.walk([&](Operation *op) {
    if (isa<KnobOp, AlternativesOp>(op))
      choices.push_back(op);
  });
  return choices;
}

static StringAttr getName(Operation *choice) {
  return choice->getAttrOfType<StringAttr>("name");
}

static void fillIn(ArrayRef<Operation *> choices, const ParameterModel &model,
                   const Point &point) {
  for (Operation *choice : choices)
    for (const verifier::Knob &known : model.knobs) {
      if (getName(known.op) != getName(choice))
        continue;
      int64_t value = *point.assignment.get(known.term.getVariable());
      if (auto knob = dyn_cast<KnobOp>(choice))
        knob.setSelectedAttr(verifier::getSelectedAttribute(knob, value));
      else
        cast<AlternativesOp>(choice).setSelectedRegionAttrAttr(
            Builder(choice->getContext()).getI64IntegerAttr(value));
    }
}

static std::string describe(const ParameterModel &model, const Point &point) {
  std::string line;
  llvm::raw_string_ostream os(line);
  verifier::solver::writeText(os, *model.problem, point.assignment);
  return StringRef(line).rtrim().str();
}

/// Runs the schedule as it was written through `formwork run`.
static std::string emulate(Study &study, const Point &point) {
  fillIn(study.plain.choices, study.model, point);
  SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("study", "mlir", path))
    return "no temporary file";
  std::error_code error;
  {
    llvm::raw_fd_ostream os(path, error);
    os << *study.plain.module << "\n";
  }
  std::string transform = ("--transform=" + path).str();
  llvm::Expected<transforms::ProcessResult> result = transforms::runProcess(
      study.formwork, {"run", payloadFile.getValue(), transform});
  llvm::sys::fs::remove(path);
  if (!result)
    return llvm::toString(result.takeError());
  if (result->exitCode == 0)
    return "right";
  StringRef log = result->output;
  if (log.contains("[fw-emulate-unsupported]"))
    return "unsupported";
  size_t at = log.find("error: ");
  if (at == StringRef::npos)
    at = log.find("result ");
  return at == StringRef::npos ? "failed"
                               : log.substr(at).split('\n').first.str();
}

/// In the point's own process.
static llvm::json::Object examine(Study &study, const Point &point) {
  fillIn(study.choices, study.model, point);
  OwningOpRef<ModuleOp> payload = study.input.payload->clone();
  Truth truth = findTruth(*payload, study.input.entry, *study.lowering,
                          llvm::to_vector(targets), study.toolkit, study.ptxas);
  llvm::json::Object answer;
  answer["accepted"] = truth.accepted;
  answer["refused_by"] = truth.refusedBy;
  answer["message"] = llvm::json::fixUTF8(truth.message);
  bool mayRace = point.violated && claimsRace(study.model, *point.violated);
  if (!truth.accepted || (point.violated && !mayRace))
    return answer;
  std::string emulated = emulate(study, point);
  if (mayRace && StringRef(emulated).contains("[fw-workgroup-race]")) {
    answer["accepted"] = false;
    answer["refused_by"] = "emulator";
    answer["message"] = llvm::json::fixUTF8(emulated);
  } else if (!mayRace) {
    answer["emulated"] = llvm::json::fixUTF8(emulated);
  }
  return answer;
}

static llvm::json::Object makeRecord(const Study &study, const Point &point) {
  llvm::json::Object record;
  record["point"] = describe(study.model, point);
  record["predicted"] = !point.undecided.empty() ? "unknown"
                        : point.violated         ? "refused"
                                                 : "valid";
  if (point.violated) {
    const verifier::solver::Constraint &constraint =
        study.model.problem->getConstraints()[*point.violated];
    record["constraint"] = constraint.id;
    record["text"] = constraint.text;
    record["distance"] = point.distance;
  }
  return record;
}

static pid_t start(Study &study, const Job &job) {
  pid_t child = fork();
  if (child != 0)
    return child;
  alarm(timeLimit);
  // A crash is an answer, and needs no stack.
  llvm::sys::unregisterHandlers();
  llvm::json::Object answer = examine(study, *job.point);
  std::error_code error;
  {
    llvm::raw_fd_ostream os(job.answer, error);
    os << llvm::json::Value(std::move(answer));
  }
  _exit(error ? 1 : 0);
}

/// Records the result of the process, or the way it ended.
static void finish(Study &study, const Job &job, int status,
                   llvm::raw_ostream &os) {
  llvm::json::Object record = makeRecord(study, *job.point);
  auto buffer = llvm::MemoryBuffer::getFile(job.answer);
  llvm::sys::fs::remove(job.answer);
  llvm::json::Object *answer = nullptr;
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::parse(buffer ? (*buffer)->getBuffer() : "");
  if (parsed)
    answer = parsed->getAsObject();
  else
    llvm::consumeError(parsed.takeError());
  if (answer && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    for (auto &[key, value] : *answer)
      record[key] = value;
  } else {
    record["accepted"] = false;
    record["refused_by"] = "crash";
    record["message"] =
        WIFSIGNALED(status)
            ? "ended by signal " + std::to_string(WTERMSIG(status))
            : "no answer";
  }
  os << llvm::json::Value(std::move(record)) << "\n";
  os.flush();
}

static void runAll(Study &study, ArrayRef<const Point *> points,
                   llvm::raw_ostream &os) {
  std::map<pid_t, Job> running;
  size_t next = 0;
  while (next < points.size() || !running.empty()) {
    if (next < points.size() && running.size() < numJobs) {
      SmallString<128> path;
      if (llvm::sys::fs::createTemporaryFile("study", "json", path))
        fail("cannot make a temporary file");
      Job job{points[next++], path.str().str()};
      pid_t child = start(study, job);
      if (child < 0)
        fail("cannot start a process");
      running[child] = job;
      continue;
    }
    int status = 0;
    pid_t ended = wait(&status);
    auto job = running.find(ended);
    if (job == running.end())
      fail("lost a process");
    finish(study, job->second, status, os);
    running.erase(job);
  }
}

/// The points that the output has from an earlier run.
static std::set<std::string> readDone() {
  std::set<std::string> done;
  auto buffer = llvm::MemoryBuffer::getFile(outputFile);
  if (!buffer)
    return done;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    llvm::Expected<llvm::json::Value> record = llvm::json::parse(line);
    if (!record)
      fail("'" + outputFile +
           "' is damaged: " + llvm::toString(record.takeError()));
    if (auto *object = record->getAsObject())
      if (std::optional<StringRef> point = object->getString("point"))
        done.insert(point->str());
  }
  return done;
}

static std::unique_ptr<llvm::MemoryBuffer> open(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    fail("cannot read '" + path + "'");
  return std::move(*buffer);
}

/// Inserts what the schedule needs for the first valid point.
static void normalize(Study &study, const Point &first,
                      const normalforms::Libraries &libraries) {
  study.input.schedule->walk([&](ConstrainParamsOp op) {
    if (!op->use_empty())
      fail("results of constrain_params are not supported");
    op.erase();
  });
  study.choices = collectChoices(*study.input.schedule);
  fillIn(study.choices, study.model, first);
  transforms::PrepareOptions options;
  options.explain = false;
  options.target = verifier::lookupTarget(targets.front());
  FailureOr<verifier::Plan> plan =
      transforms::planSchedule(study.input, libraries, options);
  if (failed(plan))
    fail("the first valid assignment is refused");
  transforms::applyPlan(*plan, *libraries.forms);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  parseToolOptions(argc, argv, "predictions against the truth\n");
  if (targets.empty())
    for (StringRef target : {"sm_80", "sm_90"})
      targets.push_back(target.str());
  for (StringRef target : targets)
    if (!verifier::lookupTarget(target))
      fail("unknown target '" + target + "'");

  registerFormworkPasses();
  DialectRegistry registry;
  registerFormwork(registry);
  // Threads do not survive a fork.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  if (failed(normalforms::FormLibrary::install(&context, {})))
    fail("no forms");

  Study study;
  transforms::ScheduleSource source;
  source.transformBuffer = open(scheduleFile);
  FailureOr<transforms::ScheduleInput> input = transforms::loadScheduleInput(
      &context, open(payloadFile), std::move(source));
  if (failed(input) || !input->payload)
    fail("requires a payload and a schedule");
  study.input = std::move(*input);
  std::optional<transforms::Toolkit> toolkit = transforms::findToolkit();
  if (!toolkit || !toolkit->findProgram("ptxas"))
    fail("requires a CUDA toolkit with ptxas");
  study.toolkit = *toolkit;
  study.ptxas = *toolkit->findProgram("ptxas");
  SmallString<256> tool(
      llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable(
          argv[0], reinterpret_cast<void *>(&fail))));
  llvm::sys::path::append(tool, "formwork");
  study.formwork = tool.str().str();
  study.lowering = transforms::loadLowering(&context);
  if (!study.lowering)
    fail("no lowering");

  auto libraries = normalforms::Libraries::load(&context);
  if (failed(libraries))
    fail("no contracts");
  FailureOr<ParameterModel> model = verifier::collectParameters(
      study.input.entry, study.input.payload->getOperation(), *libraries,
      verifier::lookupTarget(targets.front()));
  if (failed(model))
    fail("no parameters");
  study.model = std::move(*model);
  std::vector<Point> valid = drawValid(study.model, numValid, seed);
  if (valid.empty())
    fail("there is no valid assignment");
  std::vector<Point> neighbours =
      drawNeighbours(study.model, valid, numNeighbours, seed);

  study.plain.module = study.input.schedule->clone();
  study.plain.choices = collectChoices(*study.plain.module);
  normalize(study, valid.front(), *libraries);

  std::set<std::string> done = readDone();
  SmallVector<const Point *> points;
  for (const std::vector<Point> *list : {&valid, &neighbours})
    for (const Point &point : *list)
      if (!done.count(describe(study.model, point)))
        points.push_back(&point);
  std::error_code error;
  llvm::raw_fd_ostream os(outputFile, error, llvm::sys::fs::OF_Append);
  if (error)
    fail("cannot write '" + outputFile + "'");
  runAll(study, points, os);
  llvm::outs() << valid.size() << " valid, " << neighbours.size()
               << " neighbours\n";
  return 0;
}
