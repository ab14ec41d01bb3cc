//===- Interpreter.cpp - The abstract interpreter ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/walk/Interpreter.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/clauses/Envelope.h"
#include "verifier/clauses/OpenParams.h"
#include "verifier/clauses/SideEffects.h"
#include "verifier/clauses/Uses.h"
#include "verifier/clauses/Yields.h"
#include "verifier/findings/Suggestions.h"
#include "verifier/models/Miscompilations.h"
#include "verifier/models/Models.h"
#include "verifier/models/control/Control.h"
#include "verifier/models/control/ForeachMatch.h"
#include "verifier/models/gpu/MapThreads.h"
#include "verifier/models/gpu/TriedSteps.h"
#include "verifier/models/memory/WorkgroupLimits.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/models/rewriting/Normalization.h"
#include "verifier/state/GivenPayload.h"
#include "verifier/step/KnownOptions.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

static void checkFormClauses(const Step &step);

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

Interpreter::StepKind Interpreter::getStepKind(Operation *op) {
  auto [it, isNew] = stepKinds.try_emplace(op->getName());
  StepKind &kind = it->second;
  if (!isNew)
    return kind;
  kind.isAssembled = isAssembled(op);
  kind.isForEach = op->hasTrait<transform::TransformEachOpTrait>();
  kind.isCall = isa<CallOpInterface>(op);
  kind.contract = analysis.contracts.lookup(op->getName().getStringRef());
  if (kind.contract) {
    kind.model = findModel(kind.contract->model, op->getContext());
    kind.hasConditions = kind.contract->isConditional;
    kind.isStructured = kind.contract->has(SideEffect::EffectsOfBody);
    kind.keepsOrder = kind.contract->has(SideEffect::KeepsOrder);
    kind.handlesParams = kind.contract->has(SideEffect::HandsOnParameters) ||
                         (kind.model && kind.model->derivesConstraints);
  }
  return kind;
}

/// Whether `op`, which may open parameters, holds what is chosen.
static bool isChosen(Operation *op) {
  if (auto knob = dyn_cast<transform::tune::KnobOp>(op))
    return knob.getSelected().has_value();
  // A parameter that chooses comes from elsewhere.
  if (auto regions = dyn_cast<transform::tune::AlternativesOp>(op))
    return regions.getSelectedRegionAttr() || regions.getSelectedRegionParam();
  return false;
}

void Interpreter::readSchedule() {
  unsigned numOps = 0;
  analysis.hasKnobs = analysis.options.nameOfSize != nullptr;
  analysis.schedule.walkReached([&](Operation *op) {
    ++numOps;
    StepKind kind = getStepKind(op);
    analysis.hasKnobs |= kind.contract &&
                         kind.contract->has(SideEffect::OpensParameters) &&
                         (analysis.options.knobsAreOpen || !isChosen(op));
  });
  // Enough for whatever a person writes; what includes itself over and over, in
  // ever new states, is followed as far as this.
  maxOps = 10000 + 20 * numOps;
}

CheckResult Interpreter::run(Operation *payload) {
  begin(payload);
  visitBlock(analysis.schedule.getEntry().getBody().front());
  return end();
}

void Interpreter::nameSizes() {
  /// The largest size that is thought of.
  constexpr int64_t maxSize = std::numeric_limits<int32_t>::max();
  solver::TermContext &terms = *analysis.parameters->context;
  // Two dimensions of one name have one size.
  llvm::StringMap<solver::IntTerm> named;
  analysis.payloadRoot->walk([&](Operation *op) {
    NodeId id = analysis.state.payload.lookup(op);
    if (!analysis.state.payload[id].space)
      return;
    auto space =
        std::make_shared<IterationSpace>(*analysis.state.payload[id].space);
    for (auto [dim, loop] : llvm::enumerate(space->loops)) {
      std::string name = analysis.options.nameOfSize(op, dim);
      if (name.empty())
        return;
      auto known = named.find(name);
      if (known == named.end()) {
        solver::IntTerm term = analysis.parameters->problem->addVariable(
            name, solver::Domain::range(1, maxSize), solver::Role::Auxiliary);
        analysis.parameters->sizes.push_back(term.getVariable());
        known = named.try_emplace(name, term).first;
      }
      loop = Extent();
      loop.size = analysis.assign(known->second);
      if (loop.size.isSymbolic())
        loop.condition = std::make_shared<StaticCondition>(
            StaticCondition{terms.truth(true), analysis.schedule.getEntry(),
                            static_cast<unsigned>(dim), "", ""});
    }
    // Nor does the type say what its elements are.
    for (Type &type : space->elementTypes)
      type = NoneType::get(op->getContext());
    analysis.state.payload.edit(id).space = std::move(space);
  });
}

