//===- Problem.h - What a plan has to meet, and with what -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem of minimal normalization as a value: the needs of a schedule, the
// normalizations that could be inserted, and what any set of them is worth,
// found by interpreting the schedule with them. Layer: verifier; who searches
// is Search.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_PROBLEM_H
#define FORMWORK_VERIFIER_PLAN_PROBLEM_H

#include "normalforms/Libraries.h"
#include "verifier/plan/Plan.h"
#include "verifier/walk/Interpreter.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <memory>
#include <set>

namespace formwork::verifier {

/// A normalization that a plan can hold: what is inserted, and what it costs.
struct Candidate {
  mlir::Operation *before;
  mlir::Value handle;
  bool viaIsolatedParent;
  bool onModule;
  normalforms::AtomId form;
  /// How often `before` is visited without any insertion; an unknown number of
  /// iterations counts as two.
  unsigned visits = 1;
  /// Which of all visits is the first of `before`.
  unsigned point = 0;

  uint64_t getWeight(const normalforms::FormLibrary &forms) const {
    return uint64_t(visits) * forms.getForm(form).weight;
  }
};

/// A form clause of one op, or the goal. By value: the contract of one instance
/// of an op does not outlive its visit.
struct Need {
  mlir::Operation *op;
  normalforms::AtomId form;
  std::string clause; ///< its id; empty: the goal
  bool required = true;
  std::string otherwise;

  Need(mlir::Operation *op, normalforms::AtomId form) : op(op), form(form) {}
  explicit Need(const FormNeed &need) : op(need.op), form(need.form) {
    if (!need.clause)
      return;
    clause = need.clause->id;
    required = need.clause->required;
    otherwise = need.clause->otherwise;
  }

  bool isGoal() const { return clause.empty(); }
  bool isRequired() const { return required; }
  bool operator==(const Need &other) const {
    return op == other.op && clause == other.clause;
  }
};

/// Sets of positions in `PlanProblem::getCandidates`, ascending.
using CandidateSet = llvm::SmallVector<unsigned>;

class PlanProblem {
public:
  /// Interprets the schedule once and lists the candidates. With `everywhere`,
  /// they are at all ops of the schedule, not only where an insertion can be
  /// part of a least plan; for tests.
  PlanProblem(const ScheduleModel &schedule, mlir::Operation *payload,
              const normalforms::Libraries &libraries,
              const PlanOptions &options, bool everywhere = false);

  /// In source order: by point, then the anchor first that is better, then by
  /// form.
  llvm::ArrayRef<Candidate> getCandidates() const { return candidates; }

  /// The result of one propagation of the schedule with a set of candidates.
  struct Outcome {
    /// The set, in the order in which it was taken.
    CandidateSet order;
    Objective objective;
    /// In the order in which they come up.
    llvm::SmallVector<Need> unmet;
    /// The findings and reasons that count as broken and as doubted.
    llvm::SmallVector<engine::Finding, 1> losses;
  };
  /// In the order that is best; of two that are equal, the first by source
  /// order. Orders differ in what is taken before one op, and up to
  /// `maxOrders` are looked at. Cost: one propagation from the first point of
  /// the set on, and one more for each other order.
  Outcome evaluate(llvm::ArrayRef<unsigned> set) const;
  /// In the order of `order`, of what is taken before one op. Cost: one
  /// propagation from the first point on.
  Outcome evaluateInOrder(llvm::ArrayRef<unsigned> order) const;
  /// Whether it makes a difference which of `set` is taken first: before one op
  /// there are two, and one of them may lose what the other one gives.
  bool dependsOnOrder(llvm::ArrayRef<unsigned> set) const;
  static constexpr unsigned maxOrders = 24;
  /// The explanation of a set: all findings and, for each candidate, the
  /// handles that are used after it and have payload inside its anchors.
  struct Explanation {
    CheckResult result;
    llvm::SmallVector<llvm::SmallVector<mlir::Value, 2>> liveInside;
  };
  /// The same in the order of `order`, with the names of handles in what is
  /// found, and with what there is to say in `explanation` unless that is null.
  /// Cost: a propagation from the start.
  Outcome explain(llvm::ArrayRef<unsigned> order,
                  Explanation *explanation = nullptr) const;

