//===- StaticEffects.cpp - Steps that surely do nothing ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/walk/StaticEffects.h"

#include "normalforms/Kleene.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/models/EffectRules.h"

#include "mlir/Dialect/Transform/IR/TransformAttrs.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

bool formwork::verifier::isDecision(Operation *op,
                                    const ContractLibrary &contracts) {
  if (isAssembled(op)) {
    const Contract *contract = getEffectContract(op, contracts);
    return contract && !contract->effects.empty();
  }
  if (!isa<transform::TransformOpInterface>(op))
    return false;
  const Contract *contract = contracts.lookup(op->getName().getStringRef());
  // Hoisting is for one kind of op, which its author names, and says which.
  auto saysWhich = [](const EffectTerm &term) {
    return term.what == EffectTerm::Shallower || term.what == EffectTerm::Never;
  };
  return !contract || !contract->has(SideEffect::CleansUp) ||
         llvm::any_of(contract->effects, [&](const EffectClause &clause) {
           return llvm::any_of(clause.terms, saysWhich);
         });
}

/// Whether the term says something of what the scope of a target holds.
static bool isAboutScope(const EffectTerm &term) {
  return llvm::is_contained(
             {EffectTerm::More, EffectTerm::Fewer, EffectTerm::Shallower},
             term.what) &&
         llvm::none_of(term.kinds, [](const KindPattern &kind) {
           return kind.getForm() == KindPattern::Form::Type;
         });
}

/// Whether an op of one of `kinds` may be at or below `scope`.
static bool mayHoldAny(const PayloadModel &payload, NodeId scope,
                       const KindPatterns &kinds) {
  return llvm::any_of(kinds, [&](const KindPattern &kind) {
    return payload.mayHold(scope, kind);
  });
}

/// Whether an op of one of `kinds` may be in a loop at or below `scope`.
static bool mayHoldInLoop(const PayloadModel &payload, NodeId scope,
                          const KindPatterns &kinds) {
  auto isHidden = [](const KindSet &hidden) {
    return hidden.intersects(KindPattern("$loop"));
  };
  if (payload.mayHide(scope, isHidden))
    return mayHoldAny(payload, scope, kinds);
  auto mayHold = [&](const auto &below) {
    return mayHoldAny(payload, below.first, kinds);
  };
  return llvm::any_of(payload.getBelow(scope, mayBeLoop), mayHold);
}

/// The op that effects on `node` are looked for in; none where it is not known.
static std::optional<NodeId> getIsolatedScope(const PayloadModel &payload,
                                              NodeId node) {
  if (payload[node].kind && payload[node].kind.isIsolated())
    return node;
  NodeId above = payload[node].isolatedAbove;
  return above == PayloadModel::universe ? std::nullopt
                                         : std::optional<NodeId>(above);
}

/// Whether the step, by its contract, changes ops of some kinds alone, and
/// there is none where it looks for them. Clean-up may move ops of any kind.
static bool findsNothing(const Step &step, ArrayRef<NodeId> targets) {
  const Contract &contract = step.contract;
  bool isListed = contract.complete && contract.payload &&
                  !contract.payload->rewrites.empty() &&
                  contract.payload->removes.empty() &&
                  !contract.has(SideEffect::CleansUp);
  return isListed && llvm::none_of(targets, [&](NodeId target) {
           NodeId scope = target;
           if (contract.payload->extent == WriteExtent::Root)
             scope = step.root;
           else if (contract.payload->extent == WriteExtent::Anchor)
             scope = getIsolatedScope(step.payload, target).value_or(step.root);
           return mayHoldAny(step.payload, scope, contract.payload->rewrites) ||
                  llvm::any_of(contract.payload->introduces,
                               [&](const KindPattern &kind) {
                                 return !kind.isMoreOfThem() ||
                                        step.payload.mayHold(scope,
                                                             kind.getThem());
                               });
         });
}

/// Whether `isSo` accepts what each of `targets` has for the attribute that the
/// step would give it; not if one of them is not known.
static bool haveAttribute(const Step &step, ArrayRef<NodeId> targets,
                          llvm::function_ref<bool(Attribute)> isSo) {
  StringAttr name;
  for (const EffectClause &clause : step.contract.effects)
    for (const EffectTerm &term : clause.terms)
      if (term.what == EffectTerm::AttributeOf)
        name = step.op->getAttrOfType<StringAttr>(term.name);
  return name && !step.payload.mayHideTag(name) &&
         llvm::all_of(targets, [&](NodeId target) {
           const Tags &tags = step.payload[target].tags;
           return tags.isKnown() && !tags.isOpen(name) && isSo(tags.get(name));
         });
}

