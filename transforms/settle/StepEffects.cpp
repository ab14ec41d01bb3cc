//===- StepEffects.cpp - Which steps of a run had their effect --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/StepEffects.h"

#include "normalforms/Effect.h"
#include "transforms/validate/HandleProbe.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/models/EffectRules.h"
#include "verifier/walk/StaticEffects.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

/// A finding points at most at this many targets without an effect.
static constexpr unsigned kMaxPlaces = 3;

//===----------------------------------------------------------------------===//
// Facts about steps and targets
//===----------------------------------------------------------------------===//

/// The rules about the effect of `step` besides its contract.
static verifier::EffectRules getRules(Operation *step) {
  return verifier::getEffectRules().lookup(step);
}

/// The clauses and operands that decide the effect of one step.
struct EffectWatch::Plan {
  /// The clauses whose conditions hold. All are about the same operand.
  SmallVector<EffectClause, 1> clauses;
  unsigned operand = 0;
  /// Whether each term is about the scope of a target, so that the answer for
  /// one target holds for all targets of this scope.
  bool isOfScope = false;
  bool looksAtContents = false;
  /// Whether to compare the scope of a target before and after, because no
  /// result tells which operation replaced a target that was consumed.
  bool looksAtScope = false;
  /// Set if the ops of this kind in the scope of a target count instead.
  std::optional<KindPattern> each;
  /// Whether there is no clause, so that any change of the whole payload counts
  /// as the effect.
  bool byFingerprint = false;
  /// The index of the result that holds the replacement of each target.
  std::optional<unsigned> successor;

  bool isEmpty() const { return clauses.empty() && !byFingerprint; }
};

/// One target, as it was in front of the step.
struct EffectWatch::Target {
  Operation *op;
  OperationName kind;
  Operation *parent;
  Operation *scope;
  Location loc;
  /// Shared by all targets of a scope if one target speaks for all of them.
  std::shared_ptr<EffectSnapshot> snapshot;
  engine::Fingerprint contents;
  engine::Fingerprint scopeContents;
  /// Why the step skips the target, if that is known.
  std::optional<std::string> reason;
  /// How many ops in the scope count instead of the target.
  unsigned numFound = 0;
  std::optional<llvm::hash_code> besides = std::nullopt;
};

struct EffectWatch::Pending {
  Operation *running;
  SmallVector<Target, 2> targets;
  engine::Fingerprint payload;
};

/// Answers about the payload for one target of a step that may have several.
class EffectWatch::TargetFacts : public PayloadEffectFacts {
public:
  /// `results`: only those of this target if each target has its own.
  TargetFacts(const Target &before, Operation *target, Operation *scope,
              ArrayRef<SmallVector<Operation *>> results,
              const llvm::SmallBitVector &holdOps,
              engine::Fingerprinter &fingerprinter)
      : PayloadEffectFacts(*before.snapshot, target, scope, results,
                           /*numTargets=*/1),
        before(before), target(target), scope(scope), results(results),
        holdOps(holdOps), fingerprinter(fingerprinter) {}

  std::optional<bool> isChanged() const override {
    std::optional<bool> changed = PayloadEffectFacts::isChanged();
    // A change of operands counts as well.
    if (changed && !*changed)
      changed = fingerprinter.ofBody(target) != before.contents;
    return changed;
  }

  std::optional<bool> hasResult(unsigned index,
                                const KindPattern &kind) const override {
    if (index >= results.size() || !holdOps.test(index))
      return std::nullopt;
    return PayloadEffectFacts::hasResult(index, kind);
  }

  /// Which result replaces the target differs from op to op. An operation that
  /// left the parent of the target has moved. It is not known whether this move
  /// is the effect.
  std::optional<bool> isNewlyInside(const KindPattern &kind) const override {
    std::optional<bool> any;
    bool hasMoved = false;
    for (const SmallVector<Operation *> &result : results) {
      hasMoved |= llvm::any_of(result, [&](Operation *op) {
        return op->getName() == before.kind &&
               op->getParentOp() != before.parent;
      });
      std::optional<bool> one =
          PayloadEffectFacts(*before.snapshot, target, scope, result, 1)
              .isNewlyInside(kind);
      if (one)
        any = any.value_or(false) || *one;
    }
    return any && !*any && hasMoved ? std::nullopt : any;
  }

private:
  const Target &before;
  Operation *target, *scope;
  ArrayRef<SmallVector<Operation *>> results;
  const llvm::SmallBitVector &holdOps;
  engine::Fingerprinter &fingerprinter;
};

EffectWatch::EffectWatch(const ContractLibrary &contracts)
    : contracts(contracts) {}
EffectWatch::~EffectWatch() = default;

