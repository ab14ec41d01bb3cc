//===- Instrument.h - A schedule that can be watched ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones a schedule, puts the bodies of what it includes in the place of each
// include, and an operand-less observer behind each step. Layer: transforms; it
// runs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_INSTRUMENT_H
#define FORMWORK_TRANSFORMS_VALIDATE_INSTRUMENT_H

#include "verifier/source/ScheduleModel.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

#include <deque>
#include <map>
#include <vector>

namespace formwork::transforms {

/// The regions around a step, outermost first: who owns them, and which. An
/// include owns region 0 of what it names.
using StepPath = llvm::SmallVector<std::pair<mlir::Operation *, unsigned>>;

/// One inclusion of a named sequence, or the entry: which value of the clone
/// stands for which value of the original there.
struct Frame {
  const Frame *caller = nullptr;
  mlir::Operation *include = nullptr; ///< of the original; null: the entry
  mlir::IRMapping values;
};

/// A step of the original at one place of the clone.
struct ObservedStep {
  /// The step in the original; at the start of a loop's body, the loop.
  mlir::Operation *op;
  /// Stands at the start of the body of the loop `op`, not behind it.
  bool entersLoop;
  StepPath path;
  const Frame *frame;
  /// The observer's own op in the clone, after the step.
  mlir::Operation *observer = nullptr;
  /// The copy of the step in the clone. None if it is in the body of an
  /// included sequence.
  mlir::Operation *clone = nullptr;
  /// Stands in a sequence that an op such as `foreach_match` calls: no state
  /// describes which of its executions.
  bool isCalled = false;
};

/// A value of the original and the value of the clone that it is in one frame.
struct ValuePair {
  mlir::Value original;
  mlir::Value clone;
};

/// Where observers stand. The one behind the step with the number n has that
/// number, and the one in front of it the number ~n, which is negative.
enum class Observe { Nothing, Behind, Around };

/// The interpreter's tracking of invalidated handles stops at a named sequence,
/// so that the truth needs every include inlined. An include that suppresses
/// failures becomes a `transform.sequence` that does; one that suppresses and
/// takes no op handle stays, and is one step. So do ops whose regions are no
/// part of the schedule's control flow as far as it is known here
/// (`foreach_match`, patterns, matchers). With `Observe::Around`, the steps of
/// the sequences that such ops call are observed where they stand, too.
class InstrumentedSchedule {
public:
  /// With `Observe::Nothing`, only includes are inlined.
  explicit InstrumentedSchedule(const verifier::ScheduleModel &schedule,
                                Observe observe = Observe::Behind);

  mlir::ModuleOp getModule() { return *module; }
  mlir::transform::NamedSequenceOp getEntry() { return entry; }

  llvm::ArrayRef<ObservedStep> getSteps() const { return steps; }
  /// The number of the step behind `op` at `path`; -1 if there is none.
  int64_t lookup(const StepPath &path, mlir::Operation *op) const;

  /// The values that an op placed right behind `step` could use and that hold
  /// payload of the program being transformed: alternatives work on a copy of
  /// their scope, so that inside of them what is outside does not count. In
  /// the order in which they were set, innermost block last.
  llvm::SmallVector<ValuePair> getVisible(const ObservedStep &step) const;

private:
  class Builder;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::transform::NamedSequenceOp entry;
  std::deque<Frame> frames;
  std::vector<ObservedStep> steps;
  std::map<std::pair<StepPath, mlir::Operation *>, int64_t> numbers;
};

/// Whether `value` has a use behind `op`, in its block or in one around it:
/// whether the interpreter keeps the handle up to date while `op` rewrites.
bool isUsedBehind(mlir::Value value, mlir::Operation *op);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_INSTRUMENT_H
