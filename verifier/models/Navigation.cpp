//===- Navigation.cpp - Models of ops that only look ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What navigation ops find. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

namespace {
/// What a `structured.match` asks of an op.
class MatchQuery {
public:
  explicit MatchQuery(transform::MatchOp op) : op(op) {
    std::optional<ArrayAttr> names = op.getOps();
    acceptsNone = names && names->empty();
    if (names)
      for (auto name : names->getAsRange<StringAttr>())
        kinds.push_back(name.str());
    if (std::optional<transform::MatchInterfaceEnum> interface =
            op.getInterface())
      switch (*interface) {
      case transform::MatchInterfaceEnum::LinalgOp:
        cls = "$structured";
        break;
      case transform::MatchInterfaceEnum::TilingInterface:
        cls = "$tileable";
        break;
      case transform::MatchInterfaceEnum::LoopLikeInterface:
        cls = "$loop";
        break;
      }
  }

  /// Whether the kind alone leaves the answer open.
  bool looksInside() const {
    return op.getOpAttrs() || op.getFilterResultType() ||
           op.getFilterOperandTypes();
  }

  bool matchesKindOf(const Node &node) const {
    if (!node.kind || acceptsNone)
      return false;
    if (!kinds.empty() &&
        !llvm::is_contained(kinds, node.kind->getStringRef().str()))
      return false;
    return cls.empty() || matchesKind(*node.kind, cls);
  }

  Certainty matches(const Node &node) const {
    if (!matchesKindOf(node))
      return Certainty::No;
    if (!looksInside())
      return Certainty::Yes;
    if (!node.op)
      return matchesTags(node);
    return matchesInside(node.op) ? Certainty::Yes : Certainty::No;
  }

  /// Whether an op without a node, of one of the kinds `hidden`, may match.
  bool mayBeIn(const KindSet &hidden, const PayloadModel &payload) const {
    if (hidden.empty() || acceptsNone)
      return false;
    std::optional<DictionaryAttr> asked = op.getOpAttrs();
    bool hasTags = !asked || llvm::all_of(*asked, [&](NamedAttribute attr) {
      return payload.mayHideTag(attr.getName());
    });
    if (!hasTags && !mayBeInherent(hidden))
      return false;
    if (!cls.empty() && !hidden.intersects(cls))
      return false;
    return kinds.empty() || llvm::any_of(kinds, [&](StringRef kind) {
             return hidden.contains(kind);
           });
  }

  /// Whether no op that is matched can be inside another.
  bool isFlat() const {
    if (kinds.empty())
      return cls == "$structured";
    return llvm::all_of(kinds, [&](StringRef kind) {
      OperationName name(kind, op.getContext());
      return matchesKind(name, "$structured") || kind == "func.func" ||
             (name.isRegistered() &&
              name.mightHaveTrait<OpTrait::ZeroRegions>());
    });
  }

  /// Says of a node that stands for what is matched what the query tells.
  void describe(Node &node) const {
    node.apart = isFlat();
    node.cls = cls;
    for (StringRef kind : kinds)
      node.among.push_back(OperationName(kind, op.getContext()));
  }

  /// The one kind that all matches have, if there is one.
  std::optional<OperationName> getKind() const {
    if (kinds.size() != 1)
      return std::nullopt;
    return OperationName(kinds.front(), op.getContext());
  }

private:
  /// Whether `name` is an attribute that all ops of the kind have.
  static bool isInherent(OperationName kind, StringAttr name) {
    return !kind.isRegistered() ||
           llvm::is_contained(kind.getAttributeNames(), name);
  }

  /// As `matches`, from the discardable attributes alone.
  Certainty matchesTags(const Node &node) const {
    if (!node.tags || op.getFilterResultType() || op.getFilterOperandTypes())
      return Certainty::Maybe;
    DictionaryAttr asked = *op.getOpAttrs();
    for (NamedAttribute attr : asked) {
      if (isInherent(*node.kind, attr.getName()))
        return Certainty::Maybe;
      if (node.tags->get(attr.getName()) != attr.getValue())
        return Certainty::No;
    }
    return Certainty::Yes;
  }