static bool areMet(const Conditions &when, Operation *op) {
  return llvm::all_of(when, [&](const Condition &condition) {
    return condition.decide(op).value_or(false);
  });
}

static bool isOfScope(const EffectTerm &term) {
  return llvm::is_contained({EffectTerm::More, EffectTerm::Fewer,
                             EffectTerm::Shallower, EffectTerm::None},
                            term.what);
}

static bool holdsOps(Value value) {
  return isa<transform::TransformHandleTypeInterface>(value.getType());
}

const EffectWatch::Plan &EffectWatch::getPlan(Operation *running) {
  std::unique_ptr<Plan> &slot = plans[running];
  if (slot)
    return *slot;
  slot = std::make_unique<Plan>();
  Plan &plan = *slot;
  if (!verifier::isDecision(running, contracts))
    return plan;
  const Contract *contract = verifier::getEffectContract(running, contracts);
  if (contract)
    for (const EffectClause &clause : contract->effects)
      if (areMet(clause.when, running) &&
          clause.operand < running->getNumOperands() &&
          holdsOps(running->getOperand(clause.operand)) &&
          (plan.clauses.empty() ||
           clause.operand == plan.clauses.front().operand))
        plan.clauses.push_back(clause);
  if (plan.clauses.empty()) {
    // There are no clauses about payload values.
    bool holdsValues = running->getNumOperands() != 0 &&
                       isa<transform::TransformValueHandleTypeInterface>(
                           running->getOperand(0).getType());
    plan.byFingerprint =
        (holdsValues || ((!contract || contract->effects.empty()) &&
                         running->getNumOperands() != 0 &&
                         holdsOps(running->getOperand(0)))) &&
        running->getNumRegions() == 0 &&
        !isa<transform::IncludeOp, transform::ForeachMatchOp>(running) &&
        transform::doesModifyPayload(
            cast<transform::TransformOpInterface>(running));
    return plan;
  }
  plan.operand = plan.clauses.front().operand;
  plan.isOfScope = true;
  for (const EffectClause &clause : plan.clauses) {
    if (clause.each)
      plan.each = clause.each;
    for (const EffectTerm &term : clause.terms) {
      plan.isOfScope &= ::isOfScope(term);
      plan.looksAtContents |= term.what == EffectTerm::Changed;
    }
  }
  // A target without a successor may be there still.
  bool maySucceedNone = false;
  contract = contracts.lookup(running->getName().getStringRef());
  for (const ResultClause &clause : contract->results)
    if (!plan.successor && clause.operand == plan.operand &&
        (clause.relation == ResultRelation::Same ||
         clause.relation == ResultRelation::Replaces) &&
        areMet(clause.when, running)) {
      plan.successor = clause.index;
      maySucceedNone = clause.count != ResultCount::PerTarget;
    }
  plan.looksAtScope = !plan.isOfScope && (!plan.successor || maySucceedNone) &&
                      transform::isHandleConsumed(
                          running->getOperand(plan.operand),
                          cast<transform::TransformOpInterface>(running));
  return plan;
}

StepEffect &EffectWatch::getEffect(Operation *written) {
  StepEffect &effect = effects[written];
  effect.step = written;
  return effect;
}

/// Returns those of `ops` that are still in the payload. Erased operations are
/// compared by address only, never dereferenced. The payload of an
/// `alternatives` step is not found, because it works on a copy.
static llvm::SmallPtrSet<Operation *, 8>
findLive(transform::TransformState &state,
         const llvm::SmallPtrSetImpl<Operation *> &ops) {
  llvm::SmallPtrSet<Operation *, 8> live;
  if (ops.empty())
    return live;
  state.getTopLevel()->walk([&](Operation *op) {
    if (!ops.contains(op))
      return WalkResult::advance();
    live.insert(op);
    return live.size() == ops.size() ? WalkResult::interrupt()
                                     : WalkResult::advance();
  });
  return live;
}

//===----------------------------------------------------------------------===//
// In front of a step, and behind it
//===----------------------------------------------------------------------===//