/// Why MLIR skips each of `targets`, as far as they are as given. The uses of
/// an op are as given if the op that isolates it is.
static std::optional<std::string> explainSkipped(const Step &step,
                                                 ArrayRef<NodeId> targets) {
  std::optional<std::string> reason;
  EffectRules rules = getEffectRules().lookup(step.op);
  for (NodeId target : targets) {
    std::optional<NodeId> scope = getIsolatedScope(step.payload, target);
    Operation *op = step.payload[target].op;
    if (!op || !scope || !step.payload.isUntouched(*scope))
      return std::nullopt;
    reason = rules.explainIdle(op);
    if (!reason)
      break;
  }
  return reason;
}

/// Whether the step only finds payload. That it finds none is fw-empty-match.
static bool isSearch(const Step &step) {
  auto isResult = [](const EffectTerm &term) {
    return term.what == EffectTerm::Result;
  };
  return !step.contract.effects.empty() &&
         !step.effects.modifiesPayload(step.op) &&
         llvm::all_of(step.contract.effects, [&](const EffectClause &clause) {
           return llvm::all_of(clause.terms, isResult);
         });
}

/// Whether the step does what the sequences do that it names.
static bool runsOthers(Operation *op) { return isa<SymbolUserOpInterface>(op); }

StepVisit::StepVisit(const Step &step) {
  if (!step.effects.isStep(step.op) || step.op->getNumOperands() == 0 ||
      !verifier::isDecision(step.op, step.contracts))
    return;
  if (isSearch(step)) {
    onlyFinds = true;
    contract = &step.contract;
    areThere = true;
    return;
  }
  bool hasClauses = !step.contract.effects.empty();
  const Contract *general = getEffectContract(step.op, step.contracts);
  // None of its clauses is about this instance.
  if (!hasClauses && general && !general->effects.empty())
    return;
  if (!hasClauses && (step.op->getNumRegions() != 0 || runsOthers(step.op) ||
                      !step.effects.modifiesPayload(step.op)))
    return;
  unsigned operand = hasClauses ? step.contract.effects.front().operand : 0;
  if (operand >= step.op->getNumOperands())
    return;
  targets = step.op->getOperand(operand);
  const HandleState &handle = step.lookup(targets);
  if (handle.kind == HandleState::Params)
    return;
  contract = &step.contract;
  isEmpty = handle.count(step.payload).hi == 0;
  version = step.payload.version();
  numNodes = step.payload.size();
  // Values are not followed one by one.
  if (isEmpty || handle.kind == HandleState::Values)
    return;
  nodes = handle.nodes;
  EffectRules rules = getEffectRules().lookup(step.op);
  auto isSkipped = [&](NodeId node) {
    return rules.isSkipped(step.op, step.payload[node]);
  };
  isWithoutWork = !nodes.empty() &&
                  (findsNothing(step, nodes) || llvm::all_of(nodes, isSkipped));
  mayDoBesides = llvm::any_of(nodes, [&](NodeId node) {
    return rules.mayDoBesides(step.payload, node);
  });
  auto isUnit = [](Attribute value) {
    return isa_and_nonnull<UnitAttr>(value);
  };
  // A value that another operand says may be another one.
  hasAttribute =
      step.op->getNumOperands() == 1 && haveAttribute(step, nodes, isUnit);
  lacksAttribute =
      haveAttribute(step, nodes, [](Attribute value) { return !value; });
  areThere = handle.count(step.payload).lo >= 1 &&
             llvm::all_of(nodes, [&](NodeId node) {
               return step.payload[node].isSurelyThere();
             });
  reason = explainSkipped(step, nodes);
  for (NodeId node : nodes)
    kinds.push_back(step.payload[node].kind);
  std::optional<AtomId> bufferized = step.forms.lattice().lookup("bufferized");
  for (const EffectClause &clause : contract->effects)
    for (const EffectTerm &term : clause.terms)
      for (NodeId node : handle.nodes) {
        std::optional<NodeId> scope = getIsolatedScope(step.payload, node);
        if (term.what == EffectTerm::Held && !term.negated)
          held.push_back(
              {&term, node, mayHoldAny(step.payload, node, term.kinds)});
        if (!scope || term.negated)
          continue;
        if (isAboutScope(term))
          held.push_back({&term, *scope,
                          term.what == EffectTerm::Shallower
                              ? mayHoldInLoop(step.payload, *scope, term.kinds)
                              : mayHoldAny(step.payload, *scope, term.kinds)});
        else if (term.what == EffectTerm::Fewer &&
                 term.kinds.front() == "!tensor")
          held.push_back(
              {&term, *scope,
               !bufferized ||
                   !step.state.forms.has(step.payload, *scope, *bufferized)});
      }
}