  /// Whether an op of one of the kinds can have all the attributes that are
  /// asked for without being given them.
  bool mayBeInherent(const KindSet &hidden) const {
    SmallVector<StringAttr> names;
    DictionaryAttr asked = *op.getOpAttrs();
    for (NamedAttribute attr : asked)
      names.push_back(attr.getName());
    return llvm::any_of(hidden.getPatterns(), [&](StringRef pattern) {
      auto mayHave = [&](OperationName kind) {
        return llvm::all_of(
            names, [&](StringAttr name) { return isInherent(kind, name); });
      };
      if (!pattern.contains('*') && !pattern.starts_with("$"))
        return mayHave(OperationName(pattern, op.getContext()));
      return llvm::any_of(
          op.getContext()->getRegisteredOperations(),
          [&](RegisteredOperationName kind) {
            return (pattern == "*" ||
                    kind.getStringRef().starts_with(pattern.drop_back())) &&
                   mayHave(kind);
          });
    });
  }

  bool matchesInside(Operation *payload) const {
    if (std::optional<DictionaryAttr> attrs = op.getOpAttrs())
      for (NamedAttribute attr : *attrs)
        if (payload->getAttr(attr.getName()) != attr.getValue())
          return false;
    if (std::optional<Type> type = op.getFilterResultType())
      if (payload->getNumResults() != 1 ||
          payload->getResultTypes().front() != *type)
        return false;
    std::optional<ArrayAttr> types = op.getFilterOperandTypes();
    if (!types)
      return true;
    if (types->size() == 1)
      return llvm::all_of(payload->getOperandTypes(), [&](Type type) {
        return type == cast<TypeAttr>((*types)[0]).getValue();
      });
    return types->size() == payload->getNumOperands() &&
           llvm::all_of(llvm::zip(*types, payload->getOperandTypes()),
                        [](auto pair) {
                          return cast<TypeAttr>(std::get<0>(pair)).getValue() ==
                                 std::get<1>(pair);
                        });
  }

  mutable transform::MatchOp op;
  /// It names no kind at all, which is not the same as not to name kinds.
  bool acceptsNone = false;
  SmallVector<std::string> kinds;
  StringRef cls;
};
} // namespace

