//===- Clauses.cpp - What follows from a contract's clauses -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generic transfer functions: payload writes, forms and results as clauses
// state them. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/clauses/ResultSpaces.h"
#include "verifier/clauses/Tracking.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The node at which a write with `extent` to `target` stops.
static NodeId getScope(const PayloadModel &payload, NodeId target,
                       WriteExtent extent, NodeId root) {
  if (extent == WriteExtent::Target)
    return target;
  if (extent == WriteExtent::Root)
    return root;
  return payload.getAncestor(target, /*proper=*/true, {"$isolated"})
      .value_or(root);
}

NodeList formwork::verifier::getScopes(const Step &step,
                                       const PayloadClause &clause) {
  // If the operand is not given, nothing bounds the write.
  if (clause.operand >= step.op->getNumOperands())
    return {step.root};
  const NodeList &targets =
      step.lookup(step.op->getOperand(clause.operand)).nodes;
  auto getOne = [&](NodeId target) {
    return getScope(step.payload, target, clause.extent, step.root);
  };
  if (targets.size() == 1)
    return {getOne(targets.front())};
  llvm::SmallSetVector<NodeId, 4> scopes;
  for (NodeId target : targets)
    scopes.insert(getOne(target));
  return scopes.takeVector();
}

void formwork::verifier::applyWriteOf(const Step &step,
                                      ArrayRef<KindPattern> introduces) {
  step.payload.mayDropUses();
  for (const PayloadClause &clause : step.contract.writes)
    for (NodeId scope : getScopes(step, clause)) {
      step.payload.touch(scope, introduces, {});
      step.state.forms.write(step.payload, scope, &step.contract);
    }
}

/// The kinds of op of which a write may make others: those that it rewrites,
/// and those that it makes more of.
static KindPatterns getOrigins(const PayloadClause &clause) {
  KindPatterns origins = clause.rewrites;
  for (const KindPattern &kind : clause.introduces)
    origins.push_back(kind.isMoreOfThem() ? kind.getThem() : kind);
  return origins;
}

/// The ops that `clause` introduces below `scopes` are made of others, such as
/// the targets of `op`, and may have their attributes.
static void hideOrigins(const Step &step, const PayloadClause &clause,
                        ArrayRef<NodeId> scopes) {
  // Kernels that are converted are marked as such.
  auto marks = [](StringRef kind) {
    return kind == "*" || kind == "nvvm.*" || kind == "rocdl.*";
  };
  if (isa<transform::ApplyConversionPatternsOp>(step.op) &&
      llvm::any_of(clause.introduces, marks))
    step.payload.hideTags();
  if (clause.introduces.empty() || !step.payload.hasVisibleTags())
    return;
  llvm::DenseSet<NodeId> targets;
  for (Value operand : step.op->getOperands())
    targets.insert_range(step.lookup(operand).nodes);
  KindPatterns origins = getOrigins(clause);
  for (NodeId scope : scopes)
    step.payload.hideTags(scope, [&](NodeId id) {
      return targets.contains(id) || mayBeOfKind(step.payload[id], origins);
    });
}

void formwork::verifier::applyWrite(const Step &step,
                                    const Contract *contract) {
  if (step.effects.isStep(step.op) && !step.effects.modifiesPayload(step.op))
    return;
  if (!contract || !contract->payload || step.op->getNumOperands() == 0) {
    // Nothing is known to bound the write.
    static const KindPatterns any = {"*"};
    step.payload.hideTags();
    step.payload.mayDropUses();
    step.payload.touch(step.root, any, any);
    step.state.forms.write(step.payload, step.root, contract);
    return;
  }
  RewriteNames procedures = contract->getProcedures();
  for (const PayloadClause &clause : contract->writes) {
    // A write that rewrites nothing below its target changes the target.
    bool changesTarget =
        clause.extent == WriteExtent::Target && clause.rewrites.empty();
    NodeList scopes = getScopes(step, clause);
    hideOrigins(step, clause, scopes);
    // A step that only moves or marks ops removes no use.
    if (!clause.introduces.empty() || !clause.rewrites.empty() ||
        !clause.removes.empty())
      step.payload.mayDropUses();
    for (NodeId scope : scopes) {
      if (changesTarget) {
        step.payload.edit(scope).op = nullptr;
        // If the op is not known, it may be any of these.
        if (!step.payload[scope].exact)
          for (auto [id, place] :
               step.payload.getBelow(scope, NodeSet::Unsettled))
            step.payload.edit(id).op = nullptr;
      }
      applyHandleEffects(step, scope, clause);
      // More of whatever is there.
      KindPatterns introduces = clause.introduces;
      if (auto *more = llvm::find(introduces, "+*"); more != introduces.end()) {
        introduces.erase(more);
        llvm::append_range(introduces, getKindsBelow(step, scope));
      }
      step.payload.touch(scope, introduces, clause.rewrites);
      step.payload.remove(scope, clause.removes);
      if (procedures.empty()) {
        step.state.forms.write(step.payload, scope, contract);
        continue;
      }
      NodeId anchor =
          step.payload.getAncestor(scope, /*proper=*/false, {"$isolated"})
              .value_or(scope);
      step.state.forms.cleanUp(step.payload, anchor, procedures);
    }
  }
}

