//===- Conditions.cpp - Clauses that hold under conditions ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which clauses of a contract hold for one op at one point of a schedule, and
// the failures that clauses describe. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "normalforms/PayloadFacts.h"
#include "verifier/Interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

#include <map>

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// Whether the condition is asked of each op of an operand.
static bool isOfEachOp(const Condition &condition) {
  return condition.subject == Condition::PayloadKind ||
         condition.subject == Condition::PayloadFact ||
         condition.subject == Condition::RunsAlone;
}

/// Whether `count` is surely, surely not, or perhaps what `condition` asks for.
static std::optional<bool> compare(const Condition &condition, Count count) {
  int64_t number = condition.number;
  switch (condition.comparison) {
  case Condition::Is:
    if (count.isExactly(number))
      return true;
    if (number < count.lo || number > count.hi)
      return false;
    return std::nullopt;
  case Condition::AtLeast:
    if (count.lo >= number)
      return true;
    if (count.hi < number)
      return false;
    return std::nullopt;
  case Condition::AtMost:
    if (count.hi <= number)
      return true;
    if (count.lo > number)
      return false;
    return std::nullopt;
  }
  return std::nullopt;
}

bool Interpreter::mayHaveLoops(
    const HandleState &handle,
    llvm::function_ref<bool(const Extent &)> accepts) const {
  const PayloadModel &payload = state.payload;
  auto hasLoop = [&](const Node &node) {
    if (!node.kind)
      return node.isUnlisted();
    return matchesKind(*node.kind, "$structured") &&
           (!node.space || llvm::any_of(node.space->loops, accepts));
  };
  return llvm::any_of(handle.nodes, [&](NodeId id) {
    return hasLoop(payload[id]) || !payload.find(id, hasLoop).empty() ||
           payload.mayHide(
               id, [](const KindSet &kinds) { return kinds.mayBeDynamic(); });
  });
}

/// Whether `node` is on tensors alone, or on buffers alone, as its body is.
static bool isOnValuesOfBody(const Node &node) {
  auto structured = dyn_cast<linalg::LinalgOp>(node.body);
  return structured && node.space &&
         (node.space->onTensors ? structured.hasPureTensorSemantics()
                                : structured.hasPureBufferSemantics());
}

std::optional<bool> Interpreter::holdsOf(NodeId id, Operation *op,
                                         const Condition &condition) {
  const PayloadModel &payload = state.payload;
  const Node &node = payload[id];
  std::optional<bool> holds;
  if (condition.subject == Condition::RunsAlone) {
    if (const LoneRun *run = runAlone(op, condition.index, id))
      holds = !run->failure;
  } else if (condition.subject == Condition::PayloadFact) {
    const PayloadFact &fact = *lookupPayloadFact(condition.value);
    bool isKnown = node.op && (!fact.looksAround || payload.isAsGiven()) &&
                   (!fact.looksInside || payload.isUntouched(id));
    if (isKnown)
      holds = fact.holds(node.op);
    else if (payload.isLikeBody(node) &&
             (fact.isOfBody || (fact.isOfValues && isOnValuesOfBody(node))))
      holds = fact.holds(node.body);
  } else if (node.kind) {
    holds = matchesKind(*node.kind, condition.kind);
  }
  return holds;
}

std::optional<bool> Interpreter::holdsOfAll(Operation *op,
                                            const Condition &condition) {
  std::optional<bool> all = true;
  for (NodeId id : NodeList(lookup(op->getOperand(condition.index)).nodes)) {
    std::optional<bool> holds = holdsOf(id, op, condition);
    if (holds && *holds)
      continue;
    const Node &node = state.payload[id];
    if (holds && node.count.lo > 0 && node.present == Certainty::Yes)
      return false;
    all = std::nullopt;
  }
  return all;
}