void EffectWatch::enter(const WatchedStep &step,
                        transform::TransformState &state) {
  pending.reset();
  if (!step.running)
    return;
  const Plan &plan = getPlan(step.running);
  if (plan.isEmpty())
    return;
  // The step itself reports the use of a consumed handle.
  Value handle = step.running->getOperand(plan.operand);
  if (!canBeUsed(handle, state))
    return;
  SmallVector<Operation *> ops;
  if (holdsOps(handle))
    llvm::append_range(ops, state.getPayloadOps(handle));
  else
    ops.assign(llvm::range_size(state.getPayloadValues(handle)),
               state.getTopLevel());
  llvm::SmallPtrSet<Operation *, 8> wanted(ops.begin(), ops.end());
  if (findLive(state, wanted).size() != wanted.size())
    return;
  pending = std::make_unique<Pending>();
  pending->running = step.running;
  if (plan.byFingerprint)
    pending->payload = fingerprinter.ofBody(state.getTopLevel());
  llvm::DenseMap<Operation *, std::shared_ptr<EffectSnapshot>> ofScopes;
  llvm::DenseMap<Operation *, engine::Fingerprint> scopes;
  for (Operation *op : ops) {
    Operation *scope = getEffectScope(op);
    Target target{op,
                  op->getName(),
                  op->getParentOp(),
                  scope,
                  op->getLoc(),
                  nullptr,
                  {},
                  {},
                  getRules(step.running).explainIdle(op)};
    if (!plan.clauses.empty()) {
      std::shared_ptr<EffectSnapshot> own;
      std::shared_ptr<EffectSnapshot> &slot =
          plan.isOfScope ? ofScopes[scope] : own;
      if (!slot)
        slot = std::make_shared<EffectSnapshot>(plan.clauses, op);
      target.snapshot = slot;
      if (plan.looksAtContents)
        target.contents = fingerprinter.ofBody(op);
      if (plan.looksAtScope) {
        auto [it, isNew] = scopes.try_emplace(scope);
        if (isNew)
          it->second = fingerprinter.ofBody(scope);
        target.scopeContents = it->second;
      }
    }
    if (plan.each)
      target.numFound = findOps(scope, *plan.each).size();
    target.besides = getRules(step.running).measureBesides(op);
    pending->targets.push_back(std::move(target));
  }
}

void EffectWatch::leave(const WatchedStep &step,
                        transform::TransformState &state) {
  std::unique_ptr<Pending> last = std::move(pending);
  if (!last || last->running != step.running)
    return;
  StepEffect &effect = getEffect(step.written);
  effect.numTargets += last->targets.size();
  const Plan &plan = getPlan(step.running);
  if (!plan.byFingerprint)
    return compare(*last, plan, state, effect);
  if (fingerprinter.ofBody(state.getTopLevel()) != last->payload) {
    effect.numWith += last->targets.size();
    return;
  }
  effect.numWithout += last->targets.size();
  effect.otherwise = "the payload is unchanged";
}

/// Counts `number` targets without the effect, for which `otherwise` is true.
static void addWithout(StepEffect &effect, unsigned number, StringRef otherwise,
                       const std::optional<std::string> &reason) {
  if (effect.numWithout == 0) {
    effect.otherwise = otherwise.str();
    if (reason)
      effect.otherwise += ", because " + *reason;
  }
  effect.numWithout += number;
}

static void addPlace(StepEffect &effect, Location place) {
  if (effect.places.size() < kMaxPlaces)
    effect.places.push_back(place);
}

/// Counts `numFound` ops instead of their scope, of which a step that did
/// something left `left`.
static void addLeft(Operation *running, StringRef otherwise, unsigned numFound,
                    ArrayRef<Operation *> left, StepEffect &effect) {
  unsigned numLeft = std::min<size_t>(left.size(), numFound);
  effect.numTargets += numFound - 1;
  effect.numWith += numFound - numLeft;
  if (numLeft == 0)
    return;
  addWithout(effect, numLeft, otherwise,
             getRules(running).explainIdle(left.front()));
  for (Operation *op : left)
    addPlace(effect, op->getLoc());
}

