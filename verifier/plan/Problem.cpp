//===- Problem.cpp - What a plan has to meet, and with what -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Problem.h"

#include "verifier/plan/ProblemPolicy.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Policy
//===----------------------------------------------------------------------===//

SmallVector<VirtualStep>
PlanProblem::Policy::getSteps(Operation *op, const Analysis &analysis) {
  ++visits[op];
  ++numVisits;
  if (onVisit)
    onVisit(op, analysis);
  SmallVector<VirtualStep> taken;
  auto it = steps.find(op);
  if (it == steps.end())
    return taken;
  for (unsigned index : it->second) {
    const Candidate &candidate = problem.candidates[index];
    std::optional<Place> place =
        classify(op, candidate.handle, candidate.form, analysis);
    if (!place || (*place == Place::Parent) != candidate.viaIsolatedParent)
      continue;
    for (NodeId anchor : analysis.getAnchors(candidate.handle, candidate.form))
      tokens.push_back({anchor, candidate.form});
    if (onStep)
      onStep(index, analysis);
    taken.push_back(
        {op, candidate.handle, candidate.viaIsolatedParent, candidate.form});
  }
  return taken;
}

void PlanProblem::Policy::reportUnmet(const FormNeed &need,
                                      const Analysis &analysis) {
  if (!problem.counts(need))
    return;
  Need unmet(need);
  for (NodeId anchor : getMissing(analysis, need))
    missing.push_back({unmet, visits.lookup(need.op), anchor});
}

