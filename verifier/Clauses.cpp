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
      {"alternatives", &Interpreter::alternativesModel},
      {"apply-patterns", &Interpreter::applyPatternsModel},
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
      {"fuse-into", &Interpreter::fuseIntoModel},
      {"map-blocks", &Interpreter::mapBlocksModel},
      {"map-threads", &Interpreter::mapThreadsModel},
      {"promote", &Interpreter::promoteModel},
      {"pad", &Interpreter::padModel},
      {"generalize", &Interpreter::generalizeModel},
      {"destination-style", &Interpreter::destinationStyleModel},
      {"bufferize-to-allocation", &Interpreter::allocationModel},
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

NodeList Interpreter::getScopes(Operation *op, const Contract &contract) {
  llvm::SmallSetVector<NodeId, 4> scopes;
  for (NodeId target : lookup(op->getOperand(0)).nodes)
    scopes.insert(
        getScope(state.payload, target, contract.payload->extent, root));
  return scopes.takeVector();
}

void Interpreter::applyWriteOf(Operation *op, const Contract &contract,
                               ArrayRef<std::string> introduces) {
  for (NodeId scope : getScopes(op, contract)) {
    state.payload.touch(scope, introduces, {});
    state.forms.write(state.payload, scope, &contract);
  }
}

void Interpreter::applyWrite(Operation *op, const Contract *contract) {
  auto transformOp = dyn_cast<transform::TransformOpInterface>(op);
  if (transformOp && !transform::doesModifyPayload(transformOp))
    return;
  if (!contract || !contract->payload || op->getNumOperands() == 0) {
    // Nothing is known to bound the write.
    static const KindPatterns any = {"*"};
    state.payload.touch(root, any, any);
    state.forms.write(state.payload, root, contract);
    return;
  }
  const PayloadClause &clause = *contract->payload;
  // A write that rewrites nothing below its target changes the target.
  bool changesTarget =
      clause.extent == WriteExtent::Target && clause.rewrites.empty();
  for (NodeId scope : getScopes(op, *contract)) {
    if (changesTarget) {
      state.payload.edit(scope).op = nullptr;
      // Of an op that is not known, any may be it.
      if (!state.payload[scope].exact)
        for (auto [id, place] : state.payload.getBelow(scope))
          state.payload.edit(id).op = nullptr;
    }
    state.payload.touch(scope, clause.introduces, clause.rewrites);
    if (clause.handles == HandleEffect::Moves)
      state.payload.loosen(scope);
    if (contract->procedures.empty()) {
      state.forms.write(state.payload, scope, contract);
      continue;
    }
    NodeId anchor =
        state.payload.getAncestor(scope, /*proper=*/false, {"$isolated"})
            .value_or(scope);
    state.forms.cleanUp(
        state.payload, anchor,
        RewriteNames(contract->procedures.begin(), contract->procedures.end()));
  }
}

void Interpreter::applyUnknown(Operation *op) {
  withoutContract.insert(op->getName().getStringRef());
  unprove(op, "has no contract");
  applyWrite(op, nullptr);
  visitRegionsConservatively(op);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setOpaque(op, i);
}

void Interpreter::forgetConsumed(Operation *op, const Contract &contract) {
  auto transformOp = dyn_cast<transform::TransformOpInterface>(op);
  if (!transformOp)
    return;
  PayloadModel &payload = state.payload;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!transform::isHandleConsumed(operand.get(), transformOp))
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
      if (!node.hasBelow)
        continue;
      for (auto [id, place] : payload.getBelow(target)) {
        payload.edit(id).op = nullptr;
        payload.doubt(id);
      }
    }
  }
}

void Interpreter::applyClauses(Operation *op, const Contract &contract) {
  forgetConsumed(op, contract);
  applyWrite(op, &contract);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setResultByClause(op, contract, i);
  for (auto [form, operand] : contract.ensures)
    if (operand < op->getNumOperands())
      for (NodeId anchor : getAnchors(op->getOperand(operand), form))
        state.forms.establish(anchor, form);
}

void Interpreter::setResultByClause(Operation *op, const Contract &contract,
                                    unsigned index) {
  if (index >= contract.results.size() || !contract.results[index])
    return setOpaque(op, index);
  const ResultClause &clause = *contract.results[index];
  bool hasOperand = clause.operand && *clause.operand < op->getNumOperands();
  if (!hasOperand && clause.count != ResultCount::One)
    return setOpaque(op, index);

  std::optional<OperationName> kind;
  if (clause.kinds.size() == 1 &&
      clause.kinds.front().find_first_of("$*") == std::string::npos)
    kind = OperationName(clause.kinds.front(), op->getContext());
  NodeList targets;
  if (hasOperand)
    targets = lookup(op->getOperand(*clause.operand)).nodes;
  if (clause.relation == ResultRelation::Same) {
    setResult(op, index, targets);
    return;
  }

  NodeList nodes;
  for (NodeId target : targets) {
    Node &old = state.payload.edit(target);
    Count count = old.count;
    if (clause.count == ResultCount::AtMostPerTarget)
      count.lo = 0;
    if (clause.count == ResultCount::Unbounded)
      count = Count();
    NodeId scope = target;
    UpKind up = UpKind::Inside;
    switch (clause.relation) {
    case ResultRelation::Same:
    case ResultRelation::Inside:
      break;
    case ResultRelation::Replaces:
    case ResultRelation::Fresh: {
      // The new op stands where the old one stood.
      SmallVector<Up, 1> ups = old.ups;
      bool exact = old.exact && clause.count == ResultCount::PerTarget &&
                   clause.relation == ResultRelation::Replaces && kind;
      bool replaces = clause.relation == ResultRelation::Replaces;
      if (replaces)
        old.present = Certainty::No;
      Node node;
      node.kind = kind;
      node.origin = op;
      node.ups = ups;
      node.count = count;
      node.exact = exact;
      node.fresh = true;
      node.live = old.live;
      nodes.push_back(state.payload.add(std::move(node)));
      if (replaces)
        state.payload.inheritContents(target, nodes.back());
      continue;
    }
    case ResultRelation::Around:
    case ResultRelation::Any:
      scope = root;
      up = UpKind::AtOrInside;
      break;
    }
    nodes.push_back(state.payload.addSomewhere(scope, up, kind, count, op));
  }
  if (nodes.empty() && !hasOperand)
    nodes.push_back(state.payload.addSomewhere(root, UpKind::AtOrInside, kind,
                                               Count::exactly(1), op));
  setResult(op, index, nodes);
}
