//===- Plan.cpp - Which normalizations a schedule lacks ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Plan.h"

#include "engine/AnyBelow.h"
#include "verifier/plan/Search.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// `candidate`, inserted for `need`.
static Insertion makeInsertion(const Candidate &candidate, const Need &need,
                               SmallVector<Value, 2> liveInside) {
  return {candidate.before,
          candidate.handle,
          candidate.viaIsolatedParent,
          candidate.onModule,
          candidate.form,
          need.op,
          need.isGoal() ? std::string("goal") : need.clause,
          need.isRequired(),
          need.isGoal() ? "the payload does not end in the goal form"
                        : need.otherwise,
          {},
          std::move(liveInside),
          candidate.point};
}

/// The reasons for each candidate of the result.
static SmallVector<Insertion>
makeInsertions(const PlanProblem &problem, const SearchResult &result,
               MutableArrayRef<SmallVector<Value, 2>> live) {
  SmallVector<Insertion> insertions;
  for (auto [i, index] : llvm::enumerate(result.outcome.order)) {
    const Candidate &candidate = problem.getCandidates()[index];
    SmallVector<Need> served;
    for (unsigned element : problem.getCovers()[index])
      if (const Need &need = problem.getElements()[element].need;
          !llvm::is_contained(served, need))
        served.push_back(need);
    if (served.empty()) {
      // It is useful only together with the others: list the needs that are
      // unmet without it.
      CandidateSet others = result.set;
      llvm::erase(others, index);
      served = problem.evaluate(others).unmet;
      llvm::erase_if(served, [&](const Need &need) {
        return llvm::is_contained(result.outcome.unmet, need);
      });
    }
    llvm::stable_sort(served, [](const Need &a, const Need &b) {
      return a.isRequired() && !b.isRequired();
    });
    Need need = served.empty() ? Need(candidate.before, candidate.form)
                               : served.front();
    Insertion insertion = makeInsertion(candidate, need, std::move(live[i]));
    for (const Need &other : served)
      if (other.op != need.op &&
          !llvm::is_contained(insertion.alsoNeededBy, other.op))
        insertion.alsoNeededBy.push_back(other.op);
    insertions.push_back(std::move(insertion));
  }
  return insertions;
}

/// Whether `op` is in a sequence that is an action of a `foreach_match`.
static bool isInAction(Operation *op) {
  auto sequence = op->getParentOfType<transform::NamedSequenceOp>();
  auto names = [&](Attribute name) {
    return cast<SymbolRefAttr>(name).getLeafReference() ==
           sequence.getSymNameAttr();
  };
  return anyBelow(sequence->getParentOp(),
                  [&](transform::ForeachMatchOp foreach) {
                    return llvm::any_of(foreach.getActions(), names);
                  });
}

/// Adds to `declined` that `candidate` is left out, which `need` wants.
static void addDeclined(const Candidate &candidate, const Need &need,
                        SmallVectorImpl<Insertion> &declined) {
  for (Insertion &other : declined)
    if (other.before == candidate.before && other.handle == candidate.handle &&
        other.form == candidate.form) {
      other.alsoNeededBy.push_back(need.op);
      return;
    }
  declined.insert(llvm::upper_bound(declined, candidate.point,
                                    [](unsigned point, const Insertion &other) {
                                      return point < other.point;
                                    }),
                  makeInsertion(candidate, need, {}));
}