  /// The place of one visit at which one payload op lacks one form.
  struct Element {
    Need need;
    unsigned visit;
    NodeId anchor;
  };
  llvm::ArrayRef<Element> getElements() const { return elements; }
  /// Per candidate, the elements that it meets by itself, ascending.
  llvm::ArrayRef<llvm::SmallVector<unsigned, 4>> getCovers() const {
    return covers;
  }

  /// Whether `candidate` comes too late for `need`.
  bool isBehind(const Candidate &candidate, const Need &need) const {
    auto it = visited.find(need.op);
    return it != visited.end() && candidate.point > it->second.last;
  }

  const Outcome &getBase() const { return base; }
  const normalforms::FormLibrary &getForms() const { return *libraries.forms; }
  /// Transform ops interpreted so far: the measure of what a search costs.
  uint64_t getSpent() const { return spent; }

private:
  class Policy;
  struct Snapshot {
    unsigned top; ///< the op of the entry that comes next
    std::unique_ptr<Interpreter> interpreter;
    llvm::DenseMap<mlir::Operation *, unsigned> visits;
    unsigned numElements; ///< that came up before

    /// A copy to run on with, for `policy`, which goes on as well.
    std::unique_ptr<Interpreter> resume(Policy &policy) const;
  };

  bool counts(const FormNeed &need) const;
  std::unique_ptr<Interpreter> start(Policy &policy,
                                     const CheckOptions &check) const;
  void propagateBase();
  void listPoints(bool everywhere);
  void addPoint(mlir::Operation *op, normalforms::AtomId form);
  void listCandidates();
  void listCandidatesAt(mlir::Operation *point, const Analysis &analysis,
                        llvm::SmallVectorImpl<Candidate> &found) const;
  /// `form`, and those that serve a need of it and one of another form.
  llvm::SmallVector<normalforms::AtomId, 2>
  getForms(normalforms::AtomId form) const;
  /// Runs on from the last snapshot that is not behind `set`.
  CheckResult propagate(llvm::ArrayRef<unsigned> set, Policy &policy) const;
  /// Runs on with `interpreter`, from the op of the entry `next` on; up to the
  /// end, or until `isDone`, asked after each op of the entry with the position
  /// of the next.
  CheckResult propagateFrom(
      std::unique_ptr<Interpreter> interpreter, unsigned next, Policy &policy,
      llvm::function_ref<bool(const Analysis &, unsigned)> isDone = {}) const;
  /// The elements that candidate `index` meets by itself, ascending; `from` is
  /// in front of it. Cost: a propagation until its form is lost.
  llvm::SmallVector<unsigned, 4> probe(unsigned index,
                                       const Snapshot &from) const;
  /// The parts of `need`'s anchors that lack its form.
  static NodeList getMissing(const Analysis &analysis, const FormNeed &need);
  Outcome judge(const CheckResult &result, const Policy &policy,
                llvm::ArrayRef<unsigned> set) const;

  const ScheduleModel &schedule;
  mlir::Operation *payload;
  normalforms::Libraries libraries;
  const PlanOptions &options;
  /// Without names, which take longer than all the rest.
  CheckOptions quiet;

  /// The ops of the entry, its terminator included.
  llvm::SmallVector<mlir::Operation *> tops;
  /// The forms that counted needs of any op have.
  llvm::SmallVector<normalforms::AtomId> demanded;
  /// Where candidates can be, and the forms that are of use there.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<normalforms::AtomId, 2>>
      points;
  /// Without any insertion. Per op: the positions in `tops` at its first and
  /// last visit, which of all visits these are, and how many there are.
  struct Visits {
    unsigned top, lastTop, first, last, count;
  };
  llvm::DenseMap<mlir::Operation *, Visits> visited;
  llvm::SmallVector<Candidate> candidates;
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>> covers;
  llvm::SmallVector<Element> elements;
  llvm::SmallVector<Snapshot> snapshots;
  Outcome base;
  /// The result of `base`: unproved ops, and findings by place and id.
  llvm::DenseSet<mlir::Operation *> baseReasons;
  std::set<std::pair<const void *, std::string>> baseFindings;
  mutable uint64_t spent = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_PROBLEM_H
