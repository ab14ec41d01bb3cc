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

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::verifier;

Interpreter::Model Interpreter::lookupModel(StringRef name) {
  static const llvm::StringMap<Model> models = {
      {"match", &Interpreter::matchModel},
      {"cast", &Interpreter::castModel},
      {"merge-handles", &Interpreter::mergeModel},
      {"replicate", &Interpreter::replicateModel},
      {"split-handle", &Interpreter::splitModel},
      {"get-parent", &Interpreter::getParentModel},
      {"get-producer", &Interpreter::getProducerModel},
      {"param-constant", &Interpreter::paramModel},
      {"num-associations", &Interpreter::countModel},
      {"knob", &Interpreter::knobModel},
      {"constrain-params", &Interpreter::constrainParamsModel},
      {"tune-alternatives", &Interpreter::tuneAlternativesModel},
      {"sequence", &Interpreter::sequenceModel},
      {"include", &Interpreter::includeModel},
      {"foreach", &Interpreter::foreachModel},
      {"foreach-match", &Interpreter::foreachMatchModel},
      {"collect-matching", &Interpreter::collectMatchingModel},
      {"alternatives", &Interpreter::alternativesModel},
      {"match-name", &Interpreter::matchNameModel},
      {"matcher", &Interpreter::matcherModel},
      {"select", &Interpreter::selectModel},
      {"opaque", &Interpreter::opaqueModel},
      {"match-cmpi", &Interpreter::matchCmpIModel},
      {"verify", &Interpreter::verifyModel},
      {"apply-patterns", &Interpreter::applyPatternsModel},
      {"registered-pass", &Interpreter::registeredPassModel},
      {"apply-cse", &Interpreter::applyCleanUpModel},
      {"apply-dce", &Interpreter::applyCleanUpModel},
      {"apply-licm", &Interpreter::applyLicmModel},
      {"assert-form", &Interpreter::assertModel},
      {"normalize", &Interpreter::normalizeModel},
      {"vectorize", &Interpreter::vectorizeModel},
      {"vectorize-children", &Interpreter::vectorizeChildrenModel},
      {"one-shot-bufferize", &Interpreter::bufferizeModel},
      {"tile-using-forall", &Interpreter::tileForallModel},
      {"tile-using-for", &Interpreter::tileForModel},
      {"tile-reduction", &Interpreter::tileReductionModel},
      {"fuse-into", &Interpreter::fuseIntoModel},
      {"fuse", &Interpreter::fuseModel},
      {"map-blocks", &Interpreter::mapBlocksModel},
      {"map-threads", &Interpreter::mapThreadsModel},
      {"map-copy", &Interpreter::mapCopyModel},
      {"multibuffer", &Interpreter::multibufferModel},
      {"pipeline", &Interpreter::pipelineModel},
      {"mma-sync", &Interpreter::mmaSyncModel},
      {"tma", &Interpreter::tmaModel},
      {"match-structured", &Interpreter::matchStructuredModel},
      {"multitile-sizes", &Interpreter::multitileSizesModel},
      {"continuous-sizes", &Interpreter::continuousSizesModel},
      {"promote", &Interpreter::promoteModel},
      {"pad", &Interpreter::padModel},
      {"decompose", &Interpreter::decomposeModel},
      {"generalize", &Interpreter::generalizeModel},
      {"specialize", &Interpreter::specializeModel},
      {"transpose-matmul", &Interpreter::transposeMatmulModel},
      {"destination-style", &Interpreter::destinationStyleModel},
      {"bufferize-to-allocation", &Interpreter::allocationModel},
      {"annotate", &Interpreter::annotateModel},
      {"get-values", &Interpreter::getValuesModel},
      {"get-defining-op", &Interpreter::getDefiningModel},
      {"get-consumers", &Interpreter::getConsumersModel},
      {"split-loop", &Interpreter::splitLoopModel},
      {"interchange", &Interpreter::interchangeModel},
      {"unroll", &Interpreter::unrollModel},
      {"peel", &Interpreter::peelModel},
      {"outline", &Interpreter::outlineModel},
      {"take-branch", &Interpreter::takeBranchModel},
      {"replace", &Interpreter::replaceModel},
      {"pack", &Interpreter::packModel},
      {"pack-transpose", &Interpreter::packTransposeModel},
      {"promote-tensor", &Interpreter::promoteTensorModel},
      {"query", &Interpreter::queryModel},
      {"convert-forall", &Interpreter::convertForallModel},
      {"convert-to-loops", &Interpreter::convertToLoopsModel},
  };
  return models.lookup(name);
}

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

NodeList Interpreter::getScopes(Operation *op, const PayloadClause &clause) {
  // Of an operand that is not given, nothing bounds the write.
  if (clause.operand >= op->getNumOperands())
    return {root};
  const NodeList &targets = lookup(op->getOperand(clause.operand)).nodes;
  auto getOne = [&](NodeId target) {
    return getScope(state.payload, target, clause.extent, root);
  };
  if (targets.size() == 1)
    return {getOne(targets.front())};
  llvm::SmallSetVector<NodeId, 4> scopes;
  for (NodeId target : targets)
    scopes.insert(getOne(target));
  return scopes.takeVector();
}

