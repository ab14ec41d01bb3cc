//===- Interpreter.cpp - The abstract interpreter ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "engine/Check.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Whether the effects of `op` are those of its body, which is walked.
static bool isStructured(Operation *op) {
  return isa<transform::SequenceOp, transform::ForeachOp,
             transform::AlternativesOp>(op);
}

/// See Interpreter::StepKind.
static bool keepsOrder(Operation *op) {
  return isStructured(op) ||
         isa<transform::AnnotateOp,
             transform::ApplyCommonSubexpressionEliminationOp,
             transform::ApplyDeadCodeEliminationOp, transform::GeneralizeOp,
             transform::IncludeOp, transform::InterchangeOp,
             transform::TileUsingForOp, transform::TileUsingForallOp,
             transform::VectorizeOp>(op);
}

Interpreter::StepKind Interpreter::getStepKind(Operation *op) {
  auto [it, isNew] = stepKinds.try_emplace(op->getName());
  StepKind &kind = it->second;
  if (!isNew)
    return kind;
  kind.isStructured = isStructured(op);
  kind.keepsOrder = keepsOrder(op);
  kind.mayNeedInstance =
      isa<transform::ApplyPatternsOp, transform::ApplyRegisteredPassOp,
          transform::ApplyConversionPatternsOp>(op);
  kind.isForEach = op->hasTrait<transform::TransformEachOpTrait>();
  kind.contract = contracts.lookup(op->getName().getStringRef());
  if (kind.contract) {
    kind.model = lookupModel(kind.contract->model);
    kind.hasConditions = kind.contract->isConditional;
  }
  return kind;
}

Interpreter::AskedForms Interpreter::readSchedule() {
  unsigned numOps = 0;
  bool asksAny = options.observer || options.goal || policy;
  SmallVector<AtomId> asked;
  auto ask = [&](const Contract *contract) {
    if (!contract)
      return;
    for (const FormClause &clause : contract->forms)
      asked.push_back(clause.form);
    asksAny |=
        contract->model == "assert-form" || contract->model == "normalize";
  };
  hasKnobs = options.nameOfSize != nullptr;
  schedule.getModule()->walk([&](Operation *op) {
    ++numOps;
    bool isNew = !stepKinds.contains(op->getName());
    // An op of each name tells, but for those that name a pass.
    if (isNew) {
      ask(getStepKind(op).contract);
      hasKnobs |= isa<transform::tune::KnobOp, transform::tune::AlternativesOp,
                      transform::smt::ConstrainParamsOp>(op);
    }
    if (auto apply = dyn_cast<transform::ApplyRegisteredPassOp>(op))
      ask(contracts.lookupPass(apply.getPassName()));
  });
  effects->reserve(numOps);
  state.payload.expectSteps(numOps);
  // Enough for whatever a person writes; what includes itself over and over, in
  // ever new states, is followed as far as this.
  maxOps = 10000 + 20 * numOps;
  if (asksAny)
    return std::nullopt;
  return forms.lattice().closure(asked);
}

CheckResult Interpreter::run(Operation *payload) {
  AskedForms asked = readSchedule();
  if (asked && asked->isTop())
    state.forms.ignore();
  setUp(payload, asked);
  visitBlock(schedule.getEntry().getBody().front());
  return end();
}

void Interpreter::nameSizes() {
  /// The largest size that is thought of.
  constexpr int64_t maxSize = std::numeric_limits<int32_t>::max();
  solver::TermContext &terms = *parameters->context;
  // Two dimensions of one name have one size.
  llvm::StringMap<solver::IntTerm> named;
  payloadRoot->walk([&](Operation *op) {
    NodeId id = state.payload.lookup(op);
    if (!state.payload[id].space)
      return;
    auto space = std::make_shared<IterationSpace>(*state.payload[id].space);
    for (auto [dim, loop] : llvm::enumerate(space->loops)) {
      std::string name = options.nameOfSize(op, dim);
      if (name.empty())
        return;
      auto known = named.find(name);
      if (known == named.end()) {
        solver::IntTerm term = parameters->problem->addVariable(
            name, solver::Domain::range(1, maxSize), solver::Role::Auxiliary);
        parameters->sizes.push_back(term.getVariable());
        known = named.try_emplace(name, term).first;
      }
      loop = Extent();
      loop.size = assign(known->second);
      if (loop.size.isSymbolic())
        loop.condition = std::make_shared<StaticCondition>(
            StaticCondition{terms.truth(true), schedule.getEntry(),
                            static_cast<unsigned>(dim), "", ""});
    }
    // Nor does the type say what its elements are.
    for (Type &type : space->elementTypes)
      type = NoneType::get(op->getContext());
    state.payload.edit(id).space = std::move(space);
  });
}

void Interpreter::begin(Operation *payload) { setUp(payload, readSchedule()); }

