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
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

std::string Interpreter::nameOf(Value value) const {
  if (options.nameOf)
    return options.nameOf(value);
  std::string name;
  llvm::raw_string_ostream os(name);
  value.printAsOperand(os, OpPrintingFlags().useLocalScope());
  return name;
}

/// Whether MLIR is known to say of this failure that it can be recovered from.
/// An error that is not silenced says no less if it cannot.
static bool isSurelySilenceable(Operation *op, StringRef id) {
  if (id == "fw-wrong-kind")
    return op->hasTrait<transform::TransformEachOpTrait>() ||
           isa<transform::VectorizeOp>(op);
  // Of a step that fails, the contract says whether it is.
  if (llvm::is_contained({"fw-step-fails", "fw-no-ancestor",
                          "fw-duplicate-payload", "fw-no-parent",
                          "fw-no-producer", "fw-not-a-producer"},
                         id))
    return true;
  return (id == "fw-cardinality" && isa<transform::SplitHandleOp>(op)) ||
         (id == "fw-too-many-tile-sizes" &&
          isa<transform::TileUsingForOp>(op)) ||
         (id == "fw-dynamic-shape" && isa<transform::VectorizeOp>(op)) ||
         (id == "fw-matcher-failed" && isa<transform::MatchOpInterface>(op));
}

Finding &Interpreter::report(Operation *op, StringRef id,
                             const llvm::Twine &message, bool definite,
                             bool silenceable) {
  ++doubts;
  bool isError = definite && state.certain &&
                 !(silenceable && (state.suppressed || state.recovers));
  if (isError && state.guard) {
    // An error in a region that need not be chosen excludes that choice.
    std::string text = message.str();
    parameters->add(id.drop_front(strlen("fw-")),
                    parameters->context->logicalNot(*state.guard), op,
                    "this step is not chosen: it " + text,
                    ConstraintKind::Required);
    return guarded.add({op->getLoc(), id, message, DiagnosticSeverity::Error});
  }
  // Where a failure is an answer, a certain one leaves nothing open.
  bool isAnswer = definite && state.certain && silenceable && state.recovers &&
                  !state.suppressed && isSurelySilenceable(op, id);
  state.ended |= isAnswer;
  // An error speaks for itself.
  if (isError)
    unproved.insert(op);
  else if (isAnswer)
    --doubts;
  else if (!hidesFailure(silenceable && isSurelySilenceable(op, id)))
    unprove(op, message);
  return result.findings.add(
      {op->getLoc(), id, message,
       isError ? DiagnosticSeverity::Error : DiagnosticSeverity::Warning});
}

Finding &Interpreter::warn(Operation *op, StringRef id,
                           const llvm::Twine &message) {
  return result.findings.add(
      {op->getLoc(), id, message, DiagnosticSeverity::Warning});
}

bool Interpreter::hidesFailure(bool silenceable) {
  bool isHidden = silenceable && state.suppressed;
  hiddenDoubts += isHidden;
  return isHidden;
}

void Interpreter::unprove(Operation *op, const llvm::Twine &reason,
                          bool silenceable) {
  ++doubts;
  if (hidesFailure(silenceable)) {
    if (hidden.insert(op).second)
      warn(op, "fw-hidden-failure",
           "may do less than it says, since a failure that is not seen leaves "
           "the payload as it is: " +
               reason);
    return;
  }
  // Where a failure can be recovered from, nothing behind it need run.
  state.certain &= !state.recovers;
  if (!unproved.insert(op).second)
    return;
  result.verdict.reasons.push_back({op, reason.str()});
  ++result.numUnproved;
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

HandleState &Interpreter::bind(Value value, Operation *origin,
                               ArrayRef<NodeId> nodes) {
  HandleState handle;
  handle.kind = kindOfHandle(value.getType());
  if (handle.kind != HandleState::Params)
    handle.nodes.assign(nodes.begin(), nodes.end());
  // The consumptions of this very step are older than what it returns.
  handle.since = state.payload.time() + 1;
  handle.origin = origin;
  return state.handles[value] = std::move(handle);
}

HandleState &Interpreter::lookup(Value value) {
  auto it = state.handles.find(value);
  if (it != state.handles.end())
    return it->second;
  // A value from a region that is not modelled.
  NodeId any = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                          std::nullopt, Count(), nullptr);
  return bind(value, nullptr, any);
}