void Interpreter::matchModel(Operation *op, const Contract &contract) {
  auto match = cast<transform::MatchOp>(op);
  // A walk meets each op once.
  auto set = [&](ArrayRef<NodeId> found, bool ordered) {
    setResult(op, 0, found, ordered).distinctAt = state.payload.time();
  };
  HandleState &target = lookup(match.getTarget());
  if (target.nodes.size() != 1) {
    setOpaque(op, 0);
    return;
  }
  NodeId scope = target.nodes.front();
  MatchQuery query(match);
  PayloadModel &payload = state.payload;

  std::pair<NodeId, Attribute> key{scope, op->getAttrDictionary()};
  auto cached = matchCache.find(key);
  if (cached != matchCache.end() &&
      cached->second.version == payload.version()) {
    set(cached->second.nodes, cached->second.ordered);
    return;
  }

  // The walk begins at the target itself.
  bool isRefused =
      payload[scope].kind && query.matches(payload[scope]) == Certainty::No;
  UpKind relation = isRefused ? UpKind::Inside : UpKind::AtOrInside;
  if (!payload[scope].exact) {
    NodeId found =
        payload.addSomewhere(scope, relation, query.getKind(), Count(), op);
    query.describe(payload.edit(found));
    matchCache[key] = {payload.version(), {found}, /*ordered=*/false};
    set(found, /*ordered=*/false);
    return;
  }

  NodeList found;
  bool ordered = true;
  bool anyMaybe = false;
  auto accepts = [&](const Node &node) {
    return query.matches(node) != Certainty::No;
  };
  for (auto [id, presence] : payload.find(scope, accepts)) {
    ordered &= payload[id].op != nullptr;
    if (query.matches(payload[id]) == Certainty::Maybe) {
      // Whether the op is found is open, be it there or not.
      anyMaybe = true;
      continue;
    }
    found.push_back(id);
  }
  bool hidden = payload.mayHide(scope, [&](const KindSet &introduced) {
    return query.mayBeIn(introduced, payload);
  });
  if (hidden || anyMaybe) {
    found.push_back(
        payload.addSomewhere(scope, relation, query.getKind(), Count(), op));
    query.describe(payload.edit(found.back()));
    ordered = false;
  }
  // The walk of `match` visits what an op holds before the op itself.
  if (ordered) {
    ordered = payload[scope].op != nullptr;
    if (ordered)
      llvm::sort(found, [&](NodeId a, NodeId b) {
        return payload[a].position < payload[b].position;
      });
  }
  ordered |= found.size() <= 1 && !hidden && !anyMaybe;
  if (found.empty()) {
    StringRef holder = payload[scope].kind ? payload[scope].kind->getStringRef()
                                           : StringRef("payload");
    warn(op, "fw-empty-match",
         "requires a payload op to match but '" + holder +
             "' has none at this point, so that all that depends on " +
             nameOf(op->getResult(0)) + " does nothing or fails")
        .note(NoteKind::Established,
              lookup(match.getTarget()).origin
                  ? lookup(match.getTarget()).origin->getLoc()
                  : op->getLoc(),
              "the target " + nameOf(match.getTarget()) + " is set here");
  }
  matchCache[key] = {payload.version(), NodeList(found), ordered};
  set(found, ordered);
}

void Interpreter::castModel(Operation *op, const Contract &contract) {
  HandleState source = lookup(op->getOperand(0));
  setResult(op, 0, source.nodes, source.ordered).distinctAt = source.distinctAt;
}

void Interpreter::mergeModel(Operation *op, const Contract &contract) {
  bool deduplicates = op->hasAttr("deduplicate");
  NodeList nodes;
  bool ordered = true;
  for (Value operand : op->getOperands()) {
    HandleState &part = lookup(operand);
    if (part.kind == HandleState::Params)
      return mergeParams(op);
    ordered &= part.ordered;
    for (NodeId node : part.nodes)
      if (!deduplicates || !llvm::is_contained(nodes, node))
        nodes.push_back(node);
  }
  bool fuzzy = llvm::any_of(
      nodes, [&](NodeId node) { return !state.payload[node].exact; });
  if (deduplicates && fuzzy && nodes.size() > 1)
    unprove(op, "may merge payload that is the same");
  HandleState &merged = setResult(op, 0, nodes, ordered);
  if (deduplicates)
    merged.distinctAt = state.payload.time();
}

void Interpreter::replicateModel(Operation *op, const Contract &contract) {
  auto replicate = cast<transform::ReplicateOp>(op);
  Count times = lookup(replicate.getPattern()).count(state.payload);
  constexpr int64_t maxTimes = 64;
  bool isKnown = times.isExact() && times.lo <= maxTimes;
  if (!isKnown)
    unprove(op, "replicates a number of times that is not known");
  for (auto [i, value] : llvm::enumerate(replicate.getHandles())) {
    const HandleState part = lookup(value);
    if (!isKnown || part.kind != HandleState::Ops) {
      bool isParam = part.kind == HandleState::Params;
      SmallVector<ParamValue> values;
      for (int64_t time = 0; isKnown && isParam && time < times.lo; ++time)
        llvm::append_range(values, part.params);
      if (isKnown && isParam && !part.params.empty())
        setParams(op->getResult(i), op, values);
      else if (isParam)
        setOpaqueParam(op->getResult(i), op,
                       "is replicated a number of times that is not known");
      else
        setOpaque(op, i);
      continue;
    }
    NodeList nodes;
    for (int64_t time = 0; time < times.lo; ++time)
      llvm::append_range(nodes, part.nodes);
    setResult(op, i, nodes, part.ordered);
  }
}

