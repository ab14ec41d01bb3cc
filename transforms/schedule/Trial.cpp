//===- Trial.cpp - Variants of a schedule, and what they yield --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/Trial.h"

#include "engine/Check.h"
#include "normalforms/Establish.h"
#include "transforms/schedule/RunSchedule.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_sha1_ostream.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
namespace json = llvm::json;

bool formwork::transforms::isNavigation(Operation *op) {
  return isa<transform::MatchOp, transform::GetParentOp, transform::CastOp,
             transform::MergeHandlesOp, transform::GetProducerOfOperand,
             transform::GetConsumersOfResult, transform::GetResultOp,
             transform::GetOperandOp, transform::GetDefiningOp>(op);
}

Operation *
formwork::transforms::getWholeSchedule(transform::NamedSequenceOp entry) {
  Operation *whole = entry->getParentOp();
  FW_CHECK(whole, "a schedule is in a module");
  while (Operation *outer = whole->getParentOp())
    whole = outer;
  return whole;
}

std::optional<ScheduleVariant>
ScheduleVariant::create(transform::NamedSequenceOp entry,
                        ArrayRef<Operation *> steps) {
  auto whole = cast<ModuleOp>(getWholeSchedule(entry));
  ScheduleVariant variant;
  IRMapping mapping;
  variant.module = cast<ModuleOp>(whole->clone(mapping));
  variant.entry =
      cast<transform::NamedSequenceOp>(mapping.lookup(entry.getOperation()));
  whole->walk([&](Operation *op) {
    variant.originals[mapping.lookup(op)] = op;
    variant.copies[op] = mapping.lookup(op);
  });
  auto erase = [&](Operation *op) {
    variant.removed.push_back(variant.originals.lookup(op));
    variant.copies.erase(variant.originals.lookup(op));
    variant.originals.erase(op);
    op->erase();
  };
  for (Operation *step : steps) {
    Operation *copy = mapping.lookup(step);
    SmallVector<Operation *> around;
    for (Value operand : copy->getOperands())
      if (Operation *op = operand.getDefiningOp())
        around.push_back(op);
    for (Value result : copy->getResults()) {
      if (result.use_empty())
        continue;
      if (copy->getNumOperands() == 0 ||
          copy->getOperand(0).getType() != result.getType())
        return std::nullopt;
      result.replaceAllUsesWith(copy->getOperand(0));
    }
    erase(copy);
    while (!around.empty()) {
      Operation *op = around.pop_back_val();
      if (llvm::is_contained(around, op) || !isNavigation(op) ||
          !op->use_empty())
        continue;
      for (Value operand : op->getOperands())
        if (Operation *next = operand.getDefiningOp())
          around.push_back(next);
      erase(op);
    }
  }
  return variant;
}

/// `value` on the other side of `ops`.
static Value translate(Value value,
                       const llvm::DenseMap<Operation *, Operation *> &ops) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Region *region = argument.getOwner()->getParent();
    return ops.lookup(region->getParentOp())
        ->getRegion(region->getRegionNumber())
        .front()
        .getArgument(argument.getArgNumber());
  }
  auto result = cast<OpResult>(value);
  return ops.lookup(result.getOwner())->getResult(result.getResultNumber());
}

static verifier::Plan
translate(verifier::Plan plan,
          const llvm::DenseMap<Operation *, Operation *> &ops) {
  for (verifier::Insertion &insertion :
       llvm::concat<verifier::Insertion>(plan.insertions, plan.declined)) {
    insertion.before = ops.lookup(insertion.before);
    insertion.handle = translate(insertion.handle, ops);
    insertion.neededBy = ops.lookup(insertion.neededBy);
    for (Operation *&other : insertion.alsoNeededBy)
      other = ops.lookup(other);
    for (Value &live : insertion.liveInside)
      live = translate(live, ops);
  }
  // A reason can be a step that is on one side only.
  SmallVector<verifier::Unproved> &reasons = plan.after.verdict.reasons;
  for (verifier::Unproved &reason : reasons)
    reason.op = ops.lookup(reason.op);
  llvm::erase_if(reasons, [](const auto &reason) { return !reason.op; });
  return plan;
}

Value ScheduleVariant::toOriginal(Value value) const {
  return translate(value, originals);
}

verifier::Plan ScheduleVariant::toOriginal(const verifier::Plan &plan) const {
  return translate(plan, originals);
}

verifier::Plan ScheduleVariant::fromOriginal(const verifier::Plan &plan) const {
  return translate(plan, copies);
}

static const normalforms::Form &getForm(const normalforms::FormLibrary &forms,
                                        StringRef name) {
  const normalforms::Form *form = forms.lookup(name);
  FW_CHECK(form, "the built-in library declares the form");
  return *form;
}

/// Puts each op without effects right in front of what needs it first, in the
/// order of operands: which of two such ops stands first says nothing.
static void orderByDemand(Block &block) {
  SmallVector<Operation *> ordered;
  llvm::DenseSet<Operation *> taken;
  auto take = [&](auto &&self, Operation *op) -> void {
    if (!taken.insert(op).second)
      return;
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *needed = operand.getDefiningOp();
        if (needed && needed->getBlock() == &block)
          self(self, needed);
      }
    });
    ordered.push_back(op);
  };
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        orderByDemand(inner);
    if (!isMemoryEffectFree(&op) || op.hasTrait<OpTrait::IsTerminator>())
      take(take, &op);
  }
  // Operations that no other one needs stay first.
  for (Operation *op : ordered)
    op->moveBefore(&block, block.end());
}

