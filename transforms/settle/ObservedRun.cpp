//===- ObservedRun.cpp - Runs a schedule in a child, observed ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/ObservedRun.h"

#include "engine/AnyBelow.h"
#include "engine/FindingTransfer.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/settle/Recomputation.h"
#include "transforms/validate/Instrument.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
using engine::readFinding;
using engine::readLocation;
using engine::writeLocation;
namespace json = llvm::json;

namespace {
/// The progress of a run. It lies in memory shared with the child, so that it
/// survives the death of the child.
struct Progress {
  /// The step as written. Its address is the same in the parent.
  Operation *step = nullptr;
  bool isDone = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

/// A step is sent as its address, which is the same in the parent.
static json::Object writeEffect(const StepEffect &effect) {
  json::Array places;
  for (Location place : effect.places)
    places.push_back(writeLocation(place));
  return json::Object{{"step", reinterpret_cast<intptr_t>(effect.step)},
                      {"targets", effect.numTargets},
                      {"with", effect.numWith},
                      {"without", effect.numWithout},
                      {"hasPart", effect.hasPart},
                      {"otherwise", json::fixUTF8(effect.otherwise)},
                      {"places", std::move(places)}};
}

static StepEffect readEffect(const json::Object &object, MLIRContext *context) {
  StepEffect effect;
  effect.step = reinterpret_cast<Operation *>(
      static_cast<intptr_t>(*object.getInteger("step")));
  effect.numTargets = *object.getInteger("targets");
  effect.numWith = *object.getInteger("with");
  effect.numWithout = *object.getInteger("without");
  effect.hasPart = *object.getBoolean("hasPart");
  effect.otherwise = object.getString("otherwise")->str();
  for (const json::Value &place : *object.getArray("places"))
    effect.places.push_back(readLocation(&place, context));
  return effect;
}

/// A silenceable failure comes as text, with the id at its end.
static void takeIdFromText(Finding &finding) {
  StringRef text = StringRef(finding.message).rtrim();
  size_t start = text.rfind(" [fw-");
  if (!finding.id.empty() || start == StringRef::npos || !text.ends_with("]"))
    return;
  finding.id = text.substr(start + 2).drop_back().str();
  finding.message = text.take_front(start).str();
}

namespace {
/// Runs a schedule in the current process.
class Runner {
public:
  Runner(const verifier::ScheduleModel &schedule, ModuleOp payload,
         const normalforms::ContractLibrary &contracts, Progress &progress,
         const RunListener *listener, llvm::raw_ostream &os)
      : schedule(schedule), payload(payload), watch(contracts),
        progress(progress), listener(listener), os(os) {
    schedule.getModule()->walk([&](Operation *op) { known.insert(op); });
  }

  json::Object run(PrepareRun prepare) {
    if (prepare)
      prepare();
    ScopedDiagnosticHandler handler(
        payload.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !error)
            error = engine::readDiagnostic(diagnostic);
          return success();
        });
    bool succeeds = succeeded(checkSteps(schedule.getEntry())) &&
                    runInlined() && (!hasIncludes() || runAsWritten());
    json::Object answer{{"ran", succeeds}};
    if (!succeeds)
      answer["failure"] = writeFinding(blame());
    json::Array effects;
    for (const StepEffect &effect : watch.getEffects())
      if (known.contains(effect.step))
        effects.push_back(writeEffect(effect));
    answer["effects"] = std::move(effects);
    engine::Findings again;
    recomputation.addFindings(again);
    json::Array recomputations;
    for (const Finding &finding : again.get())
      recomputations.push_back(writeFinding(finding));
    answer["recomputations"] = std::move(recomputations);
    return answer;
  }

private:
  bool runInlined() {
    InstrumentedSchedule instrumented(schedule, Observe::Around);
    OwningOpRef<ModuleOp> copy = payload.clone();
    if (listener)
      listener->begin(*copy, os);
    bool succeeds =
        interpret(*copy, instrumented.getEntry(),
                  [&](int64_t number, transform::TransformState &actual) {
                    bool isDone = number >= 0;
                    const ObservedStep &step =
                        instrumented.getSteps()[isDone ? number : ~number];
                    progress = {known.contains(step.op) ? step.op : nullptr,
                                isDone && !step.entersLoop};
                    if (!isDone) {
                      watch.enter({step.op, step.clone}, actual);
                      recomputation.enter({step.op, step.clone}, actual);
                      tell(instrumented, step, isDone, actual);
                    } else if (!step.entersLoop) {
                      tell(instrumented, step, isDone, actual);
                      watch.leave({step.op, step.clone}, actual);
                      recomputation.leave({step.op, step.clone}, actual);
                    }
                    // A failure that the schedule does not suppress ends the
                    // run. So the schedule recovered from each earlier error.
                    error.reset();
                  });
    if (leavesInvalid)
      findInvalidStep(instrumented);
    return succeeds;
  }

