//===- Verifier.h - Check a schedule before it runs -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry to the verifier: a schedule, perhaps its payload, and the options
// of the check go in; findings and a verdict come out (DESIGN §5, §6). Layer:
// verifier; it reads the payload and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_VERIFIER_H
#define FORMWORK_VERIFIER_VERIFIER_H

#include "engine/Diagnostics.h"
#include "normalforms/Libraries.h"
#include "verifier/parameters/ParameterModel.h"
#include "verifier/solver/Budget.h"
#include "verifier/source/ScheduleModel.h"
#include "verifier/state/Observer.h"
#include "verifier/target/Target.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <optional>
#include <string>

namespace formwork::verifier {

class GivenPayload;
class SourceNames;

struct CheckOptions {
  /// The architecture whose limits hold; null: those common to all.
  const Target *target = nullptr;
  /// Whether a required form that is not implied is an error, because nothing
  /// will be inserted; otherwise it is a warning.
  bool requireForms = false;
  /// The form that the payload must be in at the end, if any.
  std::optional<normalforms::AtomId> goal;
  /// Whether a knob that is `selected` is open all the same, for a solver that
  /// is asked to complete or to correct a choice.
  bool knobsAreOpen = false;
  /// The name of the size of a dimension of an op of the payload that is not
  /// known, and not what its type says; empty for what is. By default, all are
  /// known.
  std::function<std::string(mlir::Operation *, unsigned)> nameOfSize;
  /// Values of open knobs, and of symbols of smt regions and unknown sizes, by
  /// name: the schedule is checked with these.
  const llvm::StringMap<int64_t> *assignment = nullptr;
  /// The name of a value as its source has it (`%func`, `%x#1`); by default as
  /// the printer would number it.
  std::function<std::string(mlir::Value)> nameOf;
  /// The payload that is given is the op in which the schedule stands, as when
  /// both are in one file; MLIR's interpreter lets no step rewrite that.
  bool holdsSchedule = false;
  /// The payload as checks read it, if that is known already; of another
  /// payload than the one that is checked, nothing is taken.
  const GivenPayload *given = nullptr;
  /// The text of the schedule: fix-its come with edits of it, if given.
  const SourceNames *source = nullptr;
  /// Told the state after each step, if given.
  StateObserver *observer = nullptr;
  /// When the trials of steps end. A step that was not tried in time is not
  /// proved. The functions that ask a solver take the deadline of its budget.
  solver::Deadline deadline = std::nullopt;
};

/// Why one op of the schedule keeps it from being proved.
struct Unproved {
  mlir::Operation *op;
  std::string reason;
  /// The part of it that is to blame, if it is one.
  mlir::Operation *part = nullptr;
};

/// Proved: no execution of the schedule fails or uses an invalid handle;
/// relative to the contracts and to the LLVM that they describe. Refuted: each
/// error of the findings is one that happens. Unknown: neither, for the reasons
/// given.
struct Verdict {
  enum Kind { Proved, Refuted, Unknown };
  Kind kind = Unknown;
  llvm::SmallVector<Unproved> reasons;

  /// "proved", "refuted" or "unproved".
  llvm::StringRef getName() const {
    return kind == Proved ? "proved" : kind == Refuted ? "refuted" : "unproved";
  }
};

struct CheckResult {
  engine::Findings findings;
  Verdict verdict;
  /// Transform ops that were interpreted; ops in a sequence that is included
  /// twice count twice.
  unsigned numOps = 0;
  /// The number of these that keep the schedule from being proved.
  unsigned numUnproved = 0;
  /// The number of steps that state a decision about payload.
  unsigned numDecisions = 0;
  /// Those of them that surely have their effect on each target, if they run.
  llvm::SmallVector<mlir::Operation *> effective;
  /// The names of ops without a contract, sorted.
  llvm::SmallVector<std::string> withoutContract;
  /// Findings that models reported without declaring that they decide them, as
  /// `MODEL: ID`; a test fails if there is one.
  llvm::SmallVector<std::string, 0> undeclared;
  /// The steps that are outside of the envelopes of their contracts: what they
  /// leave is not known.
  llvm::SmallPtrSet<mlir::Operation *, 4> untested;
  /// The knobs that are open, and what the steps require of them: the findings
  /// and the verdict hold for values that meet all of it.
  std::shared_ptr<ParameterModel> parameters;
};

/// Checks the entry sequence of `schedule`, on `payload` or, when that is null,
/// on any payload. The findings are not emitted. Cost: linear in the schedule
/// for ops that do not write; a write costs the size of the payload model.
/// Thread-safe for distinct contexts.
CheckResult checkSchedule(const ScheduleModel &schedule,
                          mlir::Operation *payload,
                          const normalforms::Libraries &libraries,
                          const CheckOptions &options = {});

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_VERIFIER_H