void formwork::verifier::forgetConsumed(const Step &step) {
  PayloadModel &payload = step.payload;
  for (OpOperand &operand : step.op->getOpOperands()) {
    if (!step.effects.consumes(step.op, operand.get()))
      continue;
    bool isReturned = llvm::any_of(
        step.contract.results, [&](const std::optional<ResultClause> &result) {
          return result && result->relation == ResultRelation::Same &&
                 result->operand == operand.getOperandNumber();
        });
    for (NodeId target : NodeList(step.lookup(operand.get()).nodes)) {
      Node &node = payload.edit(target);
      node.op = nullptr;
      node.space = nullptr;
      node.loop = nullptr;
      if (!isReturned)
        payload.doubt(target);
      if (!mayHaveBelow(node))
        continue;
      for (auto [id, place] : payload.getBelow(target, NodeSet::Unsettled)) {
        payload.edit(id).op = nullptr;
        payload.doubt(id);
      }
    }
  }
}

/// Keeps the iteration spaces of the targets that results are described by.
static void keepTargetSpaces(const Step &step) {
  auto &spaces = step.analysis.targetSpaces;
  for (const ResultClause &clause : step.contract.results)
    if (clause.space && *clause.operand < step.op->getNumOperands())
      for (NodeId target :
           step.lookup(step.op->getOperand(*clause.operand)).nodes)
        spaces[target] = step.payload[target].space;
}

/// The iteration space of the op of kind `kind` that the step makes of
/// `target`, number `index` of its targets; null where `clause` does not tell.
static std::shared_ptr<const IterationSpace>
getSpace(const Step &step, const ResultClause &clause, NodeId target,
         unsigned index, const std::optional<OperationName> &kind) {
  if (!clause.space || !kind || !KindPattern("$structured").matches(*kind))
    return nullptr;
  auto old = step.analysis.targetSpaces.lookup(target);
  return old ? getResultSpace(step, *clause.space, *old, index) : nullptr;
}

void formwork::verifier::applyClauses(const Step &step) {
  step.analysis.sureTargets.clear();
  keepTargetSpaces(step);
  for (Value operand : step.op->getOperands())
    for (NodeId target : step.lookup(operand).nodes)
      if (step.payload[target].present == Certainty::Yes)
        step.analysis.sureTargets.insert(target);
  forgetConsumed(step);
  applyWrite(step, &step.contract);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i)
    setResultByClause(step, i);
  step.analysis.targetSpaces.clear();
  for (const auto &claim : step.contract.ensures) {
    auto [form, operand] = claim.what;
    if (operand < step.op->getNumOperands())
      for (NodeId anchor :
           step.analysis.getAnchors(step.op->getOperand(operand), form))
        step.state.forms.establish(anchor, form);
  }
}

/// The only clause about result `index`, if it holds for sure.
static const ResultClause *getClause(const Contract &contract, unsigned index) {
  const ResultClause *found = nullptr;
  for (const ResultClause &clause : contract.results) {
    if (!clause.isAbout(index))
      continue;
    if (found || !clause.when.empty())
      return nullptr;
    found = &clause;
  }
  return found;
}