void Interpreter::begin(Operation *payload) {
  readSchedule();
  setUp(payload);
}

/// The type of the handle that the schedule is given, if it names a kind.
static transform::OperationType getEntryType(transform::NamedSequenceOp entry) {
  Block &body = entry.getBody().front();
  return body.getNumArguments() == 0 ? nullptr
                                     : dyn_cast<transform::OperationType>(
                                           body.getArgument(0).getType());
}

/// The interpreter binds the payload to the first argument, and refuses one of
/// another kind than its type names.
static void checkEntryKind(const Step &entry, Operation *payload) {
  transform::OperationType type =
      getEntryType(cast<transform::NamedSequenceOp>(entry.op));
  if (!type || type.getOperationName() == payload->getName().getStringRef())
    return;
  entry
      .report("fw-kind-mismatch",
              "requires payload of kind '" + type.getOperationName() +
                  "' but is applied to '" + payload->getName().getStringRef() +
                  "'",
              /*definite=*/true, /*silenceable=*/false)
      .note(NoteKind::FixIt, entry.op->getLoc(),
            "use the type !transform.any_op and match the wanted ops inside of "
            "that payload");
}

void Interpreter::setUp(Operation *payload) {
  transform::NamedSequenceOp entry = analysis.schedule.getEntry();
  Block &body = entry.getBody().front();
  analysis.payloadRoot = analysis.firstPayload = payload;
  analysis.state.followsForsaken = analysis.options.observer || analysis.policy;
  if (payload) {
    const GivenPayload *given = analysis.options.given;
    if (given && given->getOp() != payload)
      given = nullptr;
    if (given) {
      analysis.state.payload = given->copyModel();
      analysis.root = given->getNode();
    } else {
      analysis.root = analysis.state.payload.addPayload(payload);
    }
    if (!given || given->mayHoldMemory())
      countGivenWorkgroupMemory(analysis);
    if (analysis.options.nameOfSize)
      nameSizes();
    // A form that is only a predicate can be looked up on the payload itself.
    analysis.state.forms.establish(analysis.root,
                                   given ? given->getHeld()
                                         : analysis.forms.getHolding(payload));
    checkEntryKind(analysis.at(entry), payload);
  } else {
    // Schedules are applied to modules, if they do not say otherwise: that much
    // is assumed of any payload.
    StringRef kind = ModuleOp::getOperationName();
    if (transform::OperationType type = getEntryType(entry))
      kind = type.getOperationName();
    analysis.root = analysis.state.payload.addSomewhere(
        PayloadModel::universe, UpKind::Inside,
        OperationName(kind, entry->getContext()), Count::exactly(1), entry);
  }
  for (BlockArgument argument : body.getArguments()) {
    if (argument.getArgNumber() == 0)
      analysis.bind(argument, entry, analysis.root);
    else
      analysis.lookup(argument).origin = entry;
  }
  analysis.state.payload.setGiven();
  callStack.push_back(entry);
}

CheckResult Interpreter::end() {
  Block &body = analysis.schedule.getEntry().getBody().front();
  if (Operation *end = body.empty() ? nullptr : &body.back()) {
    checkGoal(end);
    checkUnmapped(analysis, end);
  }

  for (const auto &name : analysis.outcome.withoutContract.keys())
    analysis.outcome.result.withoutContract.push_back(name.str());
  llvm::sort(analysis.outcome.result.withoutContract);
  requireWorkgroupMemory(analysis);
  decided.addFindings(analysis.outcome.result.findings);
  analysis.outcome.result.numDecisions = decided.count();
  analysis.outcome.result.effective = decided.getEffective();
  analysis.outcome.result.parameters = analysis.parameters;
  if (analysis.outcome.result.findings.hasErrors())
    analysis.outcome.result.verdict.kind = Verdict::Refuted;
  else
    analysis.outcome.result.verdict.kind =
        analysis.outcome.result.verdict.reasons.empty() ? Verdict::Proved
                                                        : Verdict::Unknown;
  return std::move(analysis.outcome.result);
}

