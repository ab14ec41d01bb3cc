//===- Ablation.cpp - Are the insertions needed, and enough? ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two studies of plans on real schedules, as a table.
//
// Ablation: of the normalizations that a plan inserts, how many make a
// difference on the payload: the others are dropped until, without any one of
// the rest, the schedule fails or its result is another after normalization to
// @canonical.
//
// Strip: all clean-up that the author wrote is taken out, the forms that hold
// at the end of the schedule as written become the goal, and the rest is
// planned. Is the result the same again, and with how many insertions?
//
// usage: ablation [--markdown] (FILE | PAYLOAD:SCHEDULE)...
//
// Each pair runs in a process of its own, for at most two minutes of processor
// time, and so does each run in it: what else the machine does changes no
// result.
//
//===----------------------------------------------------------------------===//

#include "engine/Child.h"
#include "normalforms/ContractLibrary.h"
#include "normalforms/Establish.h"
#include "test/lib/schedules/CleanUp.h"
#include "test/lib/schedules/ScheduleFiles.h"
#include "transforms/Registration.h"
#include "transforms/schedule/RunNeeds.h"
#include "transforms/schedule/RunSchedule.h"
#include "verifier/plan/Enablers.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <sys/resource.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using normalforms::Form;
using normalforms::FormLibrary;

namespace {
/// One line of the table, in one word per field; `-` where there is nothing.
struct Row {
  unsigned cleanUps = 0;   ///< steps, as the author wrote them
  unsigned cleanUpOps = 0; ///< the same, counted as ops
  bool isNeeded = false;   ///< stripping them alone changes the result
  /// `yes`; `yes, normalized`, as the schedule as written, normalized; or why
  /// not.
  std::string restored = "-";
  unsigned insertions = 0; ///< of the stripped schedule's plan
  unsigned planned = 0;    ///< of the plan of the schedule as written
  unsigned effective = 0;  ///< of these, those that make a difference
  std::string problem;     ///< why there is nothing to say
};

/// A context with everything that one pair needs.
struct Setting {
  explicit Setting(std::vector<std::string> extraForms)
      : context(makeRegistry()) {
    context.disableMultithreading();
    context.allowUnregisteredDialects();
    auto loaded = normalforms::Libraries::load(&context, extraForms);
    if (succeeded(loaded))
      libraries = std::move(*loaded);
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerFormwork(registry);
    return registry;
  }

  MLIRContext context;
  normalforms::Libraries libraries;
};
} // namespace

/// A form called `name` that refines all that hold on `payload`, as text.
static std::string declareGoal(StringRef name, ModuleOp payload,
                               const FormLibrary &forms) {
  normalforms::FormSet held = forms.lattice().top();
  for (const Form &form : forms.getForms())
    if (form.automatic && form.hasDriver() &&
        normalforms::checkForm(forms, form, payload).holds())
      held = forms.lattice().meet(held, forms.lattice().closure(form.atom));
  std::string text;
  for (normalforms::AtomId atom : forms.lattice().getMinimalAtoms(held))
    text += (text.empty() ? "@" : ", @") + forms.getForm(atom).name;
  if (text.empty())
    return "";
  return ("normalform.form @" + name +
          " summary \"what held at the end\" refines [" + text + "] {\n}\n")
      .str();
}

/// The forms that hold on `result`, as `study.goal`; and those that hold after
/// the normalization to @canonical that results are compared by, as
/// `study.canonical_goal`: a step that stops short of what its rules and
/// canonicalization reach together leaves no form that we have.
static std::string declareGoals(ModuleOp result, const FormLibrary &forms) {
  OwningOpRef<ModuleOp> canonical = result.clone();
  (void)normalforms::FormNormalizer(forms, *forms.lookup("canonical"))
      .run(*canonical);
  return declareGoal("study.goal", result, forms) +
         declareGoal("study.canonical_goal", *canonical, forms);
}

/// The result of `entry` on a copy of `payload`.
static OwningOpRef<ModuleOp> runCopy(ModuleOp payload,
                                     transform::NamedSequenceOp entry) {
  OwningOpRef<ModuleOp> result = payload.clone();
  (void)runSchedule(*result, entry);
  return result;
}