/// Whether the model says that the step leaves the payload unchanged.
/// Introducing ops of an existing kind leaves no trace, and an unrestricted
/// change counts as a write.
bool StepVisit::isUnchanged(const Step &step) const {
  bool onlyIntroduces =
      contract->payload && contract->payload->rewrites.empty();
  return contract->complete && !contract->model.empty() && !onlyIntroduces &&
         !isAssembled(step.op) && step.payload.version() == version &&
         !step.payload.mayHaveMerged(step.payload.time() - 1);
}

bool StepVisit::stays(const Step &step, NodeId node, const NodeKind &kind) {
  return kind && step.payload[node].present == Certainty::Yes &&
         step.payload[node].kind == kind;
}

bool StepVisit::staysTarget(const Step &step) const {
  if (step.op->getNumResults() == 0)
    return false;
  const HandleState &result = step.lookup(step.op->getResult(0));
  if (result.kind != HandleState::Ops || result.nodes != nodes)
    return false;
  return llvm::all_of(llvm::zip_equal(nodes, kinds), [&](auto pair) {
    return stays(step, std::get<0>(pair), std::get<1>(pair));
  });
}

bool StepVisit::makesNone(const Step &step, const KindPatterns &kinds) const {
  bool isListed =
      contract->complete && !contract->model.empty() && contract->payload &&
      llvm::all_of(kinds, [&](const KindPattern &kind) {
        return kind.getForm() == KindPattern::Form::Name &&
               llvm::none_of(contract->payload->introduces,
                             [&](const KindPattern &introduced) {
                               return introduced.names(kind.getKind());
                             });
      });
  if (!isListed)
    return false;
  for (NodeId id = numNodes; id < step.payload.size(); ++id)
    if (mayBeOfKind(step.payload[id], kinds))
      return false;
  // Where the model leaves a result open, it may leave out a node.
  return llvm::all_of(step.op->getResults(), [&](Value result) {
    const HandleState &handle = step.lookup(result);
    return handle.kind == HandleState::Ops &&
           llvm::all_of(handle.nodes, [&](NodeId id) {
             return step.payload[id].exact && step.payload[id].kind;
           });
  });
}

/// Whether result `index` surely holds nothing.
static bool isEmptyResult(const Step &step, unsigned index) {
  if (index >= step.op->getNumResults())
    return false;
  const HandleState &handle = step.lookup(step.op->getResult(index));
  return handle.kind == HandleState::Ops && handle.count(step.payload).hi == 0;
}

bool StepVisit::makesMore(const Step &step, const KindPatterns &kinds) const {
  // A step that may take some ops away may take more of them away.
  auto mayTake = [&](const KindPattern &taken) {
    return llvm::any_of(kinds, [&](const KindPattern &kind) {
      return kind.getForm() != KindPattern::Form::Name ||
             taken.getForm() != KindPattern::Form::Name || taken == kind;
    });
  };
  bool isOne = nodes.size() == 1 && step.payload[nodes.front()].exact;
  bool keepsThem =
      isOne && contract->complete && contract->payload &&
      llvm::none_of(contract->payload->rewrites, mayTake) &&
      llvm::none_of(contract->payload->removes, mayTake) &&
      llvm::none_of(this->kinds, [&](const NodeKind &kind) {
        return !kind || llvm::any_of(kinds, [&](const KindPattern &pattern) {
          return pattern.matches(*kind);
        });
      });
  if (!keepsThem)
    return false;
  for (NodeId id = numNodes; id < step.payload.size(); ++id) {
    const Node &node = step.payload[id];
    if (node.kind && node.isSurelyThere() &&
        llvm::any_of(kinds, [&](const KindPattern &kind) {
          return kind.matches(*node.kind);
        }))
      return true;
  }
  return false;
}