std::optional<PlanProblem::Policy::Place>
PlanProblem::Policy::classify(Operation *op, Value handle, AtomId form,
                              const Analysis &analysis) {
  if (!analysis.isUsable(handle))
    return std::nullopt;
  // An operand of the op itself may be missing as well: then the op does
  // nothing, either.
  bool isOperand = llvm::is_contained(op->getOperands(), handle);
  AnchorKind anchor = analysis.forms.getForm(form).anchor;
  const State &state = analysis.state;
  std::optional<Place> place;
  for (NodeId id : state.handles.find(handle)->nodes) {
    const Node &node = state.payload[id];
    if (!isOperand && (node.present != Certainty::Yes || node.count.lo == 0))
      return std::nullopt;
    auto is = [&](const KindPattern &kind) {
      return node.kind && kind.matches(*node.kind);
    };
    Place here = Place::Parent;
    if (id == analysis.root || is("builtin.module"))
      here = Place::Module;
    else if (is("$isolated") || (anchor == AnchorKind::LoopNest && is("$loop")))
      here = Place::Anchor;
    if (anchor == AnchorKind::Module && here != Place::Module &&
        !is("gpu.module"))
      return std::nullopt;
    if (!analysis.mayRewrite(id, here == Place::Parent))
      return std::nullopt;
    // One insertion is made for all of them.
    if (place && *place != here &&
        (*place == Place::Parent || here == Place::Parent))
      return std::nullopt;
    place = std::max(place.value_or(here), here);
  }
  // The nest around an op that is no loop is anyone's guess.
  if (place == Place::Parent && anchor != AnchorKind::Isolated)
    return std::nullopt;
  return place;
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

PlanProblem::PlanProblem(const ScheduleModel &schedule, Operation *payload,
                         const normalforms::Libraries &libraries,
                         const PlanOptions &options, bool everywhere)
    : schedule(schedule), payload(payload), libraries(libraries),
      options(options), quiet(options.check) {
  quiet.nameOf = [](Value) { return std::string(); };
  Block &body = schedule.getEntry().getBody().front();
  for (Operation &op : body)
    tops.push_back(&op);
  propagateBase();
  listPoints(everywhere);
  listCandidates();
}

bool PlanProblem::counts(const FormNeed &need) const {
  return libraries.forms->getForm(need.form).automatic &&
         (!need.clause || need.clause->required || options.includeWants);
}

NodeList PlanProblem::getMissing(const Analysis &analysis,
                                 const FormNeed &need) {
  const PayloadModel &model = analysis.state.payload;
  NodeList anchors = {analysis.root};
  if (need.clause)
    anchors = analysis.getAnchors(need.op->getOperand(need.clause->operand),
                                  need.form, need.clause->around);
  NodeList missing;
  for (NodeId anchor : anchors) {
    if (analysis.isEstablished(anchor, need.form))
      continue;
    std::optional<NodeList> functions = model.getFunctions(anchor);
    if (!functions || functions->empty())
      functions = NodeList{anchor};
    for (NodeId part : *functions)
      if (!analysis.isEstablished(part, need.form))
        missing.push_back(part);
  }
  return missing;
}

std::unique_ptr<Interpreter>
PlanProblem::start(Policy &policy, const CheckOptions &check) const {
  auto interpreter =
      std::make_unique<Interpreter>(schedule, libraries, check, &policy);
  interpreter->begin(payload);
  return interpreter;
}

void PlanProblem::propagateBase() {
  Policy policy(*this);
  unsigned top = 0;
  policy.onVisit = [&](Operation *op, const Analysis &) {
    auto now = static_cast<unsigned>(policy.numVisits);
    auto it = visited.insert({op, Visits{top, top, now, now, 0}}).first;
    it->second.last = now;
    it->second.lastTop = top;
    ++it->second.count;
  };
  std::unique_ptr<Interpreter> interpreter = start(policy, quiet);
  for (; top + 1 < tops.size(); ++top)
    interpreter->step(tops[top]);
  CheckResult result = interpreter->end();
  for (const Unproved &reason : result.verdict.reasons)
    baseReasons.insert(reason.op);
  for (const Finding &finding : result.findings.get())
    baseFindings.insert({finding.loc.getAsOpaquePointer(), finding.id});
  elements.assign(policy.missing.begin(), policy.missing.end());
  base = judge(result, policy, {});
  spent += policy.numVisits;
}

std::unique_ptr<Interpreter>
PlanProblem::Snapshot::resume(Policy &policy) const {
  auto copy = std::make_unique<Interpreter>(*interpreter);
  copy->setPolicy(&policy);
  policy.visits = visits;
  ArrayRef<Element> elements = policy.getProblem().getElements();
  policy.missing.assign(elements.begin(), elements.begin() + numElements);
  return copy;
}

CheckResult PlanProblem::propagateFrom(
    std::unique_ptr<Interpreter> interpreter, unsigned next, Policy &policy,
    llvm::function_ref<bool(const Analysis &, unsigned)> isDone) const {
  for (; next + 1 < tops.size(); ++next) {
    interpreter->step(tops[next]);
    if (isDone && isDone(interpreter->getAnalysis(), next + 1)) {
      spent += policy.numVisits;
      return CheckResult();
    }
  }
  CheckResult result = interpreter->end();
  // To copy what was before costs a part of interpreting it.
  spent += policy.numVisits + next / 8;
  return result;
}

CheckResult PlanProblem::propagate(ArrayRef<unsigned> set,
                                   Policy &policy) const {
  unsigned top = tops.size();
  for (unsigned index : set) {
    policy.steps[candidates[index].before].push_back(index);
    top = std::min(top, visited.at(candidates[index].before).top);
  }
  for (const Snapshot &snapshot : llvm::reverse(snapshots))
    if (snapshot.top <= top)
      return propagateFrom(snapshot.resume(policy), snapshot.top, policy);
  return propagateFrom(start(policy, quiet), 0, policy);
}

//===----------------------------------------------------------------------===//
// Worth
//===----------------------------------------------------------------------===//

PlanProblem::Outcome PlanProblem::judge(const CheckResult &result,
                                        const Policy &policy,
                                        ArrayRef<unsigned> set) const {
  Outcome outcome;
  outcome.order.assign(set.begin(), set.end());
  for (const Element &element : policy.missing)
    if (!llvm::is_contained(outcome.unmet, element.need))
      outcome.unmet.push_back(element.need);
  Objective &objective = outcome.objective;
  for (const Need &need : outcome.unmet)
    ++(need.isRequired() ? objective.unmetRequired : objective.unmetWanted);

  // A step counts once, however much is said of it.
  llvm::DenseSet<const void *> seen;
  for (const Finding &finding : result.findings.get()) {
    if (finding.id == "fw-missing-form" || finding.id == "fw-missing-goal" ||
        baseFindings.contains({finding.loc.getAsOpaquePointer(), finding.id}))
      continue;
    bool isError = finding.severity == DiagnosticSeverity::Error;
    outcome.losses.push_back(finding);
    if (isError)
      ++objective.broken;
    else if (seen.insert(finding.loc.getAsOpaquePointer()).second)
      ++objective.doubted;
  }
  for (const Unproved &reason : result.verdict.reasons) {
    if (baseReasons.contains(reason.op) ||
        llvm::any_of(outcome.unmet,
                     [&](const Need &need) { return need.op == reason.op; }))
      continue;
    const void *loc = reason.op->getLoc().getAsOpaquePointer();
    if (!seen.insert(loc).second)
      continue;
    ++objective.doubted;
    outcome.losses.push_back(Finding(reason.op->getLoc(), "fw-unproved",
                                     reason.reason,
                                     DiagnosticSeverity::Warning));
  }
  for (unsigned index : set) {
    ++objective.insertions;
    objective.weight += candidates[index].getWeight(*libraries.forms);
    objective.earliness -= candidates[index].point;
  }
  return outcome;
}

PlanProblem::Outcome
PlanProblem::evaluateInOrder(ArrayRef<unsigned> order) const {
  Policy policy(*this);
  CheckResult result = propagate(order, policy);
  return judge(result, policy, order);
}

bool PlanProblem::dependsOnOrder(ArrayRef<unsigned> set) const {
  const FormLattice &lattice = libraries.forms->lattice();
  for (size_t i = 0; i < set.size(); ++i)
    for (size_t j = i + 1; j < set.size(); ++j) {
      const Candidate &a = candidates[set[i]], &b = candidates[set[j]];
      if (a.before == b.before && !(lattice.preserves(a.form, b.form) &&
                                    lattice.preserves(b.form, a.form)))
        return true;
    }
  return false;
}

PlanProblem::Outcome PlanProblem::evaluate(ArrayRef<unsigned> set) const {
  Outcome best = evaluateInOrder(set);
  auto isFree = [](const Objective &objective) {
    return objective.broken == 0 && objective.unmetRequired == 0 &&
           objective.doubted == 0 && objective.unmetWanted == 0;
  };
  if (isFree(best.objective) || !dependsOnOrder(set))
    return best;
  // The candidates before one op are one run of the set.
  SmallVector<std::pair<size_t, size_t>> runs;
  for (size_t begin = 0, end; begin < set.size(); begin = end) {
    for (end = begin + 1;
         end < set.size() &&
         candidates[set[end]].before == candidates[set[begin]].before;)
      ++end;
    if (dependsOnOrder(set.slice(begin, end - begin)))
      runs.push_back({begin, end});
  }
  CandidateSet order(set);
  for (unsigned tried = 1; tried < maxOrders && !isFree(best.objective);
       ++tried) {
    // As digits count on: the next of the last run, or of the one before it.
    bool isNext = false;
    for (auto [begin, end] : llvm::reverse(runs)) {
      isNext =
          std::next_permutation(order.begin() + begin, order.begin() + end);
      if (isNext)
        break;
    }
    if (!isNext)
      break;
    Outcome outcome = evaluateInOrder(order);
    if (outcome.objective < best.objective)
      best = std::move(outcome);
  }
  return best;
}

/// Adds the handles that are used behind `candidate` and have payload inside
/// its anchors to `inside`.
static void collectLiveInside(const Candidate &candidate,
                              const Analysis &analysis,
                              SmallVectorImpl<Value> &inside) {
  const State &state = analysis.state;
  NodeList anchors = analysis.getAnchors(candidate.handle, candidate.form);
  for (Value value : getVisibleValues(candidate.before)) {
    if (value == candidate.handle || llvm::is_contained(inside, value) ||
        !isUsedFrom(value, candidate.before) || !analysis.isUsable(value))
      continue;
    bool isInside =
        llvm::any_of(state.handles.find(value)->nodes, [&](NodeId node) {
          return llvm::any_of(anchors, [&](NodeId anchor) {
            return node != anchor &&
                   state.payload.isAtOrBelow(node, anchor) != Certainty::No;
          });
        });
    if (isInside)
      inside.push_back(value);
  }
}

PlanProblem::Outcome PlanProblem::explain(ArrayRef<unsigned> order,
                                          Explanation *explanation) const {
  Policy policy(*this);
  for (unsigned index : order)
    policy.steps[candidates[index].before].push_back(index);
  if (explanation) {
    explanation->liveInside.resize(order.size());
    policy.onStep = [&](unsigned index, const Analysis &analysis) {
      collectLiveInside(
          candidates[index], analysis,
          explanation->liveInside[llvm::find(order, index) - order.begin()]);
    };
  }
  std::unique_ptr<Interpreter> interpreter = start(policy, options.check);
  for (Operation *op : ArrayRef(tops).drop_back())
    interpreter->step(op);
  CheckResult found = interpreter->end();
  spent += policy.numVisits;
  Outcome outcome = judge(found, policy, order);
  if (explanation)
    explanation->result = std::move(found);
  return outcome;
}

SmallVector<unsigned, 4> PlanProblem::probe(unsigned index,
                                            const Snapshot &from) const {
  const Candidate &candidate = candidates[index];
  Policy policy(*this);
  policy.steps[candidate.before].push_back(index);
  (void)propagateFrom(
      from.resume(policy), from.top, policy,
      [&](const Analysis &analysis, unsigned next) {
        // Nothing is met by what is not taken again and does not hold any more.
        bool isPast = next > visited.at(candidate.before).lastTop;
        return isPast && llvm::none_of(policy.tokens, [&](const auto &token) {
                 return analysis.isEstablished(token.first, token.second);
               });
      });
  // An element that was passed is met unless it was reported again.
  SmallVector<unsigned, 4> met;
  for (unsigned i = from.numElements; i < elements.size(); ++i) {
    const Element &element = elements[i];
    const Need &need = element.need;
    if (!libraries.forms->lattice().refines(candidate.form, need.form) ||
        policy.visits.lookup(need.op) < element.visit)
      continue;
    bool isMissing =
        llvm::any_of(ArrayRef(policy.missing).drop_front(from.numElements),
                     [&](const Element &other) {
                       return other.visit == element.visit &&
                              other.anchor == element.anchor &&
                              other.need == need;
                     });
    if (!isMissing)
      met.push_back(i);
  }
  return met;
}