/// Why `need` is left unmet. Whom it would harm is looked at until `limit` ops
/// are interpreted in all. Insertions left out because a step would be less
/// sure are added to `declined`.
static Finding explainUnmet(const Need &need, const PlanProblem &problem,
                            const SearchResult &result,
                            const PlanOptions &options, uint64_t limit,
                            SmallVectorImpl<Insertion> &declined) {
  const std::string &form = problem.getForms().getForm(need.form).name;
  std::string wanted =
      (need.isRequired() ? "requires form @" : "wants form @") + form;
  std::optional<unsigned> choice;
  for (unsigned i = 0; i < problem.getCandidates().size(); ++i)
    if (!llvm::is_contained(result.set, i) &&
        llvm::any_of(problem.getCovers()[i], [&](unsigned element) {
          return problem.getElements()[element].need == need;
        }))
      choice = i;
  bool isFixed = options.mayInsertBefore && !options.mayInsertBefore(need.op);
  auto reportNoSource = [&] {
    Finding finding(need.op->getLoc(), "fw-no-source",
                    wanted +
                        " but this step is not in the file that is edited, and "
                        "no normalization in that file helps the step",
                    need.isRequired() ? DiagnosticSeverity::Error
                                      : DiagnosticSeverity::Warning);
    if (!need.isGoal())
      finding.note(NoteKind::Evidence, need.op->getLoc(),
                   "without the form (" + need.clause + "): " + need.otherwise);
    finding.note(NoteKind::FixIt, need.op->getLoc(),
                 "normalize the file that holds this step");
    return finding;
  };
  auto reportNoHandle = [&](StringRef when) {
    Finding finding(
        need.op->getLoc(), "fw-no-live-handle",
        wanted +
            " but no valid handle leads to the payload that lacks the form" +
            when.str(),
        DiagnosticSeverity::Warning);
    if (isInAction(need.op))
      finding.note(NoteKind::Approximation, need.op->getLoc(),
                   "this step runs in an action of 'transform.foreach_match', "
                   "which may change nothing outside of what was matched");
    return finding;
  };
  if (!choice)
    return isFixed ? reportNoSource() : reportNoHandle("");

  const Candidate &candidate = problem.getCandidates()[*choice];
  bool isCheap = problem.getSpent() < limit;
  CandidateSet more = result.set;
  more.insert(llvm::upper_bound(more, *choice), *choice);
  PlanProblem::Outcome outcome;
  if (isCheap)
    outcome = problem.explain(problem.evaluate(more).order);
  std::string handle = options.check.nameOf
                           ? options.check.nameOf(candidate.handle)
                           : std::string("a handle");
  bool isMet = !llvm::is_contained(outcome.unmet, need);
  if (!isMet && isFixed)
    return reportNoSource();
  bool harmsNobody =
      isCheap && outcome.losses.empty() &&
      llvm::all_of(outcome.unmet, [&](const Need &other) {
        return other == need || llvm::is_contained(result.outcome.unmet, other);
      });
  if (!isMet && harmsNobody)
    return reportNoHandle(" each time that this step runs");
  if (isCheap && !need.isRequired() && outcome.objective.broken == 0)
    addDeclined(candidate, need, declined);
  Finding finding(
      need.op->getLoc(), "fw-plan-conflict",
      wanted + " but normalizing " + handle + " to it " +
          (isMet ? "breaks what a later step needs"
                 : "does not last together with what other steps need"),
      need.isRequired() ? DiagnosticSeverity::Error
                        : DiagnosticSeverity::Warning);
  finding.lackedForm = form;
  if (!need.isGoal())
    finding.note(NoteKind::Evidence, need.op->getLoc(),
                 "without the form (" + need.clause + "): " + need.otherwise);
  for (const Finding &loss : outcome.losses)
    finding.note(NoteKind::Lost, loss.loc,
                 "with the normalization, this step " + loss.message + " (" +
                     loss.id + ")");
  if (outcome.losses.empty())
    for (const Need &other : outcome.unmet)
      if (!llvm::is_contained(result.outcome.unmet, other))
        finding.note(NoteKind::Lost, other.op->getLoc(),
                     "with the normalization, form @" +
                         problem.getForms().getForm(other.form).name +
                         " is lost here");
  return finding;
}

Plan formwork::verifier::planNormalization(
    const ScheduleModel &schedule, Operation *payload,
    const normalforms::Libraries &libraries, const PlanOptions &options) {
  PlanProblem problem(schedule, payload, libraries, options);
  SearchResult result = searchPlan(problem);
  Plan plan;
  PlanProblem::Explanation explanation;
  (void)problem.explain(result.outcome.order, &explanation);
  plan.insertions = makeInsertions(problem, result, explanation.liveInside);
  plan.after = std::move(explanation.result);
  plan.objective = result.outcome.objective;
  plan.exact = result.exact;
  plan.lowerBound = result.lowerBound;
  constexpr uint64_t explanationBudget = 1000;
  uint64_t limit = problem.getSpent() + explanationBudget;
  for (const Need &need : result.outcome.unmet)
    plan.after.findings.add(
        explainUnmet(need, problem, result, options, limit, plan.declined));
  return plan;
}