HandleState &Interpreter::setResult(Operation *op, unsigned index,
                                    ArrayRef<NodeId> nodes, bool ordered) {
  Value value = op->getResult(index);
  HandleState &handle = bind(value, op, nodes);
  handle.ordered = ordered;
  auto type = dyn_cast<transform::OperationType>(value.getType());
  if (!type)
    return handle;
  for (NodeId id : nodes) {
    const Node &node = state.payload[id];
    if (node.kind && node.kind->getStringRef() == type.getOperationName())
      continue;
    bool definite =
        node.kind && node.count.lo > 0 && node.present == Certainty::Yes;
    Finding &finding =
        report(op, "fw-kind-mismatch",
               "requires payload of kind '" + type.getOperationName() +
                   "' for result #" + Twine(index) + " but " +
                   (definite ? "has '" : "may have '") +
                   (node.kind ? node.kind->getStringRef() : "any op") + "'",
               definite);
    if (definite)
      suggestKind(finding, value, *node.kind);
    break;
  }
  return state.handles[value];
}

void Interpreter::setOpaque(Operation *op, unsigned index) {
  NodeId any = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                          std::nullopt, Count(), op);
  setResult(op, index, any, /*ordered=*/false);
}

void Interpreter::setEmpty(Operation *op) {
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setResult(op, i, {});
}

bool Interpreter::isUsable(Value value) const {
  auto it = state.handles.find(value);
  if (it == state.handles.end() || it->second.consumedBy ||
      it->second.kind != HandleState::Ops || it->second.nodes.empty())
    return false;
  return llvm::all_of(it->second.nodes, [&](NodeId node) {
    return state.payload.getInvalidation(node, it->second.since).certainty ==
           Certainty::No;
  });
}

