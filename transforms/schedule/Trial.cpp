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
#include "mlir/Dialect/Transform/DebugExtension/DebugExtensionOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

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
  for (verifier::Insertion &insertion : plan.insertions) {
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
  // What nobody needs stays in front.
  for (Operation *op : ordered)
    op->moveBefore(&block, block.end());
}

engine::Fingerprint formwork::transforms::fingerprintCanonical(
    ModuleOp payload, const normalforms::FormLibrary &forms) {
  OwningOpRef<ModuleOp> copy = payload.clone();
  const normalforms::Form *canonical = forms.lookup("canonical");
  FW_CHECK(canonical, "the built-in library declares @canonical");
  // What a schedule left may be odd; that it does not converge is no error
  // here, and two that are equal stay so.
  ScopedDiagnosticHandler quiet(payload.getContext(),
                                [](Diagnostic &) { return success(); });
  (void)normalforms::FormNormalizer(forms, *canonical).run(*copy);
  orderByDemand(*copy->getBody());
  engine::Fingerprinter fingerprinter;
  return fingerprinter.ofBody(*copy);
}

void formwork::transforms::silencePrints(Operation *schedule) {
  schedule->walk([](transform::PrintOp print) {
    OpBuilder builder(print);
    if (Value target = print.getTarget())
      transform::EmitRemarkAtOp::create(builder, print.getLoc(), target,
                                        builder.getStringAttr("printed"));
    print.erase();
  });
}

Trial formwork::transforms::runTrial(ModuleOp payload,
                                     transform::NamedSequenceOp entry,
                                     const normalforms::FormLibrary &forms) {
  Trial trial;
  // A copy only where it is needed: most schedules print nothing.
  std::optional<ScheduleVariant> silent;
  Operation *module = entry->getParentOp();
  while (Operation *outer = module->getParentOp())
    module = outer;
  bool prints =
      module->walk([](transform::PrintOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (prints) {
    silent = ScheduleVariant::create(entry, {});
    silencePrints(silent->getModule());
    entry = silent->getEntry();
  }
  trial.result = payload.clone();
  {
    ScopedDiagnosticHandler handler(
        payload.getContext(), [&](Diagnostic &diagnostic) {
          if (trial.error.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            trial.error = diagnostic.str();
            trial.where = diagnostic.getLocation();
          }
          return success();
        });
    trial.runs = succeeded(runSchedule(*trial.result, entry));
  }
  if (trial.runs)
    trial.fingerprint = fingerprintCanonical(*trial.result, forms);
  return trial;
}