static Row study(StringRef pair) {
  Row row;
  std::string goal;
  {
    Setting setting({});
    FailureOr<ScheduleInput> input =
        testing::loadSchedule(&setting.context, pair);
    if (failed(input) || !input->payload) {
      row.problem = "cannot be read";
      return row;
    }
    Trial written =
        runTrial(*input->payload, input->entry, *setting.libraries.forms);
    if (!written.runs) {
      row.problem = "does not run: " + written.error;
      return row;
    }
    goal = declareGoals(*runCopy(*input->payload, input->entry),
                        *setting.libraries.forms);
  }

  llvm::SmallString<128> path;
  int file;
  if (llvm::sys::fs::createTemporaryFile("goal", "mlir", file, path)) {
    row.problem = "no temporary file";
    return row;
  }
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << goal;
  Setting setting(goal.empty() ? std::vector<std::string>()
                               : std::vector<std::string>{path.str().str()});
  FailureOr<ScheduleInput> input =
      testing::loadSchedule(&setting.context, pair);
  if (failed(input) || !setting.libraries.contracts) {
    row.problem = "cannot be read a second time";
    return row;
  }
  Operation *payload = input->payload->getOperation();
  Trial written =
      runTrial(*input->payload, input->entry, *setting.libraries.forms);

  PrepareOptions options;
  options.explain = false;
  auto plan = [&](ScheduleVariant &variant) {
    return makePlan(variant.getEntry(), payload, setting.libraries, options);
  };

  // Ablation.
  Trial normalized;
  {
    std::optional<ScheduleVariant> whole =
        ScheduleVariant::create(input->entry, {});
    FailureOr<verifier::Plan> found = plan(*whole);
    if (failed(found)) {
      row.problem = "there is no plan";
      return row;
    }
    verifier::Plan written = whole->toOriginal(*found);
    fitPlan(*input, written, setting.libraries, options);
    PlanTrials trials(*input->payload, input->entry, *setting.libraries.forms);
    const Trial &trial = trials.run(written);
    normalized.runs = trial.runs;
    normalized.digest = trial.digest;
    if (!trial.runs)
      row.problem = "the plan breaks it: " + trial.error;
    row.planned = written.insertions.size();
    dropIdleInsertions(trials, written);
    row.effective = written.insertions.size();
  }

  // Strip.
  SmallVector<Operation *> cleanUps;
  for (Operation *op :
       verifier::getEnablers(*input->schedule, *setting.libraries.contracts))
    if (testing::isCleanUp(op, setting.libraries))
      cleanUps.push_back(op);
  row.cleanUps = cleanUps.size();
  for (Operation *op : cleanUps)
    op->walk([&](Operation *inner) {
      row.cleanUpOps += !inner->hasTrait<OpTrait::IsTerminator>();
    });
  std::optional<ScheduleVariant> bare =
      ScheduleVariant::create(input->entry, cleanUps);
  if (!bare) {
    row.restored = "a clean-up step has results of another type";
    return row;
  }
  Trial stripped =
      runTrial(*input->payload, bare->getEntry(), *setting.libraries.forms);
  row.isNeeded = !stripped.agreesWith(written);
  for (StringRef name : {"study.goal", "study.canonical_goal"}) {
    const Form *form = setting.libraries.forms->lookup(name);
    if (!form)
      continue;
    options.goal = form->atom;
    FailureOr<verifier::Plan> found = plan(*bare);
    if (failed(found)) {
      row.restored = "there is no plan";
      continue;
    }
    // As everywhere, what counts is what is left after one normalization to
    // @canonical.
    PlanTrials trials(*input->payload, bare->getEntry(),
                      *setting.libraries.forms);
    meetRunNeeds(trials, *found);
    moveLateInsertions(trials, *found);
    dropIdleInsertions(trials, *found);
    row.insertions = found->insertions.size();
    const Trial &again = trials.run(*found);
    if (again.agreesWith(written)) {
      row.restored = "yes";
      return row;
    }
    // A lack of the schedule as written is no matter of its clean-up.
    if (again.agreesWith(normalized)) {
      row.restored = "yes, normalized";
      return row;
    }
    row.restored = again.runs ? "another result" : "fails: " + again.error;
    // To look into: the insertions, and the two results.
    if (getenv("ABLATION_DUMP")) {
      for (const verifier::Insertion &insertion : found->insertions)
        llvm::outs() << "@"
                     << setting.libraries.forms->getForm(insertion.form).name
                     << " before " << insertion.before->getName() << " at "
                     << insertion.before->getLoc() << "\n";
      if (again.runs) {
        std::optional<ScheduleVariant> copy =
            ScheduleVariant::create(bare->getEntry(), {});
        applyPlan(copy->fromOriginal(*found), *setting.libraries.forms);
        llvm::outs() << *runCopy(*input->payload, input->entry)
                     << "\n// -----\n"
                     << *runCopy(*input->payload, copy->getEntry()) << "\n";
      }
    }
    for (const engine::Finding &finding : found->after.findings.get())
      if (finding.id == "fw-plan-conflict" || finding.id == "fw-no-live-handle")
        row.restored += ", " + finding.id;
  }
  return row;
}