void Interpreter::forgetFindings() {
  analysis.outcome.result = CheckResult();
  analysis.matchCache.clear();
  calls.clear();
}

void Interpreter::visitBlock(Block &block) {
  for (Operation &op : block) {
    // Which no other op of a block is.
    if (&op == &block.back() && op.hasTrait<OpTrait::IsTerminator>()) {
      lastTerminator = &op;
      return;
    }
    if (analysis.state.ended)
      continue;
    visitOp(&op);
    if (analysis.options.observer && !analysis.isTrial)
      analysis.options.observer->observe(&op, path, analysis.state);
  }
}

void Interpreter::visitRegion(Block &block, const RegionVisit &visit) {
  path.push_back(visit);
  visitBlock(block);
  path.pop_back();
}

void Interpreter::visitOp(Operation *op) {
  analysis.refused = nullptr;
  unsigned doubtsBefore = analysis.outcome.doubts;
  if (!analysis.state.suppressed) {
    interpret(op);
    if (isAttempt && analysis.outcome.doubts != doubtsBefore)
      suspects.insert(op);
    return;
  }
  bool leaves = analysis.state.leaves, mayHaveLeft = analysis.state.mayHaveLeft;
  analysis.state.leaves = true;
  // A step that fails may have got anywhere, and the next one runs.
  if (suspects.contains(op))
    visitInPart(op);
  else
    interpret(op);
  analysis.state.leaves = leaves;
  if (analysis.outcome.doubts == doubtsBefore)
    return;
  analysis.state.mayHaveLeft = leaves || mayHaveLeft;
  if (analysis.refused == op)
    return analysis.at(op).setEmpty();
  suspects.insert(op);
  // Its results, as far as they are not set, are empty.
  for (Value value : op->getResults()) {
    HandleState &handle = analysis.lookup(value);
    for (NodeId &node : handle.nodes)
      node = analysis.state.payload.addElement(
          node, {0, analysis.state.payload[node].count.hi}, op);
    if (handle.kind == HandleState::Params)
      analysis.setOpaqueParam(value, op, "the step that sets it may fail");
  }
}

void Interpreter::visitInPart(Operation *op) {
  // However far it gets, it has consumed what it consumes before.
  struct Taken {
    Value value;
    NodeList nodes;
  };
  SmallVector<Taken, 2> taken;
  if (op->getNumRegions() == 0 && !isa<CallOpInterface>(op))
    for (Value operand : op->getOperands())
      if (analysis.effects->consumes(op, operand))
        taken.push_back({operand, analysis.getThere(operand)});
  bool certain = analysis.state.isReached();
  visitPaths(op, {[&] { interpret(op); }}, /*inPart=*/true);
  for (const Taken &one : taken) {
    HandleState &handle = analysis.lookup(one.value);
    if (handle.consumedBy == op)
      handle.consumedForSure = certain;
    for (NodeId node : one.nodes)
      analysis.state.payload.consume(node, op, certain);
  }
}

void Analysis::reorder() {
  if (state.payload.mayHaveReordered())
    return;
  state.payload.mayReorder();
  matchCache.clear();
}

void Interpreter::applyModel(const Step &step, const Model &model) {
  // The steps of a region that it walks have their own.
  const Model *outer = std::exchange(analysis.model, nullptr);
  if (model.walk) {
    model.walk(step, *this);
  } else {
    analysis.model = &model;
    model.apply(step);
  }
  analysis.model = outer;
}

/// Whether the trial of a step sees each use of a handle that is not valid: in
/// a sequence that is called, MLIR looks for none.
static bool seesInvalidUses(const Analysis &analysis) {
  return llvm::count_if(analysis.schedule.getReached(),
                        llvm::IsaPred<transform::NamedSequenceOp>) == 1;
}