void Interpreter::splitModel(Operation *op, const Contract &contract) {
  auto split = cast<transform::SplitHandleOp>(op);
  HandleState source = lookup(split.getHandle());
  unsigned numResults = op->getNumResults();
  if (source.kind == HandleState::Params) {
    unprove(op, "splits parameters, of which no count is known");
    return;
  }
  Count count = source.count(state.payload);
  bool passesEmpty = split.getPassThroughEmptyHandle();
  bool mayBeFewer = !split.getFailOnPayloadTooSmall();
  bool hasOverflow = split.getOverflowResult().has_value();
  bool tooFew =
      count.hi < numResults && !mayBeFewer && !(passesEmpty && count.lo == 0);
  bool tooMany = count.lo > numResults && !hasOverflow;
  bool surelyFits = (count.lo >= numResults || mayBeFewer ||
                     (passesEmpty && count.isExactly(0))) &&
                    (count.hi <= numResults || hasOverflow);
  if (tooFew || tooMany) {
    report(op, "fw-cardinality",
           "requires " + Twine(numResults) + " payload ops in " +
               nameOf(split.getHandle()) + " but it has " +
               (count.isExact()
                    ? Twine(count.lo)
                    : "between " + Twine(count.lo) + " and " + Twine(count.hi)))
        .note(NoteKind::Established,
              source.origin ? source.origin->getLoc() : op->getLoc(),
              "handle " + nameOf(split.getHandle()) + " is set here")
        .note(NoteKind::FixIt, op->getLoc(),
              count.isExact() ? "split into " + Twine(count.lo) +
                                    (count.lo == 1 ? " result" : " results")
                              : "allow for another number of results with "
                                "'fail_on_payload_too_small' or "
                                "'overflow_result'",
              count.isExact() ? fixes.resizeResults(op, count.lo)
                              : TextEdits());
  } else if (hasOverflow && count.hi < numResults) {
    // Upstream reserves a negative number of entries, which ends the process.
    report(op, "fw-cardinality",
           "requires at least " + Twine(numResults) + " payload ops in " +
               nameOf(split.getHandle()) +
               " for an overflow result but it has at most " + Twine(count.hi),
           /*definite=*/true, /*silenceable=*/false)
        .note(NoteKind::Established,
              source.origin ? source.origin->getLoc() : op->getLoc(),
              "handle " + nameOf(split.getHandle()) + " is set here");
  } else if (hasOverflow && count.lo < numResults) {
    unprove(op, "may split fewer payload ops than results with an overflow "
                "result, which ends the process");
  } else if (!surelyFits) {
    unprove(op, "splits a handle whose number of payload ops is not known");
  }
  // In payload order, one op for each result, and the rest for that which takes
  // it; results that are left over are empty.
  bool isSimple = source.ordered && count.isExact() && surelyFits &&
                  source.nodes.size() == static_cast<size_t>(count.lo);
  if (isSimple) {
    SmallVector<NodeList> parts(numResults);
    for (auto [i, node] : llvm::enumerate(source.nodes))
      parts[i < numResults ? i : *split.getOverflowResult()].push_back(node);
    for (auto [i, part] : llvm::enumerate(parts))
      setResult(op, i, part);
    return;
  }
  // Elements of the handle; which is which is not known.
  Node all;
  all.origin = op;
  all.count = count;
  for (NodeId node : source.nodes)
    if (all.ups.empty())
      all.ups = state.payload[node].ups;
  if (source.nodes.size() == 1) {
    all.ups.assign({{source.nodes.front(), UpKind::Element}});
    all.kind = state.payload[source.nodes.front()].kind;
    all.apart = state.payload.isApart(source.nodes.front());
  } else {
    all.ups.assign({{root, UpKind::AtOrInside}});
  }
  std::optional<OperationName> kind = all.kind;
  NodeId set = state.payload.add(std::move(all));
  int64_t lo =
      tooFew || !surelyFits || mayBeFewer || (passesEmpty && count.lo == 0) ? 0
                                                                            : 1;
  for (unsigned i = 0; i < numResults; ++i) {
    bool takesRest = hasOverflow && *split.getOverflowResult() == i;
    setResult(op, i,
              state.payload.addSomewhere(set, UpKind::Element, kind,
                                         {lo, takesRest ? Count::unbounded : 1},
                                         op));
  }
}