void Interpreter::applyWriteOf(Operation *op, const Contract &contract,
                               ArrayRef<KindPattern> introduces) {
  state.payload.mayDropUses();
  for (const PayloadClause &clause : contract.writes)
    for (NodeId scope : getScopes(op, clause)) {
      state.payload.touch(scope, introduces, {});
      state.forms.write(state.payload, scope, &contract);
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

void Interpreter::hideOrigins(Operation *op, const PayloadClause &clause,
                              ArrayRef<NodeId> scopes) {
  // Kernels that are converted are marked as such.
  auto marks = [](StringRef kind) {
    return kind == "*" || kind == "nvvm.*" || kind == "rocdl.*";
  };
  if (isa<transform::ApplyConversionPatternsOp>(op) &&
      llvm::any_of(clause.introduces, marks))
    state.payload.hideTags();
  if (clause.introduces.empty() || !state.payload.hasVisibleTags())
    return;
  llvm::DenseSet<NodeId> targets;
  for (Value operand : op->getOperands())
    targets.insert_range(lookup(operand).nodes);
  KindPatterns origins = getOrigins(clause);
  for (NodeId scope : scopes)
    state.payload.hideTags(scope, [&](NodeId id) {
      return targets.contains(id) || mayBeOfKind(state.payload[id], origins);
    });
}

void Interpreter::applyWrite(Operation *op, const Contract *contract) {
  if (effects->isStep(op) && !effects->modifiesPayload(op))
    return;
  if (!contract || !contract->payload || op->getNumOperands() == 0) {
    // Nothing is known to bound the write.
    static const KindPatterns any = {"*"};
    state.payload.hideTags();
    state.payload.mayDropUses();
    state.payload.touch(root, any, any);
    state.forms.write(state.payload, root, contract);
    return;
  }
  RewriteNames procedures = contract->getProcedures();
  for (const PayloadClause &clause : contract->writes) {
    // A write that rewrites nothing below its target changes the target.
    bool changesTarget =
        clause.extent == WriteExtent::Target && clause.rewrites.empty();
    NodeList scopes = getScopes(op, clause);
    hideOrigins(op, clause, scopes);
    // What only moves ops, or marks them, takes no use away.
    if (!clause.introduces.empty() || !clause.rewrites.empty() ||
        !clause.removes.empty())
      state.payload.mayDropUses();
    for (NodeId scope : scopes) {
      if (changesTarget) {
        state.payload.edit(scope).op = nullptr;
        // Of an op that is not known, any may be it.
        if (!state.payload[scope].exact)
          for (auto [id, place] :
               state.payload.getBelow(scope, NodeSet::Unsettled))
            state.payload.edit(id).op = nullptr;
      }
      applyHandleEffects(op, scope, clause);
      // More of whatever is there.
      KindPatterns introduces = clause.introduces;
      if (auto *more = llvm::find(introduces, "+*"); more != introduces.end()) {
        introduces.erase(more);
        llvm::append_range(introduces, getKindsBelow(scope));
      }
      state.payload.touch(scope, introduces, clause.rewrites);
      state.payload.remove(scope, clause.removes);
      if (procedures.empty()) {
        state.forms.write(state.payload, scope, contract);
        continue;
      }
      NodeId anchor =
          state.payload.getAncestor(scope, /*proper=*/false, {"$isolated"})
              .value_or(scope);
      state.forms.cleanUp(state.payload, anchor, procedures);
    }
  }
}

void Interpreter::applyUnknown(Operation *op) {
  StringRef name = op->getName().getStringRef();
  // What a contract says is read beside what the op says of its effects.
  if (!effects->isStep(op) && contracts.lookup(name)) {
    unprove(op,
            "has no contract that is used, because it is not registered as a "
            "transform op here");
  } else {
    withoutContract.insert(name);
    unprove(op, "has no contract");
  }
  applyWrite(op, nullptr);
  visitRegionsConservatively(op);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setOpaque(op, i);
}

void Interpreter::forgetConsumed(Operation *op, const Contract &contract) {
  PayloadModel &payload = state.payload;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!effects->consumes(op, operand.get()))
      continue;
    bool isReturned = llvm::any_of(
        contract.results, [&](const std::optional<ResultClause> &result) {
          return result && result->relation == ResultRelation::Same &&
                 result->operand == operand.getOperandNumber();
        });
    for (NodeId target : NodeList(lookup(operand.get()).nodes)) {
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

void Interpreter::applyClauses(Operation *op, const Contract &contract) {
  sureTargets.clear();
  for (Value operand : op->getOperands())
    for (NodeId target : lookup(operand).nodes)
      if (state.payload[target].present == Certainty::Yes)
        sureTargets.insert(target);
  forgetConsumed(op, contract);
  applyWrite(op, &contract);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setResultByClause(op, contract, i);
  for (const auto &claim : contract.ensures) {
    auto [form, operand] = claim.what;
    if (operand < op->getNumOperands())
      for (NodeId anchor : getAnchors(op->getOperand(operand), form))
        state.forms.establish(anchor, form);
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

/// What a result that is in `relation` to `target` lies inside of, if that says
/// so much.
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

void Interpreter::setResultInTotal(Operation *op, const ResultClause &clause,
                                   unsigned index,
                                   std::optional<OperationName> kind,
                                   ArrayRef<NodeId> targets) {
  Count count = getCount(op, clause, Count::exactly(1));
  NodeList nodes;
  bool isInside =
      clause.relation == ResultRelation::Inside && targets.size() == 1;
  if (count.hi != 0)
    nodes.push_back(state.payload.addSomewhere(
        isInside ? targets.front() : root,
        isInside ? UpKind::Inside : UpKind::AtOrInside, kind, count, op));
  setResult(op, index, nodes);
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
  // Of what is not exact, its place does not tell.
  return isHeld || llvm::any_of(targets, [&](NodeId other) {
           return other != target && !(node.exact && payload[other].exact) &&
                  payload.isAtOrBelow(target, other) != Certainty::No;
         });
}

void Interpreter::setResultByClause(Operation *op, const Contract &contract,
                                    unsigned index) {
  if (setLoneResult(op, contract, index))
    return;
  const ResultClause *found = getClause(contract, index);
  if (!found)
    return setOpaque(op, index);
  const ResultClause &clause = *found;
  bool inTotal = clause.count == ResultCount::Term && !clause.term.perTarget;
  bool hasOperand = clause.operand && *clause.operand < op->getNumOperands();
  std::optional<OperationName> kind;
  if (clause.kinds.size() == 1 &&
      clause.kinds.front().getForm() == KindPattern::Form::Name)
    kind = OperationName(clause.kinds.front(), op->getContext());
  if (!hasOperand && !inTotal) {
    NodeId any = state.payload.addSomewhere(
        root, UpKind::AtOrInside, kind,
        getCount(op, clause, {0, Count::unbounded}), op);
    setResult(op, index, any, /*ordered=*/false);
    return;
  }

  NodeList targets;
  bool ordered = true;
  if (hasOperand) {
    HandleState &handle = lookup(op->getOperand(*clause.operand));
    targets = handle.nodes;
    ordered = handle.ordered;
  }
  if (clause.relation == ResultRelation::Same) {
    setResult(op, index, targets, ordered);
    return;
  }
  if (inTotal)
    return setResultInTotal(op, clause, index, kind, targets);

  llvm::DenseSet<NodeId> held;
  NodeList replacedAgain;
  if (clause.relation == ResultRelation::Replaces)
    for (NodeId target : targets)
      if (mayBeHeldByAnother(state.payload, target, targets))
        held.insert(target);
  NodeList nodes;
  for (NodeId target : targets) {
    const Node &old = state.payload[target];
    Count count = getCount(op, clause, old.count);
    if (!sureTargets.contains(target))
      count.lo = 0;
    bool isReplaced = clause.relation == ResultRelation::Replaces;
    if (isReplaced)
      state.payload.edit(target).present = Certainty::No;
    if (count.hi == 0)
      continue;
    if (!isReplaced && clause.relation != ResultRelation::Fresh) {
      std::optional<NodeId> holder =
          getHolder(state.payload, target, clause.relation);
      nodes.push_back(state.payload.addSomewhere(
          holder.value_or(root), holder ? UpKind::Inside : UpKind::AtOrInside,
          kind, count, op));
      continue;
    }
    // The new op stands where the old one stood; of a class, it stays what it
    // was.
    Node node;
    node.kind = kind;
    if (isReplaced && old.kind && clause.kinds.size() == 1 &&
        clause.kinds.front().isClass() &&
        matchesKind(*old.kind, clause.kinds.front()))
      node.kind = old.kind;
    node.origin = op;
    node.ups = old.ups;
    node.count = count;
    node.exact = isReplaced && old.exact && count.isExactly(1) && node.kind;
    node.fresh = true;
    node.live = old.live;
    nodes.push_back(state.payload.add(std::move(node)));
    if (held.contains(target))
      replacedAgain.push_back(nodes.back());
    if (isReplaced)
      state.payload.inheritContents(target, nodes.back());
  }
  setResult(op, index, nodes, ordered);
  if (replacedAgain.empty())
    return;
  // What holds a target has its turn, too, and may take away what took the
  // target's place; the handle is not told.
  state.payload.tick();
  for (NodeId node : replacedAgain) {
    state.payload.makeVague(node);
    state.payload.doubt(node);
    state.payload.consume(node, op, /*certain=*/false);
  }
}
