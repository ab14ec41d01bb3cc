//===- Instrument.cpp - A schedule that can be watched ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/Instrument.h"

#include "transforms/schedule/FailingStep.h"
#include "transforms/schedule/RunSchedule.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace formwork::transforms;

class InstrumentedSchedule::Builder {
public:
  Builder(InstrumentedSchedule &result, Observe observe)
      : result(result), builder(result.module->getContext()), observe(observe) {
  }

  /// Fills `to`, which is empty, with the steps of the entry's body `from`.
  void fill(Block &from, Block &to, Frame &frame) {
    builder.setInsertionPointToEnd(&to);
    buildBlock(from, frame, {});
    builder.clone(*from.getTerminator(), frame.values);
  }

  /// Puts observers around the steps of `original`, a sequence that is called.
  /// Those of a matcher may be no other ops than matches.
  void observeCalled(transform::NamedSequenceOp original, const Frame &frame) {
    for (Operation *step : listObserved(original))
      observeAround(step, frame);
  }

private:
  void observeAround(Operation *op, const Frame &frame) {
    Operation *clone = frame.values.lookup(op);
    builder.setInsertionPoint(clone);
    transform::ObserveOp::create(builder, op->getLoc(),
                                 ~static_cast<int64_t>(result.steps.size()));
    builder.setInsertionPointAfter(clone);
    addObserver(op, /*entersLoop=*/false, frame, {});
    result.steps.back().isCalled = true;
  }

  /// Puts the steps of `from`, all but the terminator, at the insertion point.
  void buildBlock(Block &from, Frame &frame, const StepPath &path) {
    for (Operation &op : from.without_terminator()) {
      transform::ObserveOp front;
      if (observe == Observe::Around)
        front = transform::ObserveOp::create(builder, op.getLoc(), 0);
      buildOp(op, frame, path);
      addObserver(&op, /*entersLoop=*/false, frame, path);
      // Steps that it includes have numbers by now, too.
      if (front)
        front.setStep(~static_cast<int64_t>(result.steps.size() - 1));
    }
  }

  void addObserver(Operation *op, bool entersLoop, const Frame &frame,
                   const StepPath &path) {
    if (observe == Observe::Nothing)
      return;
    int64_t number = result.steps.size();
    Operation *observer =
        transform::ObserveOp::create(builder, op->getLoc(), number);
    Operation *clone = observer->getPrevNode();
    if (entersLoop || !clone || clone->getName() != op->getName())
      clone = nullptr;
    result.steps.push_back({op, entersLoop, path, &frame, observer, clone});
    if (!entersLoop)
      result.numbers[{path, op}] = number;
  }

  void buildOp(Operation &op, Frame &frame, const StepPath &path) {
    if (auto include = dyn_cast<transform::IncludeOp>(op))
      if (buildInclude(include, frame, path))
        return;
    if (!holdsSteps(&op)) {
      builder.clone(op, frame.values);
      return;
    }
    Operation *clone = op.cloneWithoutRegions(frame.values);
    builder.insert(clone);
    for (auto [from, to] : llvm::zip(op.getRegions(), clone->getRegions())) {
      if (from.empty())
        continue;
      OpBuilder::InsertionGuard guard(builder);
      builder.createBlock(&to);
      for (BlockArgument argument : from.getArguments())
        frame.values.map(argument,
                         to.addArgument(argument.getType(), argument.getLoc()));
      StepPath inner = path;
      inner.push_back({&op, from.getRegionNumber()});
      if (isa<transform::ForeachOp>(op))
        addObserver(&op, /*entersLoop=*/true, frame, inner);
      buildBlock(from.front(), frame, inner);
      builder.clone(*from.front().getTerminator(), frame.values);
    }
  }

  /// False when the include has to stay.
  bool buildInclude(transform::IncludeOp include, Frame &frame,
                    const StepPath &path) {
    auto callee =
        SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
            include, include.getTarget());
    if (!callee || callee.isExternal())
      return false;
    bool suppresses = include.getFailurePropagationMode() ==
                      transform::FailurePropagationMode::Suppress;
    Value root;
    for (Value operand : include->getOperands())
      if (!root &&
          isa<transform::TransformHandleTypeInterface>(operand.getType()))
        root = frame.values.lookup(operand);
    if (suppresses && !root)
      return false;

