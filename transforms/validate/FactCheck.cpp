//===- FactCheck.cpp - An inferred state against the payload ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/FactCheck.h"

#include "engine/AnyBelow.h"
#include "normalforms/Establish.h"
#include "transforms/validate/HandleProbe.h"
#include "transforms/validate/OpFacts.h"
#include "transforms/validate/WholePayload.h"
#include "verifier/parameters/KnobDomain.h"
#include "verifier/payload/Liveness.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;
using namespace formwork::verifier;

namespace {
/// The payload ops that a node stands for.
using Ops = SmallVector<Operation *, 2>;

class FactChecker {
public:
  FactChecker(const State &inferred, transform::TransformState &actual,
              const ObservedStep &step, FactContext &context)
      : inferred(inferred), model(inferred.payload), actual(actual), step(step),
        context(context) {}

  std::optional<FalseFact> run() {
    // Alternatives work on a detached copy of their scope: what the payload as
    // a whole looks like says nothing of it.
    bool detached = llvm::any_of(step.path, [](const auto &entry) {
      return isa<transform::AlternativesOp>(entry.first);
    });
    if (!detached)
      actual.getTopLevel()->walk([&](Operation *op) { there.insert(op); });
    for (ValuePair pair : context.schedule.getVisible(step)) {
      const HandleState *known = inferred.handles.find(pair.original);
      bool isCurrent = pair.clone.getDefiningOp() &&
                       pair.original.getDefiningOp() == step.op;
      if (!known || !(isCurrent || isUsedBehind(pair.clone, step.observer)))
        continue;
      handle = pair.original;
      if (!checkHandle(pair.clone, *known))
        return found;
    }
    handle = nullptr;
    bool holds = (detached || (checkUntouched() && checkWhole())) &&
                 checkNodes() && checkPlaces() && (detached || checkForms());
    return holds ? std::nullopt : found;
  }

private:
  /// Records a false fact; returns false.
  bool deny(const Twine &claim, const Twine &has,
            std::optional<Location> payload = std::nullopt) {
    found = FalseFact{claim.str(), has.str(), handle, payload};
    return false;
  }
  std::string name() const { return context.nameOf(handle); }

  //===--------------------------------------------------------------------===//
  // Handles
  //===--------------------------------------------------------------------===//

  bool checkHandle(Value clone, const HandleState &state) {
    if (isa<transform::TransformParamTypeInterface>(clone.getType()))
      return checkParams(actual.getParams(clone), state);
    HandleInvalidation invalidation = inferred.getInvalidation(state);
    Certainty invalid = invalidation.certainty;
    // MLIR does not know such a handle any more, and may not survive a
    // question.
    if (state.kind == HandleState::Values && state.mayBeForgotten(model))
      return true;
    bool valid = canBeUsed(clone, actual);
    // The body stands in the place of the include, and takes no more than it
    // takes itself, whatever the sequence says that it consumes.
    bool isByCall = invalidation.by &&
                    engine::holdsAny<transform::IncludeOp>(invalidation.by);
    if (valid && isByCall)
      return true;
    ++context.numFacts;
    if (invalid == Certainty::Yes && valid)
      return deny(name() + " to be invalidated", "a handle that is valid");
    // Nothing is called with it, if it was invalid before.
    bool isBoundByCall = isa<BlockArgument>(handle) &&
                         isa_and_nonnull<transform::IncludeOp>(state.origin);
    if (isBoundByCall && !valid)
      return true;
    if (invalid == Certainty::No && !valid)
      return deny(name() + " to be valid", "a handle that is invalidated");
    if (!valid)
      return true;
    if (isa<transform::TransformValueHandleTypeInterface>(clone.getType()))
      return checkValues(actual.getPayloadValues(clone), state);
    Ops ops(actual.getPayloadOps(clone));
    // Nothing is claimed about dead entries of a handle that may be dead.
    if (invalid == Certainty::Maybe && !there.empty() &&
        !llvm::all_of(ops, [&](Operation *op) { return there.contains(op); }))
      return true;
    return checkCount(ops.size(), state) && checkDistinct(ops, state) &&
           checkEntries(ops, state);
  }