std::optional<bool> Interpreter::decide(Operation *op,
                                        const Condition &condition) {
  if (std::optional<bool> decided = condition.decide(op))
    return decided;
  // A rule group has the payload of the step that runs it.
  if (isa_and_nonnull<transform::ApplyPatternsOp,
                      transform::ApplyConversionPatternsOp>(op->getParentOp()))
    op = op->getParentOp();
  if (condition.index >= op->getNumOperands())
    return std::nullopt;
  // What may be so counts: that it is not is what has to be known.
  if (condition.subject == Condition::FoldableSizes)
    return mayHaveLoops(lookup(op->getOperand(condition.index)),
                        [](const Extent &extent) {
                          return !extent.size && !extent.reason.definite;
                        }) != condition.negated;
  if (condition.subject == Condition::DynamicSizes)
    return mayHaveLoops(lookup(op->getOperand(condition.index)),
                        [](const Extent &extent) {
                          return !extent.isStatic();
                        }) != condition.negated;
  if (condition.subject == Condition::Holds)
    return llvm::any_of(lookup(op->getOperand(condition.index)).nodes,
                        [&](NodeId id) {
                          return state.payload.mayHold(id, condition.kind);
                        }) != condition.negated;
  bool isOfEach = isOfEachOp(condition);
  if (!isOfEach && condition.subject != Condition::PayloadCount)
    return std::nullopt;
  const HandleState &handle = lookup(op->getOperand(condition.index));
  // How many values or parameters there are, the nodes do not tell.
  if (handle.kind != HandleState::Ops)
    return std::nullopt;
  std::optional<bool> holds =
      isOfEach ? holdsOfAll(op, condition)
               : compare(condition, handle.count(state.payload));
  if (holds)
    holds = *holds != condition.negated;
  return holds;
}

static Certainty toCertainty(std::optional<bool> holds) {
  if (!holds)
    return Certainty::Maybe;
  return *holds ? Certainty::Yes : Certainty::No;
}

std::optional<bool> Interpreter::decideFailure(Operation *op,
                                               const Conditions &when) {
  const PayloadModel &payload = state.payload;
  // What is asked of the ops of an operand, one op has to meet together.
  std::map<unsigned, SmallVector<const Condition *>> byOperand;
  Certainty all = Certainty::Yes;
  for (const Condition &condition : when) {
    bool isOfEach =
        isOfEachOp(condition) && condition.index < op->getNumOperands() &&
        !condition.decide(op) &&
        lookup(op->getOperand(condition.index)).kind == HandleState::Ops;
    if (isOfEach)
      byOperand[condition.index].push_back(&condition);
    else
      all = std::min(all, toCertainty(decide(op, condition)));
  }
  for (const auto &[index, conditions] : byOperand) {
    Certainty any = Certainty::No;
    for (NodeId id : NodeList(lookup(op->getOperand(index)).nodes)) {
      const Node &node = payload[id];
      bool isThere = node.count.lo > 0 && node.present == Certainty::Yes;
      Certainty one = isThere ? Certainty::Yes : Certainty::Maybe;
      for (const Condition *condition : conditions) {
        std::optional<bool> holds = holdsOf(id, op, *condition);
        if (holds)
          holds = *holds != condition->negated;
        one = std::min(one, toCertainty(holds));
      }
      any = std::max(any, one);
    }
    all = std::min(all, any);
  }
  return all == Certainty::Maybe ? std::nullopt
                                 : std::optional(all == Certainty::Yes);
}

const Contract &Interpreter::resolve(Operation *op, const Contract &contract) {
  return contracts.settle(
      contract,
      contract.decide(
          [&](const Condition &condition) { return decide(op, condition); },
          [&](const Conditions &when) { return decideFailure(op, when); }));
}

/// Adds the clauses of `more` to `contract`, whose own write they replace.
static void addClauses(Contract &contract, const Contract &more) {
  contract.complete &= more.complete;
  llvm::append_range(contract.forms, more.forms);
  llvm::append_range(contract.operands, more.operands);
  llvm::append_range(contract.failures, more.failures);
  llvm::append_range(contract.ensures, more.ensures);
  llvm::append_range(contract.preserves, more.preserves);
  llvm::append_range(contract.procedures, more.procedures);
  contract.writes = more.writes;
  contract.joinWrites();
}

SmallVector<const FormClause *, 2>
formwork::verifier::getFormClauses(Operation *op,
                                   const ContractLibrary &contracts) {
  SmallVector<const FormClause *, 2> clauses;
  auto add = [&](const Contract *contract) {
    if (!contract)
      return;
    for (const FormClause &clause : contract->forms)
      if (clause.operand < op->getNumOperands())
        clauses.push_back(&clause);
  };
  add(contracts.lookup(op->getName().getStringRef()));
  if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op))
    add(contracts.lookupPass(pass.getPassName()));
  if (auto apply = dyn_cast<transform::ApplyPatternsOp>(op))
    for (Operation &group : apply.getPatterns().front())
      add(contracts.lookup(group.getName().getStringRef()));
  return clauses;
}