NodeList Interpreter::getAnchors(Value value, AtomId form) const {
  NodeList anchors;
  auto it = state.handles.find(value);
  if (it == state.handles.end())
    return anchors;
  bool isSmall = forms.getForm(form).anchor == AnchorKind::LoopNest;
  for (NodeId node : it->second.nodes) {
    NodeId anchor = node;
    if (!isSmall)
      anchor = state.payload.getAncestor(node, /*proper=*/false, {"$isolated"})
                   .value_or(node);
    if (!llvm::is_contained(anchors, anchor))
      anchors.push_back(anchor);
  }
  return anchors;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

CheckResult Interpreter::run(Operation *payload) {
  begin(payload);
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

void Interpreter::begin(Operation *payload) {
  transform::NamedSequenceOp entry = schedule.getEntry();
  Block &body = entry.getBody().front();
  payloadRoot = payload;
  if (payload) {
    root = state.payload.addPayload(payload);
    if (options.nameOfSize)
      nameSizes();
    // A form that is only a predicate can be looked up on the payload itself.
    for (const Form &form : forms.getForms())
      if (!form.hasDriver() && forms.checkPredicates(form, payload).empty())
        state.forms.establish(root, form.atom);
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
  // Enough for whatever a person writes; what includes itself over and over, in
  // ever new states, is followed as far as this.
  unsigned numOps = 0;
  schedule.getModule()->walk([&](Operation *) { ++numOps; });
  maxOps = 10000 + 20 * numOps;
  pristine = state.payload.version();
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
    if (op.hasTrait<OpTrait::IsTerminator>()) {
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

/// Whether the effects of `op` are those of its body, which is walked.
static bool isStructured(Operation *op) {
  return isa<transform::SequenceOp, transform::ForeachOp,
             transform::AlternativesOp>(op);
}

/// Whether the contract of `op` depends on more than its name.
static bool needsInstance(Operation *op, const Contract &contract,
                          const ContractLibrary &contracts) {
  if (auto apply = dyn_cast<transform::ApplyPatternsOp>(op))
    if (!getFormClauses(apply, contracts).empty())
      return true;
  return contract.hasConditions() ||
         isa<transform::ApplyRegisteredPassOp,
             transform::ApplyConversionPatternsOp>(op);
}

void Interpreter::visitOp(Operation *op) {
  if (!state.suppressed)
    return interpret(op);
  unsigned doubtsBefore = doubts;
  // A step that fails may have got anywhere, and the next one runs.
  if (suspects.contains(op))
    visitPaths(op, {[&] { interpret(op); }}, /*inPart=*/true);
  else
    interpret(op);
  if (doubts == doubtsBefore)
    return;
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

void Interpreter::interpret(Operation *op) {
  if (policy)
    for (const VirtualStep &step : policy->getSteps(op, *this))
      applyStep(step);
  ++result.numOps;
  ++numVisited;
  auto writer = dyn_cast<transform::TransformOpInterface>(op);
  numWrites += writer && !isStructured(op) && !isa<transform::IncludeOp>(op) &&
               transform::doesModifyPayload(writer);
  const Contract *contract = contracts.lookup(op->getName().getStringRef());
  std::optional<Contract> instance;
  if (contract && needsInstance(op, *contract, contracts)) {
    instance = instantiate(op, *contract);
    contract = &*instance;
  }
  // Before the op consumes anything: what is inserted for it runs before it.
  if (contract)
    checkFormClauses(op, *contract);
  state.payload.tick();
  checkOperands(op, /*defersConsumption=*/isStructured(op));
  if (!contract || !isa<transform::TransformOpInterface>(op)) {
    applyUnknown(op);
    return;
  }
  if (!contract->complete)
    unprove(op, "has a contract that does not cover every way to fail");

  // An op that is applied to each target does nothing without targets.
  if (op->hasTrait<transform::TransformEachOpTrait>() &&
      op->getNumOperands() != 0 &&
      lookup(op->getOperand(0)).count(state.payload).hi == 0) {
    setEmpty(op);
    return;
  }
  checkOperandClauses(op, *contract);
  checkFailureClauses(op, *contract);
  if (Model model = lookupModel(contract->model))
    (this->*model)(op, *contract);
  else
    applyClauses(op, *contract);

  for (Value value : op->getResults())
    (void)lookup(value);
}

void Interpreter::checkOperands(Operation *op, bool defersConsumption) {
  auto transformOp = dyn_cast<transform::TransformOpInterface>(op);
  // An op that takes one handle twice looks at all before it consumes any.
  bool looksFirst = transformOp && transformOp.allowsRepeatedHandleOperands();
  if (looksFirst)
    for (OpOperand &operand : op->getOpOperands())
      checkUse(op, operand);
  // What an operand consumes, the next ones must not hold, even where it is
  // consumed only when the body begins.
  if (defersConsumption && op->getNumOperands() > 1) {
    State before = state;
    checkOperands(op, /*defersConsumption=*/false);
    state = std::move(before);
    return;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!looksFirst)
      checkUse(op, operand);
    if (!transformOp ||
        !transform::isHandleConsumed(operand.get(), transformOp))
      continue;
    checkDuplicates(op, operand);
    checkNesting(op, operand);
    if (!defersConsumption)
      consumeHandle(op, operand.get());
  }
}

void Interpreter::consumeHandle(Operation *op, Value value) {
  HandleState &handle = lookup(value);
  if (handle.kind == HandleState::Params)
    return;
  // Where failures are not looked at, the handle may be empty.
  bool certain = state.certain && !state.suppressed;
  handle.consumedBy = op;
  handle.consumedForSure = certain;
  for (NodeId node : handle.nodes) {
    const Node &consumed = state.payload[node];
    bool isThere = consumed.present == Certainty::Yes && consumed.count.lo > 0;
    state.payload.consume(node, op, certain && isThere);
    if (!state.payload[node].exact)
      state.payload.blur(node);
  }
}

void Interpreter::checkUse(Operation *op, OpOperand &operand) {
  HandleState &handle = lookup(operand.get());
  if (handle.kind == HandleState::Params || handle.reported)
    return;
  HandleInvalidation worst = state.getInvalidation(handle);
  if (worst.certainty == Certainty::No) {
    // Never looked at again: what happened up to here left it alone.
    handle.since = std::max(handle.since, state.payload.time());
    return;
  }
  Operation *by = worst.by;
  // That anything may have happened there has been said.
  if (summarized.contains(by) && worst.certainty != Certainty::Yes) {
    handle.since = std::max(handle.since, state.payload.time());
    return;
  }
  bool definite = worst.certainty == Certainty::Yes;
  std::string how = "consumes this handle";
  if (!worst.direct) {
    const Node &consumed = state.payload[worst.event.node];
    std::string kind = consumed.kind
                           ? ("'" + consumed.kind->getStringRef() + "'").str()
                           : std::string("an op");
    if (worst.event.node == worst.dead || worst.event.partial)
      how = "consumes another handle to the same " +
            (consumed.kind ? kind : std::string("op"));
    else
      how = ("consumes " + Twine(kind) + ", which " +
             (definite ? "contains" : "may be or contain") +
             " the payload of this handle")
                .str();
  }
  std::string name = nameOf(operand.get());
  Finding &finding =
      definite
          ? report(op, "fw-use-after-consume",
                   "requires a valid handle but " + name + " is invalidated",
                   /*definite=*/true, /*silenceable=*/false)
          : report(op, "fw-use-after-consume",
                   "requires a valid handle but " + name +
                       " may be invalidated on the path through '" +
                       by->getName().getStringRef() + "'",
                   /*definite=*/false);
  Location established =
      handle.origin ? handle.origin->getLoc() : operand.get().getLoc();
  finding.note(NoteKind::Established, established,
               "handle " + name + " is set here");
  finding.note(NoteKind::Lost, by->getLoc(),
               "'" + by->getName().getStringRef() + "' " + how);
  if (worst.direct && isa<transform::IncludeOp>(by))
    finding.note(NoteKind::Evidence, by->getLoc(),
                 "the sequence marks this argument 'transform.consumed', "
                 "whatever its body does");
  suggestLiveHandle(finding, op, operand.get(), by);
  handle.reported = true;
}

/// The kinds of a contract in words: `a loop or 'func.func'`.
static std::string describeKinds(ArrayRef<std::string> kinds) {
  auto describe = [](StringRef kind) {
    return llvm::StringSwitch<std::string>(kind)
        .Case("$loop", "a loop")
        .Case("$isolated", "an op isolated from above")
        .Case("$structured", "a structured op")
        .Case("$tileable", "a tileable op")
        .Default(("'" + kind + "'").str());
  };
  return llvm::join(llvm::map_range(kinds, describe), " or ");
}

void Interpreter::checkOperandClauses(Operation *op, const Contract &contract) {
  for (const OperandClause &clause : contract.operands) {
    if (clause.operand >= op->getNumOperands())
      continue;
    if (clause.kind == OperandClause::NeedsAncestor) {
      checkAncestors(op, clause);
      continue;
    }
    Value operand = op->getOperand(clause.operand);
    HandleState &handle = lookup(operand);
    // Whether the clause applies at all.
    bool applies = clause.when.empty();
    Location established =
        handle.origin ? handle.origin->getLoc() : operand.getLoc();
    if (clause.kind == OperandClause::Single) {
      Count count = handle.count(state.payload);
      if (count.isExactly(1))
        continue;
      if (!applies || (count.lo <= 1 && count.hi != 0)) {
        unprove(op, "requires exactly one payload op in a handle of which no "
                    "count is known");
        continue;
      }
      Finding &finding = report(
          op, "fw-cardinality",
          "requires exactly one payload op but " + nameOf(operand) + " has " +
              (count.isExact() ? "" : "at least ") + Twine(count.lo));
      finding.note(NoteKind::Established, established,
                   "handle " + nameOf(operand) + " is set here");
      finding.note(NoteKind::Evidence, op->getLoc(), clause.otherwise);
      continue;
    }
    for (NodeId id : handle.nodes) {
      const Node &node = state.payload[id];
      if (node.kind && matchesAnyKind(*node.kind, clause.kinds))
        continue;
      if (!node.kind && isAmong(node, clause.kinds))
        continue;
      // What another target holds may be gone when its turn comes.
      bool isInside = llvm::any_of(handle.nodes, [&](NodeId other) {
        return other != id &&
               state.payload.isAtOrBelow(id, other) != Certainty::No;
      });
      bool definite = applies && node.kind && node.count.lo > 0 &&
                      node.present == Certainty::Yes && !isInside;
      if (!definite) {
        unprove(op, "may have payload of a kind that it does not accept: " +
                        Twine(clause.otherwise));
        continue;
      }
      Finding &finding = report(op, "fw-wrong-kind",
                                "requires " + describeKinds(clause.kinds) +
                                    " but " + nameOf(operand) + " has '" +
                                    node.kind->getStringRef() + "'");
      finding.note(NoteKind::Established, established,
                   "handle " + nameOf(operand) + " is set here");
      finding.note(NoteKind::Evidence, op->getLoc(), clause.otherwise);
      break;
    }
  }
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
  // The anchor of a handle is its isolated parent, so that both ways of saying
  // where a form is established come to the same.
  for (NodeId anchor : getAnchors(step.handle, step.form))
    normalizeAt(anchor, step.form);
}

CheckResult formwork::verifier::checkSchedule(const ScheduleModel &schedule,
                                              Operation *payload,
                                              const FormLibrary &forms,
                                              const ContractLibrary &contracts,
                                              const CheckOptions &options) {
  return Interpreter(schedule, forms, contracts, options).run(payload);
}