void Interpreter::settleByTrial(const Step &step, unsigned doubts,
                                size_t findings) {
  Outcome &outcome = analysis.outcome;
  Verdict &verdict = outcome.result.verdict;
  // That a handle may be invalid is all that a trial can answer.
  bool onlyDoubtsHandles =
      llvm::all_of(outcome.result.findings.get().drop_front(findings),
                   [&](const Finding &finding) {
                     return finding.severity == DiagnosticSeverity::Warning &&
                            finding.id == "fw-use-after-consume" &&
                            seesInvalidUses(analysis);
                   });
  // Only the last reason can be that of this step, visited once.
  bool isOpen = analysis.knowsOnlyKinds ||
                outcome.doubts - doubts == analysis.numLeftToTrial;
  bool isOnlyUnproved = isOpen && outcome.doubts != doubts &&
                        onlyDoubtsHandles && !verdict.reasons.empty() &&
                        verdict.reasons.back().op == step.op &&
                        outcome.unproved.contains(step.op);
  if (!isOnlyUnproved)
    return;
  bool succeeds = succeedsInTrial(step);
  analysis.knowsOnlyKinds &= succeeds;
  if (!succeeds)
    return;
  outcome.doubts = doubts;
  outcome.unproved.erase(step.op);
  verdict.reasons.pop_back();
  --outcome.result.numUnproved;
  if (outcome.result.findings.get().size() == findings)
    return;
  Findings kept;
  for (const Finding &finding :
       outcome.result.findings.get().take_front(findings))
    kept.add(finding);
  outcome.result.findings = std::move(kept);
}

void Interpreter::interpret(Operation *op) {
  analysis.running.push_back(op);
  llvm::scope_exit leave([&] { analysis.running.pop_back(); });
  takePlannedSteps(op);
  KnownOptions options(analysis, op);
  ++analysis.outcome.result.numOps;
  ++numVisited;
  analysis.loneRuns.clear();
  analysis.numLeftToTrial = 0;
  StepKind kind = getStepKind(op);
  StepEffects &effects = *analysis.effects;
  bool modifiesPayload = effects.modifiesPayload(op);
  // A query only records the place of payload that already existed.
  bool onlyLooks = analysis.state.payload.isAsGiven() && effects.isStep(op) &&
                   !modifiesPayload && op->getNumRegions() == 0 && !kind.isCall;
  llvm::scope_exit keep([&] {
    if (std::exchange(analysis.isReadAgain, false) || onlyLooks)
      analysis.state.payload.setGiven();
  });
  analysis.outcome.numWrites +=
      modifiesPayload && !kind.isStructured && !kind.isCall;
  if (!effects.isStep(op) || (modifiesPayload && !kind.keepsOrder))
    analysis.reorder();
  const Contract *contract = kind.contract;
  std::optional<Contract> extended;
  if (contract && (kind.hasConditions ||
                   (kind.isAssembled && needsInstance(op, analysis.contracts))))
    contract = &instantiate(analysis.at(op), *contract, extended);
  Step step = contract ? analysis.at(op, *contract) : analysis.at(op);
  unsigned doubts = analysis.outcome.doubts;
  // Before the op consumes anything: what is inserted for it runs before it.
  checkFormClauses(step);
  size_t findings = analysis.outcome.result.findings.get().size();
  step.payload.tick();
  checkOperands(step, /*defersConsumption=*/kind.isStructured);
  if (!contract || !effects.isStep(op)) {
    applyUnknown(step, *this);
    return noteUnmodelledParams(step, op->getOperands());
  }
  if (!contract->complete)
    step.unprove("may fail in a way that its contract does not describe");

  warnOfMiscompilation(step);
  StepVisit visit(step);
  applyContract(step, kind, doubts, findings);
  // A trial of alternatives on a copy need not have an effect.
  bool isFollowed =
      !analysis.isTrial && !analysis.policy && analysis.state.detached.empty();
  if (isFollowed && analysis.refused != op)
    decided.add(step, visit);
}