void Interpreter::getParentModel(Operation *op, const Contract &contract) {
  auto getParent = cast<transform::GetParentOp>(op);
  HandleState source = lookup(getParent.getTarget());
  normalforms::KindPatterns kinds = {"*"};
  if (getParent.getIsolatedFromAbove())
    kinds = {"$isolated"};
  if (std::optional<StringRef> name = getParent.getOpName()) {
    bool isIsolated =
        matchesKind(OperationName(*name, op->getContext()), "$isolated");
    kinds = {name->str()};
    // There is no such op.
    if (getParent.getIsolatedFromAbove() && !isIsolated)
      kinds.clear();
  }
  NodeList parents;
  // A scope that alternatives try something on has nothing around it.
  auto leavesScope = [&](NodeId node, NodeId parent) {
    return llvm::any_of(state.detached, [&](NodeId scope) {
      return state.payload.isAtOrBelow(node, scope) == Certainty::Yes &&
             state.payload.isAtOrBelow(parent, scope) != Certainty::Yes;
    });
  };
  // The first op without a parent ends the search, if it may have none.
  bool allowsNone = getParent.getAllowEmptyResults(), mayEnd = false,
       mayRepeat = false;
  for (NodeId node : source.nodes) {
    NodeId current = node;
    bool found = state.payload[node].exact, endsHere = false;
    for (int64_t i = 0;
         found && i < static_cast<int64_t>(getParent.getNthParent()); ++i) {
      // On the way up from an exact node every step is known, unless a step
      // moved the op.
      for (const Up &up : state.payload[current].ups)
        found &= up.looseSince == 0 || getParent.getIsolatedFromAbove();
      std::optional<NodeId> parent =
          state.payload.getAncestor(current, /*proper=*/true, kinds);
      found &= parent.has_value() && !leavesScope(node, *parent);
      // An op of which the kind is not known may be it, too.
      state.payload.walkUp(current, [&](NodeId above) {
        found &= above == current || above == parent ||
                 state.payload[above].kind.has_value();
        return found && above != parent;
      });
      current = parent.value_or(current);
    }
    if (!found && state.payload[node].exact && !allowsNone &&
        state.payload[node].present == Certainty::Yes &&
        getParent.getNthParent() == 1 && state.payload[root].exact &&
        !llvm::any_of(state.payload[node].ups,
                      [](const Up &up) { return up.looseSince != 0; })) {
      report(op, "fw-no-parent",
             "requires a parent op of the wanted kind but the payload of " +
                 nameOf(getParent.getTarget()) + " has none")
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : op->getLoc(),
                "handle " + nameOf(getParent.getTarget()) + " is set here");
      setOpaque(op, 0);
      return;
    }
    if (!found) {
      unprove(op, "asks for a parent that may not exist");
      std::optional<OperationName> kind;
      if (getParent.getOpName())
        kind = OperationName(*getParent.getOpName(), op->getContext());
      Node parent;
      parent.kind = kind;
      parent.origin = op;
      parent.count = {
          allowsNone ? 0 : std::min<int64_t>(1, state.payload[node].count.lo),
          state.payload[node].count.hi};
      endsHere = allowsNone;
      // What one op has, another can have, too; and what is not there has none.
      if ((getParent.getDeduplicate() && !parents.empty()) || mayEnd ||
          state.payload[node].present != Certainty::Yes)
        parent.count.lo = 0;
      parent.ups.push_back({PayloadModel::universe, UpKind::Inside});
      current = state.payload.add(std::move(parent));
      SmallVector<Up, 1> ups = state.payload[node].ups;
      ups.push_back({current, UpKind::Inside});
      state.payload.setUps(node, std::move(ups));
    }
    // What is not there has no parent.
    // Nor has one that is left out, because an earlier op has it.
    if ((state.payload[node].present != Certainty::Yes || mayEnd ||
         mayRepeat) &&
        found)
      current = state.payload.addSomewhere(
          current, UpKind::Element, state.payload[current].kind, {0, 1}, op);
    mayEnd |= endsHere;
    mayRepeat |= !found && getParent.getDeduplicate();
    if (!getParent.getDeduplicate() || !llvm::is_contained(parents, current))
      parents.push_back(current);
  }
  setResult(op, 0, parents, source.ordered);
}