  bool checkDistinct(ArrayRef<Operation *> ops, const HandleState &state) {
    if (!state.isDistinct(model))
      return true;
    ++context.numFacts;
    llvm::SmallPtrSet<Operation *, 8> seen;
    for (Operation *op : ops)
      if (!seen.insert(op).second)
        return deny(name() + " to hold different ops", "one of them twice",
                    op->getLoc());
    return true;
  }

  bool checkCount(size_t has, const HandleState &state) {
    Count count = state.count(model);
    ++context.numFacts;
    int64_t number = has;
    if (count.lo <= number && number <= count.hi)
      return true;
    return deny(name() + " to hold " + stringify(count) + " payload entries",
                Twine(number));
  }

  bool checkParams(ArrayRef<Attribute> has, const HandleState &state) {
    if (state.kind != HandleState::Params || state.params.empty())
      return true;
    ++context.numFacts;
    if (has.size() != state.params.size())
      return deny(name() + " to hold " + Twine(state.params.size()) +
                      " parameter values",
                  Twine(has.size()));
    for (auto [i, param] : llvm::enumerate(state.params)) {
      Size size = param.size;
      if (size && verifier::toInteger(has[i]) != *size)
        return deny("value #" + Twine(i) + " of " + name() + " to be " +
                        Twine(*size),
                    stringify(has[i]));
      auto number = dyn_cast<IntegerAttr>(has[i]);
      if (size && param.isSize &&
          !(number && number.getType().isSignlessInteger(64)))
        return deny("value #" + Twine(i) + " of " + name() +
                        " to be an integer of 64 bits",
                    stringify(has[i]));
    }
    return true;
  }

  template <typename Range>
  bool checkValues(Range &&values, const HandleState &state) {
    Ops owners;
    for (Value value : values) {
      Operation *owner = value.getDefiningOp();
      owners.push_back(
          owner ? owner : cast<BlockArgument>(value).getOwner()->getParentOp());
    }
    if (!checkCount(owners.size(), state))
      return false;
    for (Operation *owner : owners)
      if (!checkKind(owner, state))
        return false;
    // One op has all of them.
    bool isOne = state.nodes.size() == 1 && model[state.nodes.front()].exact;
    if (!isOne || owners.empty())
      return true;
    if (!llvm::all_equal(owners))
      return deny(name() + " to hold values of one op", "those of several");
    return assign(state.nodes.front(), owners.front());
  }

  /// Folding puts constants into handles, whatever was there.
  bool isOf(Operation *op, NodeId node) const {
    return !model[node].kind || *model[node].kind == op->getName() ||
           (model[node].present == Certainty::Maybe &&
            op->hasTrait<OpTrait::ConstantLike>());
  }

  bool checkKind(Operation *op, const HandleState &state) {
    ++context.numFacts;
    if (llvm::any_of(state.nodes, [&](NodeId node) { return isOf(op, node); }))
      return true;
    std::string kinds;
    for (NodeId node : state.nodes)
      kinds += (kinds.empty() ? "'" : " or '") +
               model[node].kind->getStringRef().str() + "'";
    return deny(name() + " to hold payload of kind " +
                    (kinds.empty() ? "none" : kinds),
                "'" + op->getName().getStringRef() + "'", op->getLoc());
  }

  /// Which ops are those of which node: known of a handle with one node, and of
  /// one in which every node stands for a number of ops that is known.
  bool checkEntries(ArrayRef<Operation *> ops, const HandleState &state) {
    for (Operation *op : ops) {
      ++context.numFacts;
      if (!there.empty() && !there.contains(op))
        return deny(name() + " to hold payload that is there",
                    "an op that is no longer part of the payload");
      if (!checkKind(op, state))
        return false;
    }
    if (state.nodes.size() == 1)
      return assign(state.nodes.front(), ops);
    bool exact = state.ordered && llvm::all_of(state.nodes, [&](NodeId node) {
                   return model[node].count.isExact() &&
                          model[node].present == Certainty::Yes;
                 });
    if (!exact)
      return true;
    for (auto [i, node] : llvm::enumerate(state.nodes)) {
      size_t number = model[node].count.lo;
      if (!assign(node, ops.take_front(number)))
        return false;
      ops = ops.drop_front(number);
    }
    return true;
  }