/// Runs `study` in a process of its own.
static Row studyApart(StringRef pair) {
  Row row;
  auto work = [&](llvm::raw_ostream &os) {
    const rlimit twoMinutes = {120, 121};
    if (setrlimit(RLIMIT_CPU, &twoMinutes) != 0)
      return false;
    auto firstLine = [](StringRef text) {
      return text.take_until([](char c) { return c == '\n'; });
    };
    Row found = study(pair);
    os << found.cleanUps << "\n"
       << found.cleanUpOps << "\n"
       << found.isNeeded << "\n"
       << firstLine(found.restored) << "\n"
       << found.insertions << "\n"
       << found.planned << "\n"
       << found.effective << "\n"
       << firstLine(found.problem) << "\n";
    return true;
  };
  // A schedule may print.
  engine::ChildEnd end = engine::runInChild(
      work, getenv("ABLATION_DUMP") ? engine::ChildOutput::Kept
                                    : engine::ChildOutput::Dropped);
  if (end.signal != 0) {
    row.problem =
        end.signal == SIGXCPU ? "takes more than two minutes" : "crashes";
    return row;
  }
  SmallVector<StringRef> fields;
  StringRef(end.text).split(fields, '\n');
  if (fields.size() < 8) {
    row.problem = "says nothing";
    return row;
  }
  (void)fields[0].getAsInteger(10, row.cleanUps);
  (void)fields[1].getAsInteger(10, row.cleanUpOps);
  row.isNeeded = fields[2] == "1";
  row.restored = fields[3].str();
  (void)fields[4].getAsInteger(10, row.insertions);
  (void)fields[5].getAsInteger(10, row.planned);
  (void)fields[6].getAsInteger(10, row.effective);
  row.problem = fields[7].str();
  return row;
}

int main(int argc, char **argv) {
  registerFormworkPasses();
  llvm::outs()
      << "| schedule | insertions, of which needed | clean-ups (ops) | they "
         "matter | re-normalized | insertions |\n"
         "|---|---|---|---|---|---|\n";
  unsigned studied = 0, planned = 0, effective = 0, mattering = 0, restored = 0;
  unsigned before = 0, beforeOps = 0, after = 0, more = 0, idle = 0;
  unsigned asNormalized = 0;
  for (int i = 1; i < argc; ++i) {
    StringRef pair = argv[i];
    Row row = studyApart(pair);
    StringRef name = llvm::sys::path::filename(pair.split(':').first);
    if (name == "payload.mlir")
      name = pair.split(':').second;
    if (!row.problem.empty()) {
      llvm::outs() << "| " << name << " | " << row.problem << " | | | | |\n";
      continue;
    }
    ++studied;
    planned += row.planned;
    effective += row.effective;
    llvm::outs() << "| " << name << " | " << row.planned << ", "
                 << row.effective << " | " << row.cleanUps << " ("
                 << row.cleanUpOps << ") | "
                 << (row.cleanUps == 0 ? ""
                     : row.isNeeded    ? "yes"
                                       : "no")
                 << " | " << (row.cleanUps == 0 ? "" : row.restored) << " | "
                 << (row.cleanUps == 0 ? "" : std::to_string(row.insertions))
                 << " |\n";
    if (row.cleanUps == 0)
      continue;
    idle += !row.isNeeded;
    mattering += row.isNeeded;
    if (StringRef(row.restored).starts_with("yes") && row.isNeeded) {
      ++restored;
      asNormalized += row.restored != "yes";
      before += row.cleanUps;
      beforeOps += row.cleanUpOps;
      after += row.insertions;
      more += row.insertions > row.cleanUps;
    }
  }
  llvm::outs() << "\nschedules: " << studied << "\ninsertions: " << planned
               << ", of which needed: " << effective
               << "\nwith clean-up that nothing needs: " << idle
               << "\nwith clean-up that matters: " << mattering
               << "\nof these, the same again: " << restored << " ("
               << asNormalized << " as what is written, normalized), with "
               << after << " insertions for " << before << " clean-up steps of "
               << beforeOps << " ops; more in " << more << "\n";
  return 0;
}