/// The kind of op that tiling made for operand `number` of what it made: a
/// bound or step of a loop is a constant, and what is indexed by a tiled loop a
/// slice. None when there may be no such op.
static std::optional<OperationName> getMadeProducer(const PayloadModel &payload,
                                                    NodeId id, int64_t number,
                                                    MLIRContext *context) {
  const Node &node = payload[id];
  if (!node.fresh || !isa_and_nonnull<transform::TileUsingForOp>(node.origin))
    return std::nullopt;
  if (node.loop && !node.loop->isForall && number < 3 &&
      node.loop->trips.front().isStatic())
    return OperationName(arith::ConstantOp::getOperationName(), context);
  bool isSliced = node.space && number < 64 &&
                  (node.sliced & (uint64_t(1) << number)) != 0 &&
                  !payload.mayHaveMerged(node.createdAt);
  if (!isSliced)
    return std::nullopt;
  return OperationName(node.space->onTensors
                           ? tensor::ExtractSliceOp::getOperationName()
                           : memref::SubViewOp::getOperationName(),
                       context);
}

void Interpreter::getProducerModel(Operation *op, const Contract &contract) {
  auto getProducer = cast<transform::GetProducerOfOperand>(op);
  HandleState source = lookup(getProducer.getTarget());
  NodeList producers;
  for (NodeId node : source.nodes) {
    Operation *payload = state.payload[node].op;
    int64_t number = getProducer.getOperandNumber();
    if (number < 0) {
      // Upstream crashes.
      report(op, "fw-no-producer",
             "requires the number of an operand but has " + Twine(number),
             state.payload[node].present == Certainty::Yes &&
                 state.payload[node].count.lo > 0,
             /*silenceable=*/false);
      return setOpaque(op, 0);
    }
    if (!payload) {
      Count count = state.payload[node].count;
      if (state.payload[node].present != Certainty::Yes)
        count.lo = 0;
      std::optional<OperationName> kind =
          getMadeProducer(state.payload, node, number, op->getContext());
      if (!kind)
        unprove(op, "asks for the producer of an operand that may have none");
      producers.push_back(
          state.payload.addSomewhere(root, UpKind::Inside, kind, count, op));
      continue;
    }
    Operation *def = number < static_cast<int64_t>(payload->getNumOperands())
                         ? payload->getOperand(number).getDefiningOp()
                         : nullptr;
    if (def) {
      NodeId producer = state.payload.lookup(def);
      // What a step put in its place, where that is followed.
      ArrayRef<NodeId> followed = state.payload[node].producers;
      if (!state.payload[producer].op)
        producer = number < static_cast<int64_t>(followed.size())
                       ? followed[number]
                       : PayloadModel::universe;
      if (producer == PayloadModel::universe)
        producer = state.payload.addSomewhere(
            root, UpKind::Inside, std::nullopt, Count::exactly(1), op);
      producers.push_back(producer);
      continue;
    }
    report(op, "fw-no-producer",
           "requires operand #" + Twine(number) + " of the payload of " +
               nameOf(getProducer.getTarget()) +
               " to be an op's result but it is not",
           state.payload[node].present == Certainty::Yes &&
               state.payload[node].count.lo > 0);
    setOpaque(op, 0);
    return;
  }
  setResult(op, 0, producers, source.ordered);
}