/// How many ops a result has for `count` targets.
static Count getCount(Operation *op, const ResultClause &clause, Count count) {
  switch (clause.count) {
  case ResultCount::PerTarget:
    return count;
  case ResultCount::AtMostPerTarget:
    return {0, count.hi};
  case ResultCount::Unbounded:
    return {};
  case ResultCount::Term:
    break;
  }
  std::optional<int64_t> number = clause.term.evaluate(op);
  return number ? count * *number : Count();
}

/// The node that a result in `relation` to `target` lies inside of, if the
/// relation tells.
static std::optional<NodeId> getHolder(const PayloadModel &payload,
                                       NodeId target, ResultRelation relation) {
  if (relation == ResultRelation::Inside)
    return target;
  if (relation == ResultRelation::Anchored)
    return payload.getAncestor(target, /*proper=*/true, {"$isolated"});
  if (relation != ResultRelation::Declared)
    return std::nullopt;
  std::optional<NodeId> table;
  payload.walkUp(target, [&](NodeId above) {
    const Node &node = payload[above];
    if (above != target && node.kind &&
        node.kind->hasTrait<OpTrait::SymbolTable>())
      table = above;
    return !table;
  });
  return table;
}

/// One node for all payload of a result that is not counted by target.
static void setResultInTotal(const Step &step, const ResultClause &clause,
                             unsigned index, std::optional<OperationName> kind,
                             ArrayRef<NodeId> targets) {
  Count count = getCount(step.op, clause, Count::exactly(1));
  NodeList nodes;
  bool isInside =
      clause.relation == ResultRelation::Inside && targets.size() == 1;
  if (count.hi != 0)
    nodes.push_back(step.payload.addSomewhere(
        isInside ? targets.front() : step.root,
        isInside ? UpKind::Inside : UpKind::AtOrInside, kind, count, step.op));
  step.setResult(index, nodes);
}

/// Whether an op of `target` may be inside of another op of `targets`.
static bool mayBeHeldByAnother(const PayloadModel &payload, NodeId target,
                               ArrayRef<NodeId> targets) {
  const Node &node = payload[target];
  if (!node.exact && node.count.hi > 1 && !payload.isApart(target))
    return true;
  if (targets.size() == 1)
    return false;
  bool isHeld = false;
  payload.walkEveryWay(target, [&](NodeId above) {
    isHeld = above != target && llvm::is_contained(targets, above);
    return !isHeld;
  });
  // The place of a node that is not exact does not tell.
  return isHeld || llvm::any_of(targets, [&](NodeId other) {
           return other != target && !(node.exact && payload[other].exact) &&
                  payload.isAtOrBelow(target, other) != Certainty::No;
         });
}

/// Whether another result may be put between what replaces the payload of the
/// operand of `clause` and what was around that.
static bool mayBeWrapped(const Contract &contract, const ResultClause &clause) {
  return llvm::any_of(contract.results, [&](const ResultClause &other) {
    return other.relation == ResultRelation::Around &&
           other.operand == clause.operand;
  });
}

