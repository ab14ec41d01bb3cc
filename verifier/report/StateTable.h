//===- StateTable.h - The state of handles, for people ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inferred facts about every handle, as words, and the trace of a check
// as a table: a step of the schedule on the left, the handles that it changes
// on the right. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_REPORT_STATETABLE_H
#define FORMWORK_VERIFIER_REPORT_STATETABLE_H

#include "normalforms/FormLibrary.h"
#include "verifier/report/FollowedHandles.h"
#include "verifier/source/SourceNames.h"
#include "verifier/state/Observer.h"
#include "verifier/state/State.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>

namespace formwork::verifier {

/// The state of one handle, in words.
struct HandleSummary {
  /// `valid`, `empty`, `dead: 4` (invalidated by the step in line 4) or
  /// `dead?: 4` (perhaps).
  std::string validity;
  /// `1 linalg.matmul`, `2..3 any op`, `values of 1 scf.for`, `param [8, ?]`
  /// (`open` where a knob decides);
  /// `-` of what is dead.
  std::string payload;
  /// The forms that hold at all of its payload, without those that another of
  /// them refines: `@linalg.tiled, @bufferized`; `-` for none.
  std::string forms;

  bool operator==(const HandleSummary &other) const = default;
};

HandleSummary summarizeHandle(const State &state,
                              const normalforms::FormLibrary &forms,
                              const HandleState &handle);

/// The handles that a step behind `step` can name, by their place.
llvm::SmallVector<mlir::Value> getVisibleHandles(mlir::Operation *step,
                                                 const State &state);

/// An observer that prints the table as the check goes on; 120 columns wide.
/// Cost of a step: with `All`, linear in the handles that it can name; else in
/// those that `FollowedHandles` looks at.
class StateTable : public StateObserver {
public:
  enum Rows { Changed, All };

  /// `names` may be null: steps are called by their op then.
  StateTable(const normalforms::FormLibrary &forms, const SourceNames *names,
             std::function<std::string(mlir::Value)> nameOf, Rows rows,
             llvm::raw_ostream &os);

  void observe(mlir::Operation *step, llvm::ArrayRef<RegionVisit> path,
               const State &state) override;

private:
  std::string describeStep(mlir::Operation *step, size_t depth) const;
  /// The handles that may have a row behind `step`, by their place.
  llvm::SmallVector<mlir::Value> getHandles(mlir::Operation *step,
                                            const State &state);

  const normalforms::FormLibrary &forms;
  const SourceNames *names;
  std::function<std::string(mlir::Value)> nameOf;
  Rows rows;
  llvm::raw_ostream &os;
  FollowedHandles followed;
  /// The last printed state of each handle.
  llvm::DenseMap<mlir::Value, HandleSummary> shown;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_REPORT_STATETABLE_H