  /// Tells the listener of a step.
  void tell(const InstrumentedSchedule &instrumented, const ObservedStep &step,
            bool isDone, const transform::TransformState &state) {
    if (!listener)
      return;
    llvm::DenseMap<Value, SmallVector<Value, 1>> written;
    auto sequence = step.op->getParentOfType<transform::NamedSequenceOp>();
    if (isDone)
      for (auto [original, clone] : instrumented.getVisible(step))
        if (sequence->isAncestor(original.getParentRegion()->getParentOp()))
          written[clone].push_back(original);
    listener->onStep(step.op, isDone, state,
                     [&](Value handle) { return written.lookup(handle); });
  }

  /// Runs once more, to find the step behind which the payload is invalid and
  /// stays invalid.
  void findInvalidStep(InstrumentedSchedule &instrumented) {
    std::optional<Finding> first = std::move(error);
    Operation *culprit = nullptr;
    OwningOpRef<ModuleOp> copy = payload.clone();
    (void)interpret(*copy, instrumented.getEntry(),
                    [&](int64_t number, transform::TransformState &) {
                      if (number < 0)
                        return;
                      if (succeeded(verify(*copy)))
                        culprit = nullptr;
                      else if (!culprit)
                        culprit = instrumented.getSteps()[number].op;
                    });
    progress = {known.contains(culprit) ? culprit : nullptr, /*isDone=*/true};
    error = std::move(first);
  }

  bool runAsWritten() {
    progress = {};
    OwningOpRef<ModuleOp> copy = payload.clone();
    return interpret(*copy, schedule.getEntry());
  }

  bool hasIncludes() {
    return engine::holdsAny<transform::IncludeOp>(schedule.getEntry());
  }

  bool interpret(ModuleOp copy, transform::NamedSequenceOp entry,
                 PayloadObserver::Callback observer = nullptr) {
    if (failed(interpretSchedule(copy, entry, /*unchecked=*/false,
                                 std::move(observer))))
      return false;
    progress = {};
    error.reset();
    leavesInvalid = failed(verify(copy));
    return !leavesInvalid;
  }

  /// The failure that ended the run.
  Finding blame() {
    Location entry = schedule.getEntry().getLoc();
    Location loc = progress.step && !progress.isDone ? progress.step->getLoc()
                   : error                           ? error->loc
                                                     : entry;
    if (leavesInvalid)
      loc = progress.step ? progress.step->getLoc() : entry;
    if (!error)
      return Finding(loc, "fw-run-fails", "fails in a run on this payload");
    takeIdFromText(*error);
    // A finding of a Formwork step needs no more explanation.
    if (!error->id.empty() && !leavesInvalid)
      return *error;
    Finding finding(loc, "fw-run-fails",
                    (leavesInvalid ? "leaves invalid IR in a run on this "
                                     "payload: "
                                   : "fails in a run on this payload: ") +
                        StringRef(error->message).split('\n').first);
    if (error->loc != loc)
      finding.note(NoteKind::Evidence, error->loc, "MLIR says so here");
    for (const engine::Note &note : error->notes)
      finding.note(NoteKind::Evidence, note.loc,
                   StringRef(note.message).split('\n').first);
    return finding;
  }

  const verifier::ScheduleModel &schedule;
  ModuleOp payload;
  EffectWatch watch;
  RecomputationWatch recomputation;
  Progress &progress;
  const RunListener *listener;
  llvm::raw_ostream &os;
  /// The steps that exist in the parent, too.
  llvm::DenseSet<Operation *> known;
  std::optional<Finding> error;
  bool leavesInvalid = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

ObservedRun formwork::transforms::runObserved(
    const verifier::ScheduleModel &schedule, ModuleOp payload,
    const normalforms::ContractLibrary &contracts,
    const engine::ChildLimits &given, PrepareRun prepare,
    const RunListener *listener) {
  engine::ChildLimits limits = given;
  if (listener)
    limits.output = 0;
  MLIRContext *context = payload.getContext();
  engine::Shared<Progress> progress;
  ObservedRun run;
  engine::ChildAnswer answer = engine::askChild(
      *context,
      [&](llvm::raw_ostream &os) {
        return Runner(schedule, payload, contracts, *progress, listener, os)
            .run(prepare);
      },
      limits);
  run.child = std::move(answer.end);
  run.step = progress->step;
  run.isDone = progress->isDone;
  if (!run.child.succeeded) {
    run.end = run.child.crashedByItself() ? ObservedRun::Crashed
                                          : ObservedRun::Stopped;
    return run;
  }
  const std::optional<json::Object> &object = answer.object;
  if (!object)
    return run;
  run.end = *object->getBoolean("ran") ? ObservedRun::Ran : ObservedRun::Failed;
  if (run.end == ObservedRun::Failed)
    run.failure = readFinding(*object->getObject("failure"), context);
  for (const json::Value &effect : *object->getArray("effects"))
    run.effects.push_back(readEffect(*effect.getAsObject(), context));
  for (const json::Value &finding : *object->getArray("recomputations"))
    run.recomputations.push_back(readFinding(*finding.getAsObject(), context));
  return run;
}