void formwork::verifier::setResultByClause(const Step &step, unsigned index) {
  if (setLoneResult(step, index))
    return;
  const ResultClause *found = getClause(step.contract, index);
  if (!found)
    return step.setOpaque(index);
  const ResultClause &clause = *found;
  bool inTotal = clause.count == ResultCount::Term && !clause.term.perTarget;
  bool hasOperand =
      clause.operand && *clause.operand < step.op->getNumOperands();
  std::optional<OperationName> kind;
  if (clause.kinds.size() == 1 &&
      clause.kinds.front().getForm() == KindPattern::Form::Name)
    kind = OperationName(clause.kinds.front(), step.op->getContext());
  if (!hasOperand && !inTotal) {
    NodeId any = step.payload.addSomewhere(
        step.root, UpKind::AtOrInside, kind,
        getCount(step.op, clause, {0, Count::unbounded}), step.op);
    step.setResult(index, any, /*ordered=*/false);
    return;
  }

  NodeList targets;
  bool ordered = true;
  if (hasOperand) {
    HandleState &handle = step.lookup(step.op->getOperand(*clause.operand));
    targets = handle.nodes;
    ordered = handle.ordered;
  }
  if (clause.relation == ResultRelation::Same) {
    if (clause.space)
      for (auto [number, target] : llvm::enumerate(targets)) {
        auto space =
            getSpace(step, clause, target, number, step.payload[target].kind);
        Node &node = step.payload.edit(target);
        node.op = nullptr;
        node.space = std::move(space);
      }
    step.setResult(index, targets, ordered);
    return;
  }
  if (inTotal)
    return setResultInTotal(step, clause, index, kind, targets);

  llvm::DenseSet<NodeId> held;
  NodeList replacedAgain;
  if (clause.relation == ResultRelation::Replaces)
    for (NodeId target : targets)
      if (mayBeHeldByAnother(step.payload, target, targets))
        held.insert(target);
  NodeList nodes;
  for (auto [number, target] : llvm::enumerate(targets)) {
    const Node &old = step.payload[target];
    Count count = getCount(step.op, clause, old.count);
    if (!step.analysis.sureTargets.contains(target))
      count.lo = 0;
    bool isReplaced = clause.relation == ResultRelation::Replaces;
    if (isReplaced)
      step.payload.edit(target).present = Certainty::No;
    if (count.hi == 0)
      continue;
    if (!isReplaced && clause.relation != ResultRelation::Fresh) {
      std::optional<NodeId> holder =
          getHolder(step.payload, target, clause.relation);
      nodes.push_back(step.payload.addSomewhere(
          holder.value_or(step.root),
          holder ? UpKind::Inside : UpKind::AtOrInside, kind, count, step.op));
      if (auto space = getSpace(step, clause, target, number, kind))
        step.payload.edit(nodes.back()).space = std::move(space);
      continue;
    }
    // The new op stands where the old one stood; of a class, it stays what it
    // was.
    Node node;
    node.kind = kind;
    if (isReplaced && old.kind && clause.kinds.size() == 1 &&
        clause.kinds.front().isClass() &&
        clause.kinds.front().matches(*old.kind))
      node.kind = old.kind;
    node.space = getSpace(step, clause, target, number, node.kind);
    // A tile computes what its target does.
    if (isReplaced && node.space && node.kind == old.kind &&
        clause.space->kind == SpaceTerm::Tile) {
      node.body = old.body;
      node.bodySince = old.bodySince;
    }
    node.origin = step.op;
    node.ups = old.ups;
    node.count = count;
    node.exact = isReplaced && old.exact && count.isExactly(1) && node.kind &&
                 !mayBeWrapped(step.contract, clause);
    node.fresh = true;
    node.live = old.live;
    nodes.push_back(step.payload.add(std::move(node)));
    if (held.contains(target))
      replacedAgain.push_back(nodes.back());
    if (isReplaced)
      step.payload.inheritContents(target, nodes.back());
  }
  step.setResult(index, nodes, ordered);
  if (replacedAgain.empty())
    return;
  // The step also visits the op that holds a target, and may remove the
  // replacement of the target. The handle is not updated then.
  step.payload.tick();
  for (NodeId node : replacedAgain) {
    step.payload.makeVague(node);
    step.payload.doubt(node);
    step.payload.consume(node, step.op, /*certain=*/false);
  }
}

KindPatterns formwork::verifier::getKindsBelow(const Analysis &analysis,
                                               NodeId scope) {
  const PayloadModel &payload = analysis.state.payload;
  if (!payload[scope].exact)
    return {"*"};
  KindSet kinds;
  for (auto [id, place] : payload.getBelow(scope)) {
    const Node &node = payload[id];
    bool isStatic =
        node.space && llvm::all_of(node.space->loops, [](const Extent &loop) {
          return loop.isStatic();
        });
    if (std::optional<OperationName> kind = node.kind; kind && isStatic)
      kinds.insert(KindPattern(StringAttr::get(
          kind->getContext(), kind->getStringRef() + "?static")));
    else if (kind || node.isUnlisted())
      kinds.insert(getPattern(node));
  }
  // Any other node without a kind stands for ops that have nodes of their own,
  // or that are among these.
  (void)payload.mayHide(scope, [&](const KindSet &hidden) {
    kinds.insert(hidden.getPatterns());
    return false;
  });
  return KindPatterns(kinds.getPatterns());
}