bool StepVisit::provesTerm(const Step &step, const EffectTerm &term) const {
  if (term.negated)
    return false;
  auto getResult = [&](unsigned index) -> const HandleState * {
    if (index >= step.op->getNumResults())
      return nullptr;
    const HandleState &handle = step.lookup(step.op->getResult(index));
    return handle.kind == HandleState::Ops ? &handle : nullptr;
  };
  switch (term.what) {
  case EffectTerm::Gone:
    return llvm::all_of(nodes, [&](NodeId node) {
      return step.payload[node].present == Certainty::No;
    });
  case EffectTerm::AttributeOf: {
    auto isThere = [](Attribute value) { return bool(value); };
    return lacksAttribute && haveAttribute(step, nodes, isThere);
  }
  case EffectTerm::Result: {
    const HandleState *result = getResult(term.index);
    bool isOne = nodes.empty() ||
                 (nodes.size() == 1 && step.payload[nodes.front()].exact);
    return result && isOne && term.kinds.empty() &&
           result->count(step.payload).lo >= 1;
  }
  case EffectTerm::Inside: {
    // The op that the target became is the first result.
    const HandleState *result = getResult(0);
    return result && result->count(step.payload).lo >= 1 &&
           result->nodes.size() == nodes.size() &&
           llvm::all_of(result->nodes, [&](NodeId node) {
             std::optional<NodeId> around =
                 step.payload.getAncestor(node, /*proper=*/true, term.kinds);
             return around && *around >= numNodes &&
                    step.payload[*around].isSurelyThere();
           });
  }
  case EffectTerm::More:
    return makesMore(step, term.kinds);
  default:
    return false;
  }
}

/// Whether the schedule goes on if the step fails.
static bool isSuppressed(const Step &step) {
  return llvm::any_of(step.analysis.running, [](Operation *op) {
    auto mode = op->getAttrOfType<transform::FailurePropagationModeAttr>(
        "failure_propagation_mode");
    return mode &&
           mode.getValue() == transform::FailurePropagationMode::Suppress;
  });
}

bool StepVisit::provesEffect(const Step &step) const {
  if (!contract || !areThere || isSuppressed(step))
    return false;
  // Those whose conditions are not known have to hold as well.
  const Contract *general = getEffectContract(step.op, step.contracts);
  bool hasClause = false;
  if (!general)
    return false;
  for (const EffectClause &clause : general->effects) {
    std::optional<bool> applies =
        conjoin(clause.when,
                [&](const Condition &each) { return each.decide(step.op); });
    if (applies == false)
      continue;
    hasClause = true;
    // Not every op in the scope is known.
    if (clause.each || !llvm::all_of(clause.terms, [&](const EffectTerm &term) {
          return provesTerm(step, term);
        }))
      return false;
  }
  return hasClause;
}

std::optional<std::string> StepVisit::findIdle(const Step &step) const {
  if (!contract || onlyFinds)
    return std::nullopt;
  if (isEmpty)
    return step.nameOf(targets) + " holds no payload";
  StringRef otherwise = "the payload is unchanged";
  if (!contract->effects.empty())
    otherwise = contract->effects.front().otherwise;
  if (reason)
    return (otherwise + ", because " + *reason).str();
  if (isWithoutWork || isUnchanged(step))
    return otherwise.str();
  // One term of a clause has to be false, for each target.
  size_t numTargets = nodes.size();
  auto isRefuted = [&](const EffectClause &clause) {
    return llvm::any_of(clause.terms, [&](const EffectTerm &term) {
      if (term.what == EffectTerm::Never)
        return !term.negated;
      if (term.what == EffectTerm::Gone && !term.negated)
        return staysTarget(step);
      if (term.what == EffectTerm::AttributeOf && !term.negated)
        return hasAttribute;
      if (term.what == EffectTerm::Inside && !term.negated)
        return makesNone(step, term.kinds);
      if (term.what == EffectTerm::Result && !term.negated)
        return isEmptyResult(step, term.index);
      auto isFalse = [&](const Held &one) {
        if (one.term != &term)
          return false;
        return term.what == EffectTerm::More
                   ? !mayHoldAny(step.payload, one.scope, term.kinds)
                   : !one.mayHold;
      };
      return numTargets != 0 &&
             static_cast<size_t>(llvm::count_if(held, isFalse)) == numTargets;
    });
  };
  const auto *refuted = llvm::find_if(contract->effects, isRefuted);
  if (refuted != contract->effects.end())
    return refuted->otherwise.str();
  return std::nullopt;
}