/// Whether the attribute `alignment` of such an op is its own, which it
/// verifies.
static bool verifiesAlignment(const Node &node) {
  return node.kind &&
         llvm::is_contained({"vector.load", "vector.store", "memref.load",
                             "memref.store", "memref.alloc", "memref.alloca",
                             "memref.global"},
                            node.kind->getStringRef());
}

void Interpreter::checkAlignment(Operation *op, StringRef name,
                                 const HandleState &target) {
  Value param = cast<transform::AnnotateOp>(op).getParam();
  if (name != "alignment" || !param)
    return;
  HandleState &given = lookup(param);
  solver::TermContext &terms = *parameters->context;
  for (NodeId id : target.nodes) {
    const Node &node = state.payload[id];
    if (!verifiesAlignment(node))
      continue;
    bool present = node.present == Certainty::Yes && node.count.lo > 0;
    for (const ParamValue &value : given.params) {
      if (value.size.isSymbolic())
        require(op, op, "access.alignment",
                terms.powerOfTwo(value.size.getTerm()),
                "the alignment " + solver::toInfix(value.size.getTerm()) +
                    " of '" + node.kind->getStringRef() + "' is a power of two",
                ConstraintKind::Required, present);
      else if (value.size && !llvm::isPowerOf2_64(*value.size))
        report(op, "fw-bad-alignment",
               "requires an alignment that is a power of two but has " +
                   Twine(*value.size),
               present, /*silenceable=*/false)
            .note(NoteKind::Evidence, op->getLoc(),
                  "'" + node.kind->getStringRef() + "' would be invalid IR")
            .note(NoteKind::FixIt, op->getLoc(),
                  "use " + Twine(llvm::PowerOf2Ceil(
                               std::max<int64_t>(1, *value.size))));
    }
  }
}

void Interpreter::annotateModel(Operation *op, const Contract &contract) {
  auto annotate = cast<transform::AnnotateOp>(op);
  HandleState &target = lookup(annotate.getTarget());
  if (Value param = annotate.getParam()) {
    Count count = target.count(state.payload);
    bool isOne = lookup(param).kind == HandleState::Params &&
                 lookup(param).params.size() == 1;
    if (!isOne && !(count.isExactly(lookup(param).params.size()) &&
                    !lookup(param).params.empty()))
      unprove(op, "annotates with parameters of which the number is not known");
  }
  checkAlignment(op, annotate.getName(), target);
  // A module verifies that its attributes have the prefix of a dialect.
  bool mayBeModule = llvm::any_of(target.nodes, [&](NodeId id) {
    const std::optional<OperationName> &kind = state.payload[id].kind;
    return !kind || kind->getStringRef() == ModuleOp::getOperationName();
  });
  if (mayBeModule && !annotate.getName().contains('.'))
    unprove(op, "may give a module an attribute without the prefix of a "
                "dialect, which is not valid");
  // An attribute is not where an op is or what it computes, but a match asks
  // for it.
  state.payload.changeTags();
  for (NodeId id : NodeList(target.nodes)) {
    Node &node = state.payload.edit(id);
    node.op = nullptr;
    if (node.exact) {
      if (annotate.getParam() || !node.tags) {
        node.tags = std::nullopt;
        continue;
      }
      NamedAttrList tags(*node.tags);
      tags.set(annotate.getName(), UnitAttr::get(op->getContext()));
      node.tags = tags.getDictionary(op->getContext());
      continue;
    }
    // Any op may be it, the root too.
    state.payload.hideTags();
    auto forget = [&](NodeId any) {
      state.payload.edit(any).op = nullptr;
      state.payload.edit(any).tags = std::nullopt;
    };
    forget(root);
    for (auto [below, place] : state.payload.getBelow(root))
      forget(below);
  }
  applyWrite(op, &contract);
}
