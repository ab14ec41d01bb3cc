//===- LoweredRun.cpp - Runs and lowers a schedule in a child ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/LoweredRun.h"

#include "engine/AnyBelow.h"
#include "engine/FindingTransfer.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/validate/Instrument.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
using engine::readFinding;
namespace json = llvm::json;

/// The first operation name that `message` quotes; empty if there is none.
static StringRef findNamedOperation(StringRef message) {
  while (!message.empty()) {
    StringRef quoted;
    std::tie(std::ignore, message) = message.split('\'');
    std::tie(quoted, message) = message.split('\'');
    if (quoted.contains('.') && !quoted.contains(' ') &&
        !quoted.starts_with("."))
      return quoted;
  }
  return {};
}

/// Whether two locations name the same place of the text.
static bool isSamePlace(Location a, Location b) {
  auto placeOfA = a->findInstanceOf<FileLineColRange>(),
       placeOfB = b->findInstanceOf<FileLineColRange>();
  return placeOfA && placeOfB &&
         placeOfA.getFilename() == placeOfB.getFilename() &&
         placeOfA.getStartLine() == placeOfB.getStartLine() &&
         placeOfA.getStartColumn() == placeOfB.getStartColumn();
}

namespace {
/// Runs and lowers in the process that it is made in.
class LoweringRunner {
public:
  LoweringRunner(const verifier::ScheduleModel &schedule, ModuleOp payload,
                 const LowerPayload &lower)
      : payload(payload), lower(lower),
        instrumented(schedule, Observe::Behind) {}

  json::Object run() {
    std::optional<Finding> error;
    engine::Findings slow;
    LoweredRun::End end;
    {
      ScopedDiagnosticHandler handler(
          payload.getContext(), [&](Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !error)
              error = engine::readDiagnostic(diagnostic);
            return success();
          });
      OwningOpRef<ModuleOp> copy = payload.clone();
      if (failed(interpretSchedule(*copy, instrumented.getEntry(),
                                   /*unchecked=*/true))) {
        end = LoweredRun::Fails;
      } else if (!holdsKernels(*copy)) {
        end = LoweredRun::NoKernel;
      } else {
        // The schedule recovered from earlier errors: they are none of the
        // lowering.
        error.reset();
        end = succeeded(lower(*copy, slow)) ? LoweredRun::Compiles
                                            : LoweredRun::Fails;
      }
      if (end == LoweredRun::Fails && error)
        blame(*error);
    }
    json::Array findings;
    if (end == LoweredRun::Fails) {
      Location entry = instrumented.getEntry().getLoc();
      findings.push_back(writeFinding(
          error ? *error
                : Finding(entry, "fw-lowering-fails",
                          "leaves a payload that cannot be lowered")));
    }
    if (end == LoweredRun::Compiles)
      for (const Finding &finding : slow.get())
        findings.push_back(
            writeFinding(moveToThreadStep(finding, instrumented.getModule())));
    return json::Object{{"end", static_cast<int>(end)},
                        {"findings", std::move(findings)}};
  }

private:
  static bool holdsKernels(ModuleOp module) {
    return engine::holdsAny<gpu::LaunchOp, gpu::LaunchFuncOp>(module);
  }

  /// The last step whose name `isWanted` accepts; null if there is none.
  Operation *findLast(llvm::function_ref<bool(StringRef)> isWanted) {
    for (const ObservedStep &step : llvm::reverse(instrumented.getSteps()))
      if (!step.entersLoop && isWanted(step.op->getName().getStringRef()))
        return step.op;
    return nullptr;
  }

  /// The last step behind which the payload has more operations `name` at `loc`
  /// than in front of it; null if there is none.
  Operation *findOrigin(StringRef name, Location loc) {
    auto countIn = [&](Operation *top) {
      unsigned number = 0;
      top->walk([&](Operation *op) {
        number += op->getName().getStringRef() == name &&
                  isSamePlace(op->getLoc(), loc);
      });
      return number;
    };
    OwningOpRef<ModuleOp> copy = payload.clone();
    unsigned before = countIn(*copy);
    Operation *origin = nullptr;
    (void)interpretSchedule(*copy, instrumented.getEntry(), /*unchecked=*/true,
                            [&](int64_t number, transform::TransformState &) {
                              unsigned behind = countIn(*copy);
                              if (behind > before)
                                origin = instrumented.getSteps()[number].op;
                              before = behind;
                            });
    return origin;
  }

  /// Moves an error about the payload to the step that is to blame.
  void blame(Finding &error) {
    Location place = error.loc;
    StringRef name = findNamedOperation(error.message);
    Operation *step = name.empty() ? nullptr : findOrigin(name, place);
    if (!step && name.starts_with("linalg."))
      step =
          findLast([](StringRef step) { return step.contains("vectorize"); });
    if (!step)
      step = findLast([](StringRef) { return true; });
    if (error.id.empty()) {
      error.id = "fw-lowering-fails";
      error.message = ("leaves a payload that cannot be lowered: " +
                       StringRef(error.message).split('\n').first)
                          .str();
    }
    error.loc = step ? step->getLoc() : instrumented.getEntry().getLoc();
    error.note(NoteKind::Evidence, place, "the lowering comes to this");
  }

  ModuleOp payload;
  const LowerPayload &lower;
  InstrumentedSchedule instrumented;
};
} // namespace

Finding formwork::transforms::moveToThreadStep(Finding finding,
                                               Operation *schedule) {
  Operation *threads = nullptr, *blocks = nullptr, *buffers = nullptr;
  schedule->walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "transform.formwork.distribute_vectors" ||
        name == "transform.gpu.map_nested_forall_to_threads")
      threads = op;
    else if (name == "transform.gpu.map_forall_to_blocks" ||
             name == "transform.formwork.map_forall_to_blocks")
      blocks = op;
    else if (name == "transform.formwork.stage" ||
             name == "transform.structured.promote" ||
             name == "transform.structured.bufferize_to_allocation")
      buffers = op;
  });
  bool isOfHost = StringRef(finding.id).starts_with("fw-host-");
  Operation *step = threads && !isOfHost ? threads : blocks;
  if (buffers && finding.id == "fw-slow-bank-conflicts")
    step = buffers;
  if (!step)
    return finding;
  finding.note(NoteKind::Evidence, finding.loc,
               isOfHost ? "the host does this"
                        : "the kernel is made from this");
  finding.loc = step->getLoc();
  for (engine::Note &note : finding.notes)
    if (note.kind == NoteKind::FixIt)
      note.loc = step->getLoc();
  return finding;
}

LoweredRun
formwork::transforms::runLowered(const verifier::ScheduleModel &schedule,
                                 ModuleOp payload, const LowerPayload &lower,
                                 const engine::ChildLimits &limits,
                                 PrepareRun prepare) {
  MLIRContext *context = payload.getContext();
  LoweredRun run;
  engine::ChildAnswer answer = engine::askChild(
      *context,
      [&](llvm::raw_ostream &) {
        if (prepare)
          prepare();
        return LoweringRunner(schedule, payload, lower).run();
      },
      limits);
  run.child = std::move(answer.end);
  if (!run.child.succeeded) {
    if (run.child.crashedByItself())
      run.end = LoweredRun::Crashes;
    return run;
  }
  const std::optional<json::Object> &object = answer.object;
  if (!object)
    return run;
  run.end = static_cast<LoweredRun::End>(*object->getInteger("end"));
  for (const json::Value &finding : *object->getArray("findings"))
    run.findings.push_back(readFinding(*finding.getAsObject(), context));
  return run;
}
