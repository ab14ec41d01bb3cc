//===- Candidates.cpp - Where normalizations could be inserted --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The points, handles and forms that a least plan can be made of. A point is an
// op that has a need, or something around or a call that leads to it: any other
// insertion can move to the next of these without serving less. Layer:
// verifier; part of PlanProblem.
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/ProblemPolicy.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

bool formwork::verifier::isUsedFrom(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *top = op->getBlock()->findAncestorOpInBlock(*user);
    return top ? !top->isBeforeInBlock(op)
               // Around the block, it may be run again.
               : value.getParentRegion() != op->getParentRegion();
  });
}

SmallVector<Value> formwork::verifier::getVisibleValues(Operation *op) {
  SmallVector<Value> values;
  for (;;) {
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      llvm::append_range(values, llvm::reverse(before->getResults()));
    llvm::append_range(values, llvm::reverse(op->getBlock()->getArguments()));
    op = op->getParentOp();
    if (!op || op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return values;
  }
}

SmallVector<AtomId, 2> PlanProblem::getForms(AtomId form) const {
  const FormLattice &lattice = libraries.forms->lattice();
  SmallVector<AtomId, 2> found = {form};
  for (const Form &wide : libraries.forms->getForms()) {
    if (wide.atom == form || !wide.automatic ||
        !lattice.refines(wide.atom, form))
      continue;
    bool servesMore = llvm::any_of(demanded, [&](AtomId other) {
      return lattice.refines(wide.atom, other) && !lattice.refines(form, other);
    });
    // Normalizing fails where a predicate does not hold; none is risked that
    // is not asked for here.
    bool isSafe =
        llvm::all_of(lattice.closure(wide.atom).atoms(), [&](AtomId part) {
          return libraries.forms->getForm(part).predicate.empty() ||
                 lattice.refines(form, part);
        });
    if (servesMore && isSafe)
      found.push_back(wide.atom);
  }
  return found;
}

void PlanProblem::addPoint(Operation *op, AtomId form) {
  if (!visited.contains(op))
    return;
  SmallVector<AtomId, 2> &at = points[op];
  if (llvm::is_contained(at, form))
    return;
  at.push_back(form);
  Operation *parent = op->getParentOp();
  auto callee = dyn_cast<transform::NamedSequenceOp>(parent);
  if (!callee)
    return addPoint(parent, form);
  auto isCalled = [&](Attribute name) {
    return cast<SymbolRefAttr>(name).getLeafReference() ==
           callee.getSymNameAttr();
  };
  for (auto &[caller, visits] : visited) {
    if (auto include = dyn_cast<transform::IncludeOp>(caller);
        include && isCalled(include.getTargetAttr()))
      addPoint(caller, form);
    if (auto foreach = dyn_cast<transform::ForeachMatchOp>(caller);
        foreach && llvm::any_of(foreach.getActions(), isCalled))
      addPoint(caller, form);
  }
}

void PlanProblem::listPoints(bool everywhere) {
  SmallVector<std::pair<Operation *, AtomId>> needs;
  for (auto &[op, visits] : visited)
    for (const FormClause *clause : getFormClauses(op, *libraries.contracts))
      if (counts({op, clause, clause->form}))
        needs.push_back({op, clause->form});
  if (options.check.goal && !tops.empty())
    if (FormNeed goal{tops.back(), nullptr, *options.check.goal}; counts(goal))
      needs.push_back({goal.op, goal.form});
  // The map has no order, the plan must have one.
  llvm::sort(needs, [&](const auto &a, const auto &b) {
    return std::pair(visited.at(a.first).first, a.second) <
           std::pair(visited.at(b.first).first, b.second);
  });
  for (auto [op, form] : needs)
    if (!llvm::is_contained(demanded, form))
      demanded.push_back(form);
  for (auto [op, form] : needs)
    for (AtomId wide : getForms(form)) {
      addPoint(op, wide);
      for (auto &[other, visits] : visited)
        if (everywhere)
          addPoint(other, wide);
    }
  if (options.mayInsertBefore)
    points.remove_if(
        [&](auto &point) { return !options.mayInsertBefore(point.first); });
}

void PlanProblem::listCandidatesAt(Operation *point, const Analysis &analysis,
                                   SmallVectorImpl<Candidate> &found) const {
  SmallVector<Value> visible = getVisibleValues(point);
  for (AtomId form : points.find(point)->second) {
    // One of the handles that lead to the same anchors.
    using Rank = std::tuple<bool, Policy::Place, bool, size_t>;
    std::map<SmallVector<NodeId>, std::pair<Rank, Value>> best;
    for (auto [i, value] : llvm::enumerate(visible)) {
      std::optional<Policy::Place> place =
          Policy::classify(point, value, form, analysis);
      if (!place)
        continue;
      // At the end, the goal is one of the whole payload; a handle to that is
      // better than one that leads to a part of it.
      bool isPart = point == tops.back() && *place == Policy::Place::Parent;
      Rank rank(isPart, *place,
                !llvm::is_contained(point->getOperands(), value), i);
      SmallVector<NodeId> key(analysis.getAnchors(value, form));
      llvm::sort(key);
      auto [it, isNew] = best.try_emplace(key, rank, value);
      if (!isNew && rank < it->second.first)
        it->second = {rank, value};
    }
    SmallVector<std::pair<Rank, Value>> ranked;
    for (auto &[anchors, choice] : best)
      ranked.push_back(choice);
    llvm::sort(ranked,
               [](const auto &a, const auto &b) { return a.first < b.first; });
    const Visits &visits = visited.at(point);
    SmallVector<NodeList> taken;
    for (auto &[rank, value] : ranked) {
      // A module of which a better handle has all functions is in a form when
      // these are.
      NodeList anchors = analysis.getAnchors(value, form);
      bool isImplied = llvm::any_of(taken, [&](const NodeList &better) {
        return llvm::all_of(anchors, [&](NodeId anchor) {
          return analysis.state.payload.isCoveredBy(anchor, better);
        });
      });
      if (isImplied)
        continue;
      taken.push_back(std::move(anchors));
      found.push_back({point, value, std::get<1>(rank) == Policy::Place::Parent,
                       std::get<1>(rank) == Policy::Place::Module, form,
                       visits.count, visits.first});
    }
  }
}

void PlanProblem::listCandidates() {
  if (points.empty())
    return;
  for (auto &[op, forms] : points)
    llvm::sort(forms);
  // Where to go on from: in front of what holds a point, but no more often
  // than memory allows.
  constexpr size_t maxSnapshots = 48;
  SmallVector<unsigned> starts;
  for (auto &[op, forms] : points)
    starts.push_back(visited.at(op).top);
  llvm::sort(starts);
  starts.erase(llvm::unique(starts), starts.end());
  size_t stride = (starts.size() + maxSnapshots - 1) / maxSnapshots;

  Policy policy(*this);
  policy.onVisit = [&](Operation *op, const Analysis &analysis) {
    if (policy.visits.lookup(op) == 1 && points.contains(op))
      listCandidatesAt(op, analysis, candidates);
  };
  std::unique_ptr<Interpreter> interpreter = start(policy, quiet);
  for (unsigned top = 0; top < tops.size(); ++top) {
    auto it = llvm::lower_bound(starts, top);
    bool isStart = it != starts.end() && *it == top;
    std::optional<Snapshot> here;
    if (isStart) {
      // The findings up to here are the same for every set that starts here.
      interpreter->forgetFindings();
      here =
          Snapshot{top, std::make_unique<Interpreter>(*interpreter),
                   policy.visits, static_cast<unsigned>(policy.missing.size())};
    }
    if (top + 1 < tops.size())
      interpreter->step(tops[top]);
    else
      (void)interpreter->end();
    if (!isStart)
      continue;
    // Where nothing is missing there is nothing to meet.
    while (covers.size() < candidates.size())
      covers.push_back(elements.empty() ? SmallVector<unsigned, 4>()
                                        : probe(covers.size(), *here));
    if ((it - starts.begin()) % stride == 0)
      snapshots.push_back(std::move(*here));
  }
  spent += policy.numVisits;
}