void EffectWatch::compare(const Pending &pending, const Plan &plan,
                          transform::TransformState &state,
                          StepEffect &effect) {
  Operation *running = pending.running;
  size_t numTargets = pending.targets.size();
  // Collect the operations of each result that holds operations.
  SmallVector<SmallVector<Operation *>> results;
  llvm::SmallBitVector holdOps(running->getNumResults());
  for (OpResult result : running->getResults()) {
    auto &ops = results.emplace_back();
    if (!holdsOps(result))
      continue;
    holdOps.set(result.getResultNumber());
    llvm::append_range(ops, state.getPayloadOps(result));
  }
  // Find the operation that replaces each target.
  Value handle = running->getOperand(plan.operand);
  bool isConsumed = transform::isHandleConsumed(
      handle, cast<transform::TransformOpInterface>(running));
  SmallVector<Operation *> after(numTargets, nullptr);
  if (!isConsumed) {
    SmallVector<Operation *> now(state.getPayloadOps(handle));
    for (auto [i, target] : llvm::enumerate(pending.targets))
      after[i] = llvm::is_contained(now, target.op) ? target.op
                 : now.size() == numTargets         ? now[i]
                                                    : nullptr;
  } else if (plan.successor && results[*plan.successor].size() == numTargets) {
    after = results[*plan.successor];
  } else {
    // A step creates its results while the target still exists. So an operation
    // at the same address is the target itself.
    for (auto [i, target] : llvm::enumerate(pending.targets))
      for (const SmallVector<Operation *> &ops : results)
        if (llvm::is_contained(ops, target.op))
          after[i] = target.op;
  }
  llvm::SmallPtrSet<Operation *, 8> wanted(after.begin(), after.end());
  for (const Target &target : pending.targets)
    wanted.insert(target.scope);
  wanted.erase(nullptr);
  llvm::SmallPtrSet<Operation *, 8> live = findLive(state, wanted);

  llvm::DenseMap<Operation *, bool> areAsBefore;
  auto isScopeAsBefore = [&](const Target &target) {
    if (!plan.looksAtScope || !live.contains(target.scope))
      return false;
    auto [it, isNew] = areAsBefore.try_emplace(target.scope);
    if (isNew)
      it->second = fingerprinter.ofBody(target.scope) == target.scopeContents;
    return it->second;
  };
  for (auto [i, target] : llvm::enumerate(pending.targets)) {
    Operation *op = live.contains(after[i]) ? after[i] : nullptr;
    Operation *scope = op                            ? getEffectScope(op)
                       : live.contains(target.scope) ? target.scope
                                                     : nullptr;
    SmallVector<SmallVector<Operation *>> own;
    for (const SmallVector<Operation *> &ops : results)
      own.push_back(ops.size() == numTargets ? SmallVector<Operation *>{ops[i]}
                                             : ops);
    TargetFacts facts(target, op, scope, own, holdOps, fingerprinter);
    std::optional<bool> all = true;
    const EffectClause *missed = nullptr;
    if (isScopeAsBefore(target)) {
      all = false;
      missed = plan.clauses.begin();
    }
    for (const EffectClause &clause : plan.clauses) {
      if (missed)
        break;
      std::optional<bool> one = normalforms::holds(clause, running, facts);
      if (one && !*one) {
        all = false;
        missed = &clause;
        break;
      }
      if (!one)
        all = std::nullopt;
    }
    if (!all)
      continue;
    if (*all && plan.each && scope && target.numFound != 0) {
      addLeft(running, plan.clauses.front().otherwise, target.numFound,
              findOps(scope, *plan.each), effect);
      continue;
    }
    if (*all) {
      ++effect.numWith;
      continue;
    }
    addWithout(effect, 1, missed->otherwise, target.reason);
    effect.hasPart |= op && target.besides &&
                      getRules(running).measureBesides(op) != target.besides;
    // If the target is its own scope (a whole function), its place tells
    // nothing.
    if (target.scope != target.op)
      addPlace(effect, target.loc);
  }
}

SmallVector<StepEffect> EffectWatch::getEffects() const {
  SmallVector<StepEffect> all;
  for (const auto &[step, effect] : effects)
    all.push_back(effect);
  return all;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

/// The handle that the effect of `step` is about.
static Value getHandle(Operation *step) {
  return step->getNumOperands() != 0 ? step->getOperand(0) : Value();
}

void formwork::transforms::addEffectFindings(
    ArrayRef<StepEffect> effects,
    const std::function<std::string(Value)> &nameOf, engine::Findings &findings,
    llvm::function_ref<void(const StepEffect &, Finding &)> explain) {
  for (const StepEffect &effect : effects) {
    Location loc = effect.step->getLoc();
    if (effect.numTargets != 0 && effect.numWithout == 0)
      continue;
    std::string message = "has no effect";
    if (effect.numTargets == 0) {
      Value handle = getHandle(effect.step);
      message += ": " + (handle ? nameOf(handle) : std::string("its handle")) +
                 " holds no payload";
    } else {
      if (effect.numWithout == effect.numTargets && effect.hasPart)
        message = "has only a part of its effect";
      else if (!effect.isIdle())
        message += " on " + std::to_string(effect.numWithout) + " of " +
                   std::to_string(effect.numTargets) + " targets";
      message += ": " + effect.otherwise;
    }
    Finding finding(loc, effect.isIdle() ? "fw-step-idle" : "fw-step-partial",
                    message, DiagnosticSeverity::Warning);
    for (Location place : effect.places)
      finding.note(NoteKind::Evidence, place, "such a target");
    unsigned more = effect.numWithout - effect.places.size();
    if (!effect.places.empty() && more != 0)
      finding.note(NoteKind::Evidence, loc,
                   "and " + Twine(more) + " more of them");
    if (explain)
      explain(effect, finding);
    findings.add(std::move(finding));
  }
}

unsigned formwork::transforms::countEffective(ArrayRef<StepEffect> effects) {
  return llvm::count_if(
      effects, [](const StepEffect &effect) { return effect.holds(); });
}