const Contract &Interpreter::instantiate(Operation *op,
                                         const Contract &contract,
                                         std::optional<Contract> &extended) {
  const Contract &settled = resolve(op, contract);
  if (!isa<transform::ApplyRegisteredPassOp, transform::ApplyPatternsOp,
           transform::ApplyConversionPatternsOp>(op))
    return settled;
  Contract &instance = extended.emplace(settled);
  if (const Contract *pass = getPassContract(op))
    addClauses(instance, *pass);
  // What rule groups write, their model says.
  if (auto apply = dyn_cast<transform::ApplyPatternsOp>(op))
    for (Operation &group : apply.getPatterns().front())
      if (const Contract *more =
              contracts.lookup(group.getName().getStringRef());
          more && !more->forms.empty())
        llvm::append_range(instance.forms, resolve(&group, *more).forms);
  if (isa<transform::ApplyConversionPatternsOp>(op)) {
    instance.writes = {getConversion(op)};
    instance.joinWrites();
    instance.failures = getConversionFailures(op, instance);
  }
  return instance;
}

bool Interpreter::reportLoneFailure(Operation *op,
                                    const FailureClause &clause) {
  if (clause.always)
    return false;
  for (const auto &[id, run] : loneRuns) {
    const Node &node = state.payload[id];
    if (!run || !run->failure || node.count.lo == 0 ||
        node.present != Certainty::Yes)
      continue;
    report(op, "fw-step-fails", "fails here: " + *run->failure,
           /*definite=*/true, run->silenceable)
        .note(NoteKind::Evidence, op->getLoc(),
              clause.id + ": " + clause.message);
    return true;
  }
  return false;
}

void Interpreter::checkFailureClauses(Operation *op, const Contract &contract) {
  for (const FailureClause &clause : contract.failures) {
    if (reportLoneFailure(op, clause))
      continue;
    // Without conditions left, those of a `fails` clause hold.
    if (!clause.always || !clause.when.empty()) {
      unprove(op, "can fail: " + clause.message);
      continue;
    }
    bool isEach = op->hasTrait<transform::TransformEachOpTrait>() &&
                  op->getNumOperands() != 0;
    bool hasPayload =
        !isEach || lookup(op->getOperand(0)).count(state.payload).lo > 0;
    Finding &finding =
        report(op, "fw-step-fails", "fails here: " + clause.message, hasPayload,
               /*silenceable=*/!clause.definite);
    finding.note(NoteKind::Evidence, op->getLoc(),
                 "the conditions of " + clause.id + " hold");
  }
}

void Interpreter::checkAncestors(Operation *op, const OperandClause &clause) {
  Value operand = op->getOperand(clause.operand);
  HandleState &handle = lookup(operand);
  for (NodeId id : NodeList(handle.nodes)) {
    bool found = false, isDetached = false, isExact = true;
    state.payload.walkUp(id, [&](NodeId above) {
      const Node &node = state.payload[above];
      found =
          above != id && node.kind && matchesAnyKind(*node.kind, clause.kinds);
      isDetached = llvm::is_contained(state.detached, above);
      if (above != PayloadModel::universe)
        isExact &= node.exact;
      return !found && !isDetached;
    });
    if (found)
      continue;
    const Node &node = state.payload[id];
    // The payload itself lies in nothing; of one that is not given, no op is
    // exact.
    bool definite = clause.when.empty() && isExact && node.count.lo > 0 &&
                    node.present == Certainty::Yes;
    if (!definite) {
      unprove(op, "may have payload that is not where it has to be: " +
                      Twine(clause.otherwise));
      continue;
    }
    Finding &finding = report(
        op, "fw-no-ancestor",
        "requires payload inside " + llvm::join(clause.kinds, " or ") +
            " but that of " + nameOf(operand) + " is in none" +
            (isDetached ? " that is attached to the scope of the alternatives"
                        : ""));
    finding.note(NoteKind::Established,
                 handle.origin ? handle.origin->getLoc() : operand.getLoc(),
                 "handle " + nameOf(operand) + " is set here");
    finding.note(NoteKind::Evidence, op->getLoc(), clause.otherwise);
    return;
  }
}