void Interpreter::setUp(Operation *payload, const AskedForms &asked) {
  transform::NamedSequenceOp entry = schedule.getEntry();
  Block &body = entry.getBody().front();
  payloadRoot = payload;
  state.followsForsaken = options.observer || policy;
  if (payload) {
    root = state.payload.addPayload(payload);
    // It may keep the states for longer than the payload stays as it is.
    if (options.observer)
      state.payload.settleLive();
    countGivenWorkgroupMemory();
    if (options.nameOfSize)
      nameSizes();
    // A form that is only a predicate can be looked up on the payload itself.
    if (!state.forms.isIgnored())
      state.forms.establish(
          root, forms.getHolding(payload, asked ? &*asked : nullptr));
  } else {
    // Schedules are applied to modules: that much is assumed of any payload.
    root = state.payload.addSomewhere(
        PayloadModel::universe, UpKind::Inside,
        OperationName(ModuleOp::getOperationName(), entry->getContext()),
        Count::exactly(1), entry);
  }
  for (BlockArgument argument : body.getArguments()) {
    if (argument.getArgNumber() == 0)
      bind(argument, entry, root);
    else
      lookup(argument).origin = entry;
  }
  state.payload.setGiven();
  callStack.push_back(entry);
}

CheckResult Interpreter::end() {
  Block &body = schedule.getEntry().getBody().front();
  if (Operation *end = body.empty() ? nullptr : &body.back()) {
    checkGoal(end);
    checkUnmapped(end);
  }

  for (const auto &name : withoutContract.keys())
    result.withoutContract.push_back(name.str());
  llvm::sort(result.withoutContract);
  requireWorkgroupMemory();
  result.parameters = parameters;
  if (result.findings.hasErrors())
    result.verdict.kind = Verdict::Refuted;
  else
    result.verdict.kind =
        result.verdict.reasons.empty() ? Verdict::Proved : Verdict::Unknown;
  return std::move(result);
}

void Interpreter::visitBlock(Block &block) {
  for (Operation &op : block) {
    // Which no other op of a block is.
    if (&op == &block.back() && op.hasTrait<OpTrait::IsTerminator>()) {
      lastTerminator = &op;
      return;
    }
    if (state.ended)
      continue;
    visitOp(&op);
    if (options.observer && !isTrial)
      options.observer->observe(&op, path, state);
  }
}

void Interpreter::visitRegion(Block &block, const RegionVisit &visit) {
  path.push_back(visit);
  visitBlock(block);
  path.pop_back();
}

/// Whether the contract of `op` depends on more than its name, as it may.
static bool needsInstance(Operation *op, const ContractLibrary &contracts) {
  auto apply = dyn_cast<transform::ApplyPatternsOp>(op);
  return !apply || !getFormClauses(apply, contracts).empty();
}

void Interpreter::visitOp(Operation *op) {
  refused = nullptr;
  unsigned doubtsBefore = doubts;
  if (!state.suppressed) {
    interpret(op);
    if (isAttempt && doubts != doubtsBefore)
      suspects.insert(op);
    return;
  }
  bool leaves = state.leaves, mayHaveLeft = state.mayHaveLeft;
  state.leaves = true;
  // A step that fails may have got anywhere, and the next one runs.
  if (suspects.contains(op))
    visitInPart(op);
  else
    interpret(op);
  state.leaves = leaves;
  if (doubts == doubtsBefore)
    return;
  state.mayHaveLeft = leaves || mayHaveLeft;
  if (refused == op)
    return setEmpty(op);
  suspects.insert(op);
  // Its results, as far as they are not set, are empty.
  for (Value value : op->getResults()) {
    HandleState &handle = lookup(value);
    for (NodeId &node : handle.nodes)
      node = state.payload.addSomewhere(node, UpKind::Element,
                                        state.payload[node].kind,
                                        {0, state.payload[node].count.hi}, op);
    if (handle.kind == HandleState::Params)
      setOpaqueParam(value, op, "the step that sets it may fail");
  }
}

void Interpreter::visitInPart(Operation *op) {
  // However far it gets, it has consumed what it consumes before.
  struct Taken {
    Value value;
    NodeList nodes;
  };
  SmallVector<Taken, 2> taken;
  if (op->getNumRegions() == 0 && !isa<transform::IncludeOp>(op))
    for (Value operand : op->getOperands())
      if (effects->consumes(op, operand))
        taken.push_back({operand, getThere(operand)});
  bool certain = state.certain && !state.mayHaveLeft;
  visitPaths(op, {[&] { interpret(op); }}, /*inPart=*/true);
  for (const Taken &one : taken) {
    HandleState &handle = lookup(one.value);
    if (handle.consumedBy == op)
      handle.consumedForSure = certain;
    for (NodeId node : one.nodes)
      state.payload.consume(node, op, certain);
  }
}

void Interpreter::reorder() {
  if (state.payload.mayHaveReordered())
    return;
  state.payload.mayReorder();
  matchCache.clear();
}