    Block &body = callee.getBody().front();
    Frame &inner = result.frames.emplace_back();
    inner.caller = &frame;
    inner.include = include;
    for (auto [argument, operand] :
         llvm::zip_first(body.getArguments(), include->getOperands()))
      inner.values.map(argument, frame.values.lookup(operand));
    StepPath innerPath = path;
    innerPath.push_back({include, 0});
    if (!suppresses) {
      buildBlock(body, inner, innerPath);
      for (auto [given, yielded] : llvm::zip_first(
               include->getResults(), body.getTerminator()->getOperands()))
        frame.values.map(given, inner.values.lookup(yielded));
      return true;
    }
    auto sequence = transform::SequenceOp::create(
        builder, include.getLoc(), include->getResultTypes(),
        transform::FailurePropagationMode::Suppress, root,
        [&](OpBuilder &, Location, BlockArgument) {
          buildBlock(body, inner, innerPath);
          builder.clone(*body.getTerminator(), inner.values);
        });
    frame.values.map(include->getResults(), sequence->getResults());
    return true;
  }

  InstrumentedSchedule &result;
  OpBuilder builder;
  Observe observe;
};

InstrumentedSchedule::InstrumentedSchedule(
    const verifier::ScheduleModel &schedule, Observe observe) {
  transform::NamedSequenceOp original = schedule.getEntry();
  IRMapping mapping;
  module = cast<ModuleOp>(schedule.getModule()->clone(mapping));
  entry =
      cast<transform::NamedSequenceOp>(mapping.lookup(original.getOperation()));
  Block &body = entry.getBody().front();
  while (!body.empty())
    body.back().erase();
  Frame &frame = frames.emplace_back();
  Block &from = original.getBody().front();
  frame.values.map(from.getArguments(), body.getArguments());
  Builder builder(*this, observe);
  builder.fill(from, body, frame);
  if (observe != Observe::Around)
    return;
  Frame &called = frames.emplace_back();
  called.values = std::move(mapping);
  schedule.getModule()->walk([&](transform::NamedSequenceOp sequence) {
    if (sequence != original && !sequence.isExternal())
      builder.observeCalled(sequence, called);
  });
}

int64_t InstrumentedSchedule::lookup(const StepPath &path,
                                     Operation *op) const {
  auto it = numbers.find({path, op});
  return it == numbers.end() ? -1 : it->second;
}

SmallVector<ValuePair>
InstrumentedSchedule::getVisible(const ObservedStep &step) const {
  // Innermost first, each block in reverse.
  SmallVector<ValuePair> visible;
  const Frame *frame = step.frame;
  auto add = [&](Value value) {
    if (Value clone = frame->values.lookupOrNull(value))
      visible.push_back({value, clone});
  };
  auto addAll = [&](ValueRange values) {
    for (Value value : llvm::reverse(values))
      add(value);
  };
  Operation *op = step.op;
  bool own = !step.entersLoop;
  if (step.entersLoop)
    addAll(op->getRegion(0).getArguments());
  while (true) {
    if (own)
      addAll(op->getResults());
    own = false;
    Block *block = op->getBlock();
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      addAll(before->getResults());
    addAll(block->getArguments());
    Operation *parent = block->getParentOp();
    if (isa<transform::AlternativesOp>(parent))
      break;
    if (!isa<transform::NamedSequenceOp>(parent)) {
      op = parent;
      continue;
    }
    if (!frame->caller)
      break;
    op = frame->include;
    frame = frame->caller;
  }
  std::reverse(visible.begin(), visible.end());
  return visible;
}

/// Whether `a` comes before `b` wherever both run, as the interpreter sees it.
static bool isBefore(Operation *a, Operation *b) {
  for (; a && a->getBlock(); a = a->getParentOp()) {
    if (a->isProperAncestor(b))
      return false;
    if (Operation *around = a->getBlock()->findAncestorOpInBlock(*b))
      return a->isBeforeInBlock(around);
  }
  return false;
}

bool formwork::transforms::isUsedBehind(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user != op && !isBefore(user, op);
  });
}