  /// `ops` are those of `node`.
  bool assign(NodeId node, ArrayRef<Operation *> ops) {
    ++context.numFacts;
    if (ops.empty())
      return true;
    for (Operation *op : ops)
      if (!isOf(op, node))
        return deny("entries of " + name() + " to be of kind '" +
                        model[node].kind->getStringRef() + "'",
                    "'" + op->getName().getStringRef() + "'", op->getLoc());
    if (model[node].present == Certainty::No)
      return deny("the payload of " + name() + " to be gone",
                  "'" + ops.front()->getName().getStringRef() + "'",
                  ops.front()->getLoc());
    auto [it, isNew] = assigned.try_emplace(node);
    if (isNew) {
      it->second = {Ops(ops), handle};
      order.push_back(node);
      return checkApart(node, ops);
    }
    Ops before = it->second.ops, now(ops);
    llvm::sort(before);
    llvm::sort(now);
    if (before == now)
      return true;
    return deny(name() + " and " + context.nameOf(it->second.handle) +
                    " to hold the same payload",
                "other ops", ops.front()->getLoc());
  }

  bool checkApart(NodeId node, ArrayRef<Operation *> ops) {
    if (!model.isApart(node))
      return true;
    ++context.numFacts;
    for (auto [i, op] : llvm::enumerate(ops))
      for (Operation *other : ops.drop_front(i + 1))
        if (op->isAncestor(other) || other->isAncestor(op))
          return deny(name() + " to hold different ops, none inside another",
                      op == other ? "one of them twice" : "one in another",
                      op->getLoc());
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Payload
  //===--------------------------------------------------------------------===//

  bool checkWhole() {
    NodeId root = model.lookup(context.checked);
    if (context.hasCopies || !model[root].exact)
      return true;
    if (std::optional<OpDifference> difference =
            compareWhole(model, root, actual.getTopLevel(), context.numFacts))
      return deny(difference->claim, difference->actual);
    return true;
  }

  /// The op that an unchanged payload op is now, or null.
  Operation *getUntouched(NodeId id) const {
    const Node &node = model[id];
    if (!node.op || node.present != Certainty::Yes || !node.exact ||
        model.isGone(id))
      return nullptr;
    return context.payload.lookupOrNull(node.op);
  }

  bool checkUntouched() {
    for (NodeId id : model.getPresent()) {
      Operation *op = getUntouched(id);
      if (!op)
        continue;
      ++context.numFacts;
      Operation *was = model[id].op;
      std::string kind =
          "'" + model[id].kind->getStringRef().str() + "' of the payload";
      if (!there.contains(op) && context.hasCopies)
        continue;
      if (!there.contains(op))
        return deny(kind + " to be there, untouched", "no such op",
                    was->getLoc());
      if (op->getName() != was->getName() ||
          op->getAttrDictionary() != was->getAttrDictionary() ||
          op->getResultTypes() != was->getResultTypes() ||
          op->getOperandTypes() != was->getOperandTypes())
        return deny(kind + " to be untouched",
                    "'" + op->getName().getStringRef() +
                        "' with other types or attributes",
                    was->getLoc());
      Operation *above = nullptr;
      if (model[id].ups.size() == 1 && model[id].ups.front().looseSince == 0)
        above = getUntouched(model[id].ups.front().node);
      if (above && there.contains(above) && !above->isProperAncestor(op))
        return deny(kind + " to be inside '" + above->getName().getStringRef() +
                        "'",
                    "an op that is not", was->getLoc());
    }
    return true;
  }

  bool checkNodes() {
    llvm::SmallPtrSet<Operation *, 32> live;
    bool computed = false;
    for (NodeId id : order) {
      const Node &node = model[id];
      const Assigned &held = assigned[id];
      handle = held.handle;
      for (Operation *op : held.ops) {
        ++context.numFacts;
        Operation *untouched = there.empty() ? nullptr : getUntouched(id);
        if (untouched && untouched != op && !context.hasCopies)
          return deny(name() + " to hold the untouched '" +
                          model[id].kind->getStringRef() + "'",
                      "another op", op->getLoc());
        if (std::optional<OpDifference> difference = compareFacts(node, op))
          return deny(difference->claim + " for " + name(), difference->actual,
                      op->getLoc());
        if (!model.isNeeded(id) || there.empty())
          continue;
        if (!computed)
          live = findLive(actual.getTopLevel(), UseKind::Now);
        computed = true;
        if (!live.contains(op))
          return deny("the payload of " + name() + " to be needed",
                      "an op without a user", op->getLoc());
      }
    }
    handle = nullptr;
    return true;
  }

  bool checkPlaces() {
    for (NodeId inner : order)
      for (NodeId outer : order) {
        if (inner == outer)
          continue;
        Certainty claim = model.isAtOrBelow(inner, outer);
        if (claim == Certainty::Maybe)
          continue;
        ++context.numFacts;
        const Assigned &a = assigned[inner], &b = assigned[outer];
        for (Operation *op : a.ops) {
          bool is = llvm::any_of(
              b.ops, [&](Operation *above) { return above->isAncestor(op); });
          if (is == (claim == Certainty::Yes))
            continue;
          handle = a.handle;
          return deny("the payload of " + name() + " to be " +
                          (is ? "outside" : "at or inside") + " that of " +
                          context.nameOf(b.handle),
                      is ? "an op at or inside it" : "an op outside",
                      op->getLoc());
        }
      }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Forms
  //===--------------------------------------------------------------------===//

  /// The op of a node that stands for one, if it can be told.
  Operation *getOp(NodeId node) const {
    // Nothing takes the place of what is transformed.
    if (node == model.lookup(context.checked) && model[node].exact)
      return actual.getTopLevel();
    if (Operation *op = getUntouched(node); op && there.contains(op))
      return op;
    auto it = assigned.find(node);
    if (it == assigned.end() || it->second.ops.size() != 1)
      return nullptr;
    return it->second.ops.front();
  }

  bool checkForms() {
    for (auto [node, set] : inferred.forms.getEstablished()) {
      Operation *anchor = getOp(node);
      if (!anchor)
        continue;
      for (AtomId atom : set.atoms()) {
        const Form &form = context.forms.getForm(atom);
        if (!isAnchor(anchor, form.anchor) ||
            !context.inForm.insert({anchor, atom}).second)
          continue;
        ++context.numFacts;
        engine::NormalizerOptions options;
        FormCheck check = checkForm(context.forms, form, anchor, options);
        if (check.holds())
          continue;
        context.inForm.erase({anchor, atom});
        std::string why = check.violations.empty()
                              ? explainReport(check.irreducibility)
                              : check.violations.front().message + " (" +
                                    check.violations.front().clause + ")";
        return deny("'" + anchor->getName().getStringRef() + "' to be in @" +
                        form.name,
                    why, anchor->getLoc());
      }
    }
    return true;
  }

  struct Assigned {
    Ops ops;
    Value handle;
  };

  const State &inferred;
  const PayloadModel &model;
  transform::TransformState &actual;
  const ObservedStep &step;
  FactContext &context;
  llvm::DenseSet<Operation *> there;
  llvm::DenseMap<NodeId, Assigned> assigned;
  SmallVector<NodeId> order;
  /// The handle that is compared.
  Value handle;
  std::optional<FalseFact> found;
};
} // namespace

std::optional<FalseFact> formwork::transforms::findFalseFact(
    const State &inferred, transform::TransformState &actual,
    const ObservedStep &step, FactContext &context) {
  return FactChecker(inferred, actual, step, context).run();
}