/// A digest of `payload`, which is changed, after normalization to `form`
/// and with ops without effects where they are first needed.
static std::string digestInForm(ModuleOp payload,
                                const normalforms::FormLibrary &forms,
                                const normalforms::Form &form) {
  // The payload after a schedule may be unusual: it is no error here if the
  // driver does not converge, and equal payloads stay equal.
  ScopedDiagnosticHandler quiet(payload.getContext(), [](Diagnostic &) {});
  (void)normalforms::FormNormalizer(forms, form).run(payload);
  orderByDemand(*payload.getBody());
  // All that is not structure, whatever the command line asks for.
  OpPrintingFlags flags;
  flags.printGenericOpForm()
      .assumeVerified()
      .useLocalScope()
      .skipRegions(false)
      .enableDebugInfo(false)
      .printNameLocAsPrefix(false)
      .printValueUsers(false)
      .elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  llvm::raw_sha1_ostream os;
  payload->print(os, flags);
  return llvm::toHex(os.sha1());
}

engine::ChildLimits formwork::transforms::getTrialLimits() {
  engine::ChildLimits limits;
  limits.time = std::chrono::seconds(20);
  limits.memory = uint64_t(4) << 30;
  limits.output = uint64_t(64) << 20;
  // The assembler of a GPU writes its files.
  limits.fileSize = uint64_t(256) << 20;
  return limits;
}

engine::ChildAnswer
formwork::transforms::answerInChild(MLIRContext *context,
                                    llvm::function_ref<json::Object()> work,
                                    const engine::ChildLimits &limits) {
  return engine::askChild(
      *context, [&](llvm::raw_ostream &) { return work(); }, limits);
}

/// In a child: runs `entry` on `payload` itself. Failures are written to
/// `answer`.
static bool runHere(ModuleOp payload, transform::NamedSequenceOp entry,
                    PrepareRun prepare, json::Object &answer) {
  if (prepare)
    prepare();
  ScopedDiagnosticHandler handler(
      payload.getContext(), [&](Diagnostic &diagnostic) {
        if (!answer.get("error") &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error) {
          answer["error"] = json::fixUTF8(diagnostic.str());
          answer["where"] = engine::writeLocation(diagnostic.getLocation());
        }
        return success();
      });
  bool runs = succeeded(runSchedule(payload, entry));
  answer["runs"] = runs;
  return runs;
}

Trial formwork::transforms::runTrial(ModuleOp payload,
                                     transform::NamedSequenceOp entry,
                                     const normalforms::FormLibrary &forms,
                                     PrepareRun prepare,
                                     const engine::ChildLimits &limits,
                                     StringRef compared) {
  MLIRContext *context = payload.getContext();
  const normalforms::Form &form = getForm(forms, compared);
  // Each child would have to collect the rules again.
  (void)forms.getDriver(form);
  Trial trial;
  engine::ChildAnswer given = answerInChild(
      context,
      [&] {
        json::Object answer;
        if (runHere(payload, entry, prepare, answer))
          answer["digest"] = digestInForm(payload, forms, form);
        return answer;
      },
      limits);
  trial.isStopped = given.end.limit != engine::ChildLimit::None;
  if (!given.object) {
    trial.error = "the run does not finish: " + given.end.explain();
    return trial;
  }
  const json::Object &answer = *given.object;
  trial.runs = answer.getBoolean("runs").value_or(false);
  trial.error = answer.getString("error").value_or("");
  if (const json::Value *where = answer.get("where"))
    trial.where = engine::readLocation(where, context);
  trial.digest = answer.getString("digest").value_or("");
  return trial;
}

ResultCheck formwork::transforms::checkResult(
    ModuleOp payload, transform::NamedSequenceOp entry,
    const normalforms::FormLibrary &forms, const normalforms::Form &form,
    PrepareRun prepare) {
  MLIRContext *context = payload.getContext();
  std::optional<json::Object> answer =
      answerInChild(context, [&] {
        json::Object answer;
        if (!runHere(payload, entry, prepare, answer))
          return answer;
        normalforms::FormCheck check =
            normalforms::checkForm(forms, form, payload);
        answer["holds"] = check.holds();
        json::Array violations;
        for (const normalforms::Violation &violation : check.violations)
          violations.push_back(json::Object{
              {"loc", engine::writeLocation(violation.op->getLoc())},
              {"message", json::fixUTF8(violation.message + " (" +
                                        violation.clause + ")")}});
        answer["violations"] = std::move(violations);
        return answer;
      }).object;
  ResultCheck check;
  if (!answer)
    return check;
  check.runs = answer->getBoolean("runs").value_or(false);
  check.holds = answer->getBoolean("holds").value_or(false);
  if (const json::Array *violations = answer->getArray("violations"))
    for (const json::Value &value : *violations) {
      const json::Object &violation = *value.getAsObject();
      check.violations.push_back(
          {engine::readLocation(violation.get("loc"), context),
           violation.getString("message").value_or("").str()});
    }
  return check;
}
