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

#include "verifier/clauses/Conditions.h"
#include "engine/RuleSet.h"
#include "normalforms/PayloadFacts.h"
#include "verifier/clauses/Conversion.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

#include <map>

using namespace mlir;
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

/// Whether a structured op at or below the payload of `handle` may have a
/// loop that `accepts` accepts.
static bool mayHaveLoops(const Analysis &analysis, const HandleState &handle,
                         llvm::function_ref<bool(const Extent &)> accepts) {
  const PayloadModel &payload = analysis.state.payload;
  auto hasLoop = [&](const Node &node) {
    if (!node.kind)
      return node.isUnlisted();
    return KindPattern("$structured").matches(*node.kind) &&
           (!node.space || llvm::any_of(node.space->loops, accepts));
  };
  return llvm::any_of(handle.nodes, [&](NodeId id) {
    return hasLoop(payload[id]) || !payload.find(id, hasLoop).empty() ||
           payload.mayHide(
               id, [](const KindSet &kinds) { return kinds.mayBeDynamic(); });
  });
}

/// Whether a listed op of `kind` may be at or below `scope`; without a payload,
/// any.
static bool mayBeGiven(const Analysis &analysis, NodeId scope,
                       const KindPattern &kind) {
  const PayloadModel &payload = analysis.state.payload;
  if (!analysis.payloadRoot)
    return payload.mayHold(scope, kind);
  return !payload
              .find(scope,
                    [&](const Node &node) {
                      return node.kind && kind.matches(*node.kind);
                    })
              .empty();
}

/// Whether an op of `handle` may be the one in which the schedule stands.
static bool mayHoldSchedule(const Analysis &analysis,
                            const HandleState &handle) {
  return analysis.options.holdsSchedule &&
         llvm::any_of(handle.nodes, [&](NodeId id) {
           return analysis.state.payload.isAtOrBelow(analysis.root, id) !=
                  Certainty::No;
         });
}

/// Whether `node` is on tensors alone, or on buffers alone, as its body is.
static bool isOnValuesOfBody(const Node &node) {
  auto op = dyn_cast<DestinationStyleOpInterface>(node.body);
  // Without a space, a change to buffers takes the body.
  return op &&
         (!node.space || (node.space->onTensors ? op.hasPureTensorSemantics()
                                                : op.hasPureBufferSemantics()));
}

/// Whether `condition` holds for the op of `id`, one of those in an operand of
/// `op`; the caller handles `negated`.
static std::optional<bool> holdsOf(const Step &step, NodeId id,
                                   const Condition &condition) {
  const PayloadModel &payload = step.payload;
  const Node &node = payload[id];
  std::optional<bool> holds;
  if (condition.subject == Condition::RunsAlone) {
    if (const LoneRun *run = runAlone(step, condition.index, id))
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
    holds = condition.kind.matches(*node.kind);
  }
  return holds;
}

/// As above, of all that `op` has for the operand.
static std::optional<bool> holdsOfAll(const Step &step,
                                      const Condition &condition) {
  std::optional<bool> all = true;
  for (NodeId id :
       NodeList(step.lookup(step.op->getOperand(condition.index)).nodes)) {
    std::optional<bool> holds = holdsOf(step, id, condition);
    if (holds && *holds)
      continue;
    const Node &node = step.payload[id];
    if (holds && node.isSurelyThere())
      return false;
    all = std::nullopt;
  }
  return all;
}