void Interpreter::applyContract(const Step &step, const StepKind &kind,
                                unsigned doubts, size_t findings) {
  Operation *op = step.op;
  // An op that is applied to each target does nothing without targets.
  if (kind.isForEach && op->getNumOperands() != 0 &&
      step.lookup(op->getOperand(0)).count(step.payload).hi == 0)
    return step.setEmpty();
  // For the payload before the step; used if there is no more specific reason.
  std::optional<std::string> whyOutside = getWhyOutsideEnvelope(step);
  checkOperandClauses(step);
  if (analysis.refused == op)
    return consumeOperands(step);
  assumeKinds(step);
  checkFailureClauses(step);
  // A step with a body consumes only the operands of the steps in it.
  if (!kind.isStructured && !kind.isCall)
    checkWalked(step);
  if (!kind.handlesParams)
    noteUnmodelledParams(step, op->getOperands());
  if (!kind.model)
    applyClauses(step);
  else
    applyModel(step, *kind.model);
  if (!analysis.isReadAgain)
    applySideEffects(step);
  // A step with a body is proved if the steps in it are.
  if (!kind.isStructured && !kind.isCall)
    settleByTrial(step, doubts, findings);
  analysis.knowsOnlyKinds |= kind.model && kind.model->isTriedFromHere;
  if (whyOutside) {
    step.unprove(*whyOutside);
    analysis.outcome.result.untested.insert(op);
  }

  for (Value value : op->getResults())
    (void)step.lookup(value);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static bool isMissing(const Step &step, const FormClause &clause) {
  return llvm::any_of(
      step.analysis.getAnchors(step.op->getOperand(clause.operand), clause.form,
                               clause.around),
      [&](NodeId anchor) {
        return !step.state.forms.has(step.payload, anchor, clause.form);
      });
}

static void checkFormClauses(const Step &step) {
  auto applies = [&](const FormClause &clause) {
    return clause.operand < step.op->getNumOperands() &&
           isMissing(step, clause);
  };
  for (const FormClause &clause : step.contract.forms) {
    if (!applies(clause))
      continue;
    if (step.analysis.policy)
      step.analysis.policy->reportUnmet({step.op, &clause, clause.form},
                                        step.analysis);
    Value operand = step.op->getOperand(clause.operand);
    const Form &form = step.forms.getForm(clause.form);
    if (clause.required)
      step.unprove("requires form @" + form.name +
                   ", which is not established");
    // A form that nothing can normalize to may still hold; the models decide.
    if (!form.automatic && !form.hasDriver())
      continue;
    bool isError =
        clause.required && step.options.requireForms && clause.when.empty();
    Finding &finding = step.analysis.outcome.result.findings.add(
        {step.op->getLoc(), "fw-missing-form",
         std::string(clause.required ? "requires" : "wants") + " form @" +
             form.name + " for the payload of " + step.nameOf(operand) +
             " but no earlier step establishes the form",
         isError ? DiagnosticSeverity::Error : DiagnosticSeverity::Warning});
    finding.lackedForm = form.name;
    step.noteSet(finding, operand);
    finding.note(NoteKind::Evidence, step.op->getLoc(),
                 "without the form (" + clause.id + "): " + clause.otherwise);
    suggestNormalize(step, finding, operand, form, clause.around);
  }
}

void Interpreter::takePlannedSteps(Operation *op) {
  if (!analysis.policy)
    return;
  for (const VirtualStep &planned : analysis.policy->getSteps(op, analysis)) {
    analysis.state.payload.tick();
    analysis.reorder();
    // The anchor of a handle is its isolated parent, so that both ways of
    // saying where a form is established come to the same.
    for (NodeId anchor : analysis.getAnchors(planned.handle, planned.form))
      normalizeAt(analysis, anchor, analysis.forms.getForm(planned.form));
  }
}

void Interpreter::checkGoal(Operation *end) {
  takePlannedSteps(end);
  const CheckOptions &options = analysis.options;
  if (!options.goal || analysis.state.forms.has(analysis.state.payload,
                                                analysis.root, *options.goal))
    return;
  if (analysis.policy)
    analysis.policy->reportUnmet({end, nullptr, *options.goal}, analysis);
  analysis.at(end).warn("fw-missing-goal",
                        "requires the payload to end in form @" +
                            analysis.forms.getForm(*options.goal).name +
                            " but no step establishes the form");
}

CheckResult formwork::verifier::checkSchedule(const ScheduleModel &schedule,
                                              Operation *payload,
                                              const Libraries &libraries,
                                              const CheckOptions &options) {
  return Interpreter(schedule, libraries, options).run(payload);
}