bool StepVisit::mayHavePart(const Step &step) const {
  return contract && mayDoBesides && !reason && !isUnchanged(step);
}

std::optional<std::string> StepVisit::findPartial(const Step &step) const {
  // Only what becomes of each target itself is known one by one.
  bool isKnown =
      contract && areThere && contract->effects.size() == 1 &&
      contract->effects.front().terms.size() == 1 &&
      contract->effects.front().terms.front().what == EffectTerm::Gone &&
      !contract->effects.front().terms.front().negated &&
      step.op->getNumResults() != 0 && !nodes.empty();
  if (!isKnown)
    return std::nullopt;
  const HandleState &result = step.lookup(step.op->getResult(0));
  unsigned numStaying = 0, numGone = 0;
  for (auto [node, kind] : llvm::zip_equal(nodes, kinds)) {
    if (!step.payload[node].exact)
      return std::nullopt;
    numStaying +=
        stays(step, node, kind) && llvm::is_contained(result.nodes, node);
    numGone += step.payload[node].present == Certainty::No;
  }
  if (numStaying == 0 || numGone == 0 || numStaying + numGone != nodes.size())
    return std::nullopt;
  return (Twine(numStaying) + " of " + Twine(nodes.size()) +
          " targets: " + contract->effects.front().otherwise)
      .str();
}

void DecidedSteps::add(const Step &step, const StepVisit &visit) {
  if (!visit.isDecision())
    return;
  Outcome outcome{visit.findIdle(step), visit.mayHavePart(step),
                  visit.findPartial(step), visit.provesEffect(step),
                  visit.hasNoPayload()};
  auto [it, isNew] = steps.insert({step.op, outcome});
  if (isNew)
    return;
  if (!outcome.idle)
    it->second.idle = std::nullopt;
  it->second.mayHavePart |= outcome.mayHavePart;
  it->second.partial = std::nullopt;
  it->second.hasEffect &= outcome.hasEffect;
  it->second.isEmpty &= outcome.isEmpty;
}

/// Where the errors are.
static llvm::DenseSet<Location>
getErrors(const formwork::engine::Findings &findings) {
  llvm::DenseSet<Location> errors;
  for (const formwork::engine::Finding &finding : findings.get())
    if (finding.severity == DiagnosticSeverity::Error)
      errors.insert(finding.loc);
  return errors;
}

void DecidedSteps::addFindings(engine::Findings &findings) const {
  llvm::DenseSet<Location> errors = getErrors(findings);
  // The results of a step that fails hold nothing, which is no news.
  llvm::DenseSet<Operation *> failing;
  for (const auto &[op, outcome] : steps) {
    Operation *source =
        op->getNumOperands() == 0 ? nullptr : op->getOperand(0).getDefiningOp();
    bool isBehind = outcome.isEmpty && failing.contains(source);
    if (isBehind || errors.contains(op->getLoc()))
      failing.insert(op);
    if (isBehind)
      continue;
    if (outcome.idle && outcome.mayHavePart)
      findings.add({op->getLoc(), "fw-step-partial",
                    "has at most a part of its effect: " + *outcome.idle,
                    DiagnosticSeverity::Warning});
    else if (outcome.idle)
      findings.add({op->getLoc(), "fw-step-idle",
                    "has no effect: " + *outcome.idle,
                    DiagnosticSeverity::Warning});
    else if (outcome.partial)
      findings.add({op->getLoc(), "fw-step-partial",
                    "has no effect on " + *outcome.partial,
                    DiagnosticSeverity::Warning});
  }
}

SmallVector<Operation *> DecidedSteps::getEffective() const {
  SmallVector<Operation *> effective;
  for (const auto &[op, outcome] : steps)
    if (outcome.hasEffect)
      effective.push_back(op);
  return effective;
}