static std::optional<bool> decide(const Step &given,
                                  const Condition &condition) {
  if (std::optional<bool> decided = condition.decide(given.op))
    return decided;
  // Asked for where nothing else is left open.
  if (condition.subject == Condition::RunsHere)
    return std::nullopt;
  Step step =
      hasPayloadOfParent(given.op) ? given.at(given.op->getParentOp()) : given;
  if (condition.index >= step.op->getNumOperands())
    return std::nullopt;
  // A possibly foldable size counts: only a proof of the opposite helps.
  if (condition.subject == Condition::FoldableSizes)
    return mayHaveLoops(step, step.lookup(step.op->getOperand(condition.index)),
                        [](const Extent &extent) {
                          return !extent.size && !extent.reason.definite;
                        }) != condition.negated;
  if (condition.subject == Condition::DynamicSizes)
    return mayHaveLoops(step, step.lookup(step.op->getOperand(condition.index)),
                        [](const Extent &extent) {
                          return !extent.isStatic();
                        }) != condition.negated;
  if (condition.subject == Condition::Holds)
    return llvm::any_of(step.lookup(step.op->getOperand(condition.index)).nodes,
                        [&](NodeId id) {
                          return step.payload.mayHold(id, condition.kind);
                        }) != condition.negated;
  if (condition.subject == Condition::Given)
    return llvm::any_of(step.lookup(step.op->getOperand(condition.index)).nodes,
                        [&](NodeId id) {
                          return mayBeGiven(step.analysis, id, condition.kind);
                        }) != condition.negated;
  if (condition.subject == Condition::HoldsSchedule)
    return mayHoldSchedule(step,
                           step.lookup(step.op->getOperand(condition.index))) !=
           condition.negated;
  bool isOfEach = isOfEachOp(condition);
  if (!isOfEach && condition.subject != Condition::PayloadCount)
    return std::nullopt;
  const HandleState &handle = step.lookup(step.op->getOperand(condition.index));
  // How many values or parameters there are, the nodes do not tell; but they
  // do tell which op defines a value.
  bool isOfDefiningOp = condition.subject == Condition::PayloadFact &&
                        handle.kind == HandleState::Values &&
                        !handle.mayHoldArguments;
  if (handle.kind != HandleState::Ops && !isOfDefiningOp)
    return std::nullopt;
  std::optional<bool> holds =
      isOfEach ? holdsOfAll(step, condition)
               : compare(condition, handle.count(step.payload));
  if (holds)
    holds = *holds != condition.negated;
  return holds;
}

static Certainty toCertainty(std::optional<bool> holds) {
  if (!holds)
    return Certainty::Maybe;
  return *holds ? Certainty::Yes : Certainty::No;
}