void Interpreter::interpret(Operation *op) {
  running.push_back(op);
  llvm::scope_exit leave([&] { running.pop_back(); });
  if (policy)
    for (const VirtualStep &step : policy->getSteps(op, *this))
      applyStep(step);
  ++result.numOps;
  ++numVisited;
  loneRuns.clear();
  StepKind kind = getStepKind(op);
  bool modifiesPayload = effects->modifiesPayload(op);
  bool isInclude = isa<transform::IncludeOp>(op);
  numWrites += modifiesPayload && !kind.isStructured && !isInclude;
  if (!effects->isStep(op) || (modifiesPayload && !kind.keepsOrder))
    reorder();
  const Contract *contract = kind.contract;
  std::optional<Contract> extended;
  if (contract && (kind.hasConditions ||
                   (kind.mayNeedInstance && needsInstance(op, contracts))))
    contract = &instantiate(op, *contract, extended);
  // Before the op consumes anything: what is inserted for it runs before it.
  if (contract)
    checkFormClauses(op, *contract);
  state.payload.tick();
  checkOperands(op, /*defersConsumption=*/kind.isStructured);
  if (!contract || !effects->isStep(op)) {
    applyUnknown(op);
    return;
  }
  if (!contract->complete)
    unprove(op, "has a contract that does not cover every way to fail");

  // An op that is applied to each target does nothing without targets.
  if (kind.isForEach && op->getNumOperands() != 0 &&
      lookup(op->getOperand(0)).count(state.payload).hi == 0) {
    setEmpty(op);
    return;
  }
  checkOperandClauses(op, *contract);
  if (refused == op)
    return consumeOperands(op);
  assumeKinds(op, *contract);
  checkFailureClauses(op, *contract);
  // What has a body takes only what the steps in it take.
  if (!kind.isStructured && !isInclude)
    checkWalked(op, *contract);
  noteUnmodelledParams(op);
  if (kind.model)
    (this->*kind.model)(op, *contract);
  else
    applyClauses(op, *contract);

  for (Value value : op->getResults())
    (void)lookup(value);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

bool Interpreter::isMissing(Operation *op, const FormClause &clause) const {
  return llvm::any_of(getAnchors(op->getOperand(clause.operand), clause.form),
                      [&](NodeId anchor) {
                        return !state.forms.has(state.payload, anchor,
                                                clause.form);
                      });
}

void Interpreter::checkFormClauses(Operation *op, const Contract &contract) {
  auto applies = [&](const FormClause &clause) {
    return clause.operand < op->getNumOperands() && isMissing(op, clause);
  };
  for (const FormClause &clause : contract.forms) {
    if (!applies(clause))
      continue;
    if (policy)
      policy->reportUnmet({op, &clause, clause.form}, *this);
    Value operand = op->getOperand(clause.operand);
    const Form &form = forms.getForm(clause.form);
    if (clause.required)
      unprove(op, "requires form @" + form.name + ", which is not established");
    // What nothing can normalize to may well hold; that it does not is for the
    // models to see.
    if (!form.automatic && !form.hasDriver())
      continue;
    bool isError =
        clause.required && options.requireForms && clause.when.empty();
    Finding &finding = result.findings.add(
        {op->getLoc(), "fw-missing-form",
         std::string(clause.required ? "requires" : "wants") + " form @" +
             form.name + " at the anchor of " + nameOf(operand) +
             " but it is not established",
         isError ? DiagnosticSeverity::Error : DiagnosticSeverity::Warning});
    Operation *origin = lookup(operand).origin;
    finding.note(NoteKind::Established,
                 origin ? origin->getLoc() : operand.getLoc(),
                 "handle " + nameOf(operand) + " is set here");
    finding.note(NoteKind::Evidence, op->getLoc(),
                 "without it (" + clause.id + "): " + clause.otherwise);
    suggestNormalize(finding, op, operand, form);
  }
}

void Interpreter::checkGoal(Operation *end) {
  if (policy)
    for (const VirtualStep &step : policy->getSteps(end, *this))
      applyStep(step);
  if (!options.goal || state.forms.has(state.payload, root, *options.goal))
    return;
  FormNeed need{end, nullptr, *options.goal};
  const Form &form = forms.getForm(*options.goal);
  if (policy)
    policy->reportUnmet(need, *this);
  warn(end, "fw-missing-goal",
       "requires the payload to end in form @" + form.name +
           " but it is not established");
}

void Interpreter::applyStep(const VirtualStep &step) {
  state.payload.tick();
  reorder();
  // The anchor of a handle is its isolated parent, so that both ways of saying
  // where a form is established come to the same.
  for (NodeId anchor : getAnchors(step.handle, step.form))
    normalizeAt(anchor, forms.getForm(step.form));
}

CheckResult formwork::verifier::checkSchedule(const ScheduleModel &schedule,
                                              Operation *payload,
                                              const FormLibrary &forms,
                                              const ContractLibrary &contracts,
                                              const CheckOptions &options) {
  return Interpreter(schedule, forms, contracts, options).run(payload);
}