/// Whether all conditions of a failure hold: what is asked of the payload of
/// an operand, of one op of it.
static std::optional<bool> decideFailure(const Step &step,
                                         const Conditions &when) {
  const PayloadModel &payload = step.payload;
  // One op has to meet all conditions on the ops of an operand together.
  std::map<unsigned, SmallVector<const Condition *>> byOperand;
  Certainty all = Certainty::Yes;
  for (const Condition &condition : when) {
    bool isOfEach = isOfEachOp(condition) &&
                    condition.index < step.op->getNumOperands() &&
                    !condition.decide(step.op) &&
                    step.lookup(step.op->getOperand(condition.index)).kind ==
                        HandleState::Ops;
    if (isOfEach)
      byOperand[condition.index].push_back(&condition);
    else
      all = std::min(all, toCertainty(decide(step, condition)));
  }
  for (const auto &[index, conditions] : byOperand) {
    Certainty any = Certainty::No;
    for (NodeId id : NodeList(step.lookup(step.op->getOperand(index)).nodes)) {
      const Node &node = payload[id];
      bool isThere = node.isSurelyThere();
      Certainty one = isThere ? Certainty::Yes : Certainty::Maybe;
      for (const Condition *condition : conditions) {
        std::optional<bool> holds = holdsOf(step, id, *condition);
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

const Contract &formwork::verifier::resolve(const Step &step,
                                            const Contract &contract) {
  return step.contracts.settle(
      contract,
      contract.decide(
          [&](const Condition &condition) { return decide(step, condition); },
          [&](const Conditions &when) { return decideFailure(step, when); }));
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
  contract.effects = more.effects;
  contract.writes = more.writes;
  contract.joinWrites();
}

void formwork::verifier::forEachGroup(
    Operation *op, const ContractLibrary &contracts,
    llvm::function_ref<void(Operation *, const Contract &)> fn) {
  for (Region &region : op->getRegions())
    for (Operation &group : region.getOps())
      if (const Contract *contract =
              engine::isRuleGroup(&group)
                  ? contracts.lookup(group.getName().getStringRef())
                  : nullptr)
        fn(&group, *contract);
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
  forEachGroup(op, contracts,
               [&](Operation *, const Contract &group) { add(&group); });
  return clauses;
}

bool formwork::verifier::isAssembled(Operation *op) {
  return isa<transform::ApplyRegisteredPassOp, transform::ApplyPatternsOp,
             transform::ApplyConversionPatternsOp>(op);
}

const Contract *
formwork::verifier::getEffectContract(Operation *op,
                                      const ContractLibrary &contracts) {
  if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op))
    return contracts.lookupPass(pass.getPassName());
  if (!isa<transform::ApplyPatternsOp>(op))
    return contracts.lookup(op->getName().getStringRef());
  const Contract *stated = nullptr;
  forEachGroup(op, contracts, [&](Operation *, const Contract &group) {
    if (!stated && !group.effects.empty())
      stated = &group;
  });
  return stated;
}

bool formwork::verifier::needsInstance(Operation *op,
                                       const ContractLibrary &contracts) {
  return !isa<transform::ApplyPatternsOp>(op) ||
         !getFormClauses(op, contracts).empty();
}

const Contract &
formwork::verifier::instantiate(const Step &step, const Contract &contract,
                                std::optional<Contract> &extended) {
  const Contract &settled = resolve(step, contract);
  if (!isAssembled(step.op))
    return settled;
  Contract &instance = extended.emplace(settled);
  if (const Contract *pass = getPassContract(step))
    addClauses(instance, *pass);
  // The model states the writes of rule groups.
  forEachGroup(step.op, step.contracts,
               [&](Operation *group, const Contract &more) {
                 if (!more.forms.empty())
                   llvm::append_range(instance.forms,
                                      resolve(step.at(group), more).forms);
               });
  if (isa<transform::ApplyConversionPatternsOp>(step.op)) {
    instance.writes = {getConversion(step)};
    instance.joinWrites();
    instance.failures = getConversionFailures(step, instance);
  }
  return instance;
}

/// Whether payload may change before MLIR verifies it: by a later step, or
/// since alternatives fail and throw their copy away. In a loop, each step of
/// its body is a later one.
static bool isFollowedByChange(const Step &step) {
  return step.state.recovers ||
         llvm::any_of(step.analysis.running, [&](Operation *running) {
           if (isa<transform::ForeachOp, transform::ForeachMatchOp>(running))
             return true;
           for (Operation *next = running->getNextNode(); next;
                next = next->getNextNode())
             if (step.effects.modifiesPayload(next))
               return true;
           return false;
         });
}

/// Whether `run` fails for what it leaves, which a later step may mend.
static bool mayBeMended(const Step &step, const LoneRun &run) {
  return run.leavesInvalid && isFollowedByChange(step);
}

/// Reports that `op` fails on an op of its payload, for which `clause` asks,
/// in upstream's words; false when that is not known.
static bool reportLoneFailure(const Step &step, const FailureClause &clause) {
  if (clause.always)
    return false;
  for (const auto &[id, run] : step.analysis.loneRuns) {
    const Node &node = step.payload[id];
    if (!run || !run->failure || node.count.lo == 0 ||
        node.present != Certainty::Yes)
      continue;
    reportTrial(step, *run, mayBeMended(step, *run))
        .note(NoteKind::Evidence, step.op->getLoc(),
              clause.id + ": " + clause.message);
    return true;
  }
  return false;
}

/// Whether a trial of the step where it stands tells that `clause` does not
/// apply.
static bool asksTrial(const FailureClause &clause) {
  return llvm::any_of(clause.when, [](const Condition &condition) {
    return condition.negated && (condition.subject == Condition::RunsAlone ||
                                 condition.subject == Condition::RunsHere);
  });
}

void formwork::verifier::checkFailureClauses(const Step &step) {
  for (const FailureClause &clause : step.contract.failures) {
    if (reportLoneFailure(step, clause))
      continue;
    // Without conditions left, those of a `fails` clause hold.
    if (!clause.always || !clause.when.empty()) {
      if (asksTrial(clause))
        step.leaveToTrial("can fail: " + clause.message);
      else
        step.unprove("can fail: " + clause.message);
      continue;
    }
    bool isEach = step.op->hasTrait<transform::TransformEachOpTrait>() &&
                  step.op->getNumOperands() != 0;
    bool hasPayload =
        !isEach ||
        step.lookup(step.op->getOperand(0)).count(step.payload).lo > 0;
    bool isMended = llvm::any_of(step.analysis.loneRuns, [&](auto &tried) {
      return tried.second && mayBeMended(step, *tried.second);
    });
    Finding &finding =
        step.report("fw-step-fails", "fails here: " + clause.message,
                    /*definite=*/hasPayload && !isMended,
                    /*silenceable=*/!clause.definite);
    finding.note(NoteKind::Evidence, step.op->getLoc(),
                 "the conditions of " + clause.id + " hold");
  }
}

void formwork::verifier::checkAncestors(const Step &step,
                                        const OperandClause &clause) {
  Value operand = step.op->getOperand(clause.operand);
  HandleState &handle = step.lookup(operand);
  for (NodeId id : NodeList(handle.nodes)) {
    bool found = false, isExact = true;
    std::optional<NodeId> detached;
    std::optional<NodeId> around =
        step.payload.getAncestor(id, /*proper=*/true, clause.kinds);
    step.payload.walkUp(id, [&](NodeId above) {
      const Node &node = step.payload[above];
      found = above == around;
      if (llvm::is_contained(step.state.detached, above))
        detached = above;
      if (above != PayloadModel::universe)
        isExact &= node.exact;
      return !found && !detached;
    });
    if (found)
      continue;
    const Node &node = step.payload[id];
    // An op that may have moved out of one may also have stayed. Ops around
    // a detached scope do not count.
    bool mayBeInside = false;
    step.payload.walkEveryWay(id, [&](NodeId above) {
      const Node &around = step.payload[above];
      mayBeInside |= above != id && around.kind &&
                     matchesAnyKind(*around.kind, clause.kinds) &&
                     (!detached || step.payload.isAtOrBelow(above, *detached) !=
                                       Certainty::No);
      return !mayBeInside;
    });
    // The payload itself lies in nothing; of one that is not given, no op is
    // exact.
    bool definite =
        clause.when.empty() && isExact && node.isSurelyThere() && !mayBeInside;
    if (!definite) {
      step.unprove(
          "may be given payload that is not where the step requires it: " +
          Twine(clause.otherwise));
      continue;
    }
    Finding &finding = step.report(
        "fw-no-ancestor",
        "requires payload inside " + llvm::join(clause.kinds, " or ") +
            " but that of " + step.nameOf(operand) + " is in none" +
            (detached ? " that is attached to the scope of the alternatives"
                      : ""));
    step.noteSet(finding, operand);
    finding.note(NoteKind::Evidence, step.op->getLoc(), clause.otherwise);
    return;
  }
}

const Contract *formwork::verifier::getPassContract(const Step &step) {
  auto apply = dyn_cast<transform::ApplyRegisteredPassOp>(step.op);
  if (!apply)
    return nullptr;
  StringRef name = apply.getPassName();
  const Contract *contract = step.contracts.lookupPass(name);
  if (contract)
    return &resolve(step, *contract);
  step.analysis.outcome.withoutContract.insert(("pass:" + name).str());
  return nullptr;
}
