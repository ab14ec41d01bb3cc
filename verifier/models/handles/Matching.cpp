//===- Matching.cpp - The model of structured.match -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of `structured.match`. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "engine/NearName.h"
#include "verifier/models/Models.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

namespace {
/// The conditions of a `structured.match` on an op.
class MatchQuery {
public:
  MatchQuery(transform::MatchOp op, OwnAttributes &ownAttributes)
      : op(op), ownAttributes(ownAttributes),
        asksForAttributes(op.getOpAttrs().has_value()),
        asksForTypes(op.getFilterResultType() || op.getFilterOperandTypes()) {
    if (asksForAttributes)
      for (NamedAttribute attr : op.getOpAttrs()->getValue())
        // Upstream does not compare what bears the name of one of its own.
        if (attr.getName() != op.getOpsAttrName() &&
            attr.getName() != op.getInterfaceAttrName())
          attributes.push_back({attr.getName(), attr.getValue()});
    std::optional<ArrayAttr> names = op.getOps();
    if (names)
      for (auto name : names->getAsRange<StringAttr>())
        if (!name.empty())
          kinds.push_back(name.getValue());
    acceptsNone = names && kinds.empty();
    if (std::optional<transform::MatchInterfaceEnum> interface =
            op.getInterface())
      switch (*interface) {
      case transform::MatchInterfaceEnum::LinalgOp:
        cls = KindPattern("$structured");
        break;
      case transform::MatchInterfaceEnum::TilingInterface:
        cls = KindPattern("$tileable");
        break;
      case transform::MatchInterfaceEnum::LoopLikeInterface:
        cls = KindPattern("$loop");
        break;
      }
  }

  /// Whether the kind alone leaves the answer open.
  bool looksInside() const { return asksForAttributes || asksForTypes; }

  bool restrictsKinds() const { return acceptsNone || !kinds.empty() || cls; }
  bool acceptsKind(const std::optional<OperationName> &kind) const {
    if (!kind || acceptsNone)
      return false;
    if (!kinds.empty() && !llvm::is_contained(kinds, kind->getStringRef()))
      return false;
    return !cls || cls->matches(*kind);
  }

  Certainty matches(const Node &node) const {
    if (!acceptsKind(node.kind))
      return Certainty::No;
    if (!looksInside())
      return Certainty::Yes;
    return std::min(matchesAttributes(node), matchesTypes(node));
  }

  /// Whether a match ends in failure at an op that meets all but the types of
  /// operands, because it has another number of them.
  bool asksForOperandNumber() const {
    std::optional<ArrayAttr> types = op.getFilterOperandTypes();
    return types && types->size() != 1;
  }
  Certainty hasOtherOperandNumber(const Node &node) const {
    if (!acceptsKind(node.kind))
      return Certainty::No;
    Certainty isMet = matchesAttributes(node);
    if (!node.op)
      return std::min(isMet, Certainty::Maybe);
    bool isOther =
        hasResultType(node.op) &&
        op.getFilterOperandTypes()->size() != node.op->getNumOperands();
    return isOther ? isMet : Certainty::No;
  }

  /// Whether an op without a node, of one of the kinds `hidden`, may match.
  bool mayBeIn(const KindSet &hidden, const PayloadModel &payload) const {
    if (hidden.empty() || acceptsNone)
      return false;
    bool hasTags =
        !asksForAttributes || llvm::all_of(attributes, [&](const Asked &attr) {
          return payload.mayHideTag(attr.name);
        });
    if (!hasTags && !mayBeInherent(hidden))
      return false;
    if (cls && !hidden.intersects(*cls))
      return false;
    return kinds.empty() || llvm::any_of(kinds, [&](StringRef kind) {
             return hidden.contains(KindPattern::of(kind));
           });
  }

  /// Whether no op that is matched can be inside another.
  bool isFlat() const {
    if (kinds.empty())
      return cls && *cls == "$structured";
    return llvm::all_of(kinds, [&](StringRef kind) {
      OperationName name(kind, op.getContext());
      bool isFlatAlone =
          KindPattern("$structured").matches(name) || kind == "func.func" ||
          (name.isRegistered() && name.mightHaveTrait<OpTrait::ZeroRegions>());
      return isFlatAlone && llvm::none_of(kinds, [&](StringRef other) {
               return other != kind &&
                      mayBeOrHold(name, OperationName(other, op.getContext()),
                                  Bodies::Any);
             });
    });
  }

  /// Says of a node that stands for what is matched what the query tells.
  void describe(Node &node) const {
    node.apart = isFlat();
    if (!cls && kinds.empty())
      return;
    AmongFacts &among = node.among.edit();
    among.cls = cls ? cls->getText() : "";
    for (StringRef kind : kinds)
      among.kinds.push_back(OperationName(kind, op.getContext()));
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
    return !kind.isRegistered() || isOwnAttribute(kind, name);
  }

  /// Whether `node`, a parallel loop that a step made, has `mapping`. Nothing
  /// but a step that names the attribute changes the mapping of a loop.
  static Certainty hasMapping(const Node &node, StringAttr name,
                              Attribute mapping) {
    auto asked = dyn_cast<ArrayAttr>(mapping);
    if (!node.exact || !node.loop || !node.loop->isForall ||
        node.tags.isOpen(name) || node.tags.get(name) ||
        (asked && asked.empty()))
      return Certainty::Maybe;
    return asked && llvm::equal(asked, node.loop->mapping) ? Certainty::Yes
                                                           : Certainty::No;
  }

  /// As `matches`, from the attributes alone.
  Certainty matchesAttributes(const Node &node) const {
    Certainty all = Certainty::Yes;
    for (auto [name, asked] : attributes) {
      bool isOwn = isInherent(*node.kind, name);
      if (isOwn && !node.op && name == "mapping" &&
          isKind<scf::ForallOp>(node)) {
        all = std::min(all, hasMapping(node, name, asked));
        if (all == Certainty::No)
          return all;
        continue;
      }
      if (isOwn ? !node.op : node.tags.isOpen(name)) {
        all = Certainty::Maybe;
        continue;
      }
      Attribute value = isOwn ? node.op->getAttr(name) : node.tags.get(name);
      if (value != asked)
        return Certainty::No;
    }
    return all;
  }

  /// As `matches`, from the types of results and operands alone.
  Certainty matchesTypes(const Node &node) const {
    if (!asksForTypes)
      return Certainty::Yes;
    if (!node.op)
      return Certainty::Maybe;
    return hasTypes(node.op) ? Certainty::Yes : Certainty::No;
  }

  /// Whether an op of one of the kinds can have all the attributes that are
  /// asked for without being given them.
  bool mayBeInherent(const KindSet &hidden) const {
    return ownAttributes.mayHaveAll(
        op.getContext(), hidden.getPatterns(),
        llvm::map_to_vector<2>(attributes,
                               [](const Asked &attr) { return attr.name; }));
  }

  bool hasResultType(Operation *payload) const {
    std::optional<Type> type = op.getFilterResultType();
    return !type || (payload->getNumResults() == 1 &&
                     payload->getResultTypes().front() == *type);
  }

  bool hasTypes(Operation *payload) const {
    if (!hasResultType(payload))
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
  OwnAttributes &ownAttributes;
  bool asksForAttributes;
  struct Asked {
    StringAttr name;
    Attribute value;
  };
  SmallVector<Asked, 2> attributes;
  bool asksForTypes;
  /// It names no kind at all, which is not the same as not to name kinds.
  bool acceptsNone = false;
  SmallVector<StringRef> kinds;
  std::optional<KindPattern> cls;
};
} // namespace

/// Sorts `found`, made by steps, from the innermost out if each lies in the
/// next for sure, and says whether it did.
static bool sortNest(const PayloadModel &payload, NodeList &found) {
  auto isOne = [&](NodeId id) {
    const Node &node = payload[id];
    return node.exact && node.fresh && node.count.isExactly(1) &&
           node.present == Certainty::Yes;
  };
  // Nests are short; two ops side by side end it soon.
  if (!llvm::all_of(found, isOne))
    return false;
  NodeList nest;
  for (NodeId id : found) {
    auto *place = llvm::find_if(nest, [&](NodeId other) {
      return payload.isAtOrBelow(id, other) == Certainty::Yes;
    });
    bool holdsRest =
        place == nest.begin() ||
        payload.isAtOrBelow(*std::prev(place), id) == Certainty::Yes;
    if (!holdsRest)
      return false;
    nest.insert(place, id);
  }
  found = std::move(nest);
  return true;
}

/// Puts `found` into the order in which a walk below `scope` meets them, which
/// visits what an op holds before the op itself, and says whether it is known.
static bool sortWalk(const PayloadModel &payload, NodeId scope,
                     NodeList &found) {
  auto isGiven = [&](NodeId id) { return payload[id].op != nullptr; };
  auto hasPlace = [&](NodeId id) {
    return isGiven(id) ||
           (payload[id].exact && payload[id].position != Node::nowhere);
  };
  bool areKnown = isGiven(scope) && llvm::all_of(found, isGiven);
  if (!areKnown &&
      (payload.mayHaveReordered() || !llvm::all_of(found, hasPlace)))
    return false;
  llvm::stable_sort(found, [&](NodeId a, NodeId b) {
    return payload[a].position < payload[b].position;
  });
  // Ops that were made in the place of one op are only known to be nested.
  for (auto *first = found.begin(); first != found.end();) {
    auto *last = std::find_if(first, found.end(), [&](NodeId id) {
      return payload[id].position != payload[*first].position;
    });
    NodeList nest(first, last);
    if (nest.size() > 1 && !sortNest(payload, nest))
      return false;
    llvm::copy(nest, first);
    first = last;
  }
  return true;
}

/// A hash of the conditions of a match.
static unsigned hashQuery(Operation *match) {
  return llvm::hash_combine(
      match->getName().hashOpProperties(match->getPropertiesStorage()),
      match->getDiscardableAttrDictionary());
}

/// Whether two matches ask for the same.
static bool isSameQuery(Operation *a, Operation *b) {
  return a == b || (a->getDiscardableAttrDictionary() ==
                        b->getDiscardableAttrDictionary() &&
                    a->getName().compareOpProperties(
                        a->getPropertiesStorage(), b->getPropertiesStorage()));
}

/// Upstream's match fails at an op with another number of operands than it
/// names types of, if there are more types than one.
static void checkOperandNumbers(const Step &step, const MatchQuery &query,
                                NodeId scope) {
  const PayloadModel &payload = step.payload;
  bool isOpen = !payload[scope].exact ||
                payload.mayHide(scope, [&](const KindSet &introduced) {
                  return query.mayBeIn(introduced, payload);
                });
  auto isOther = [&](const Node &node) {
    return query.hasOtherOperandNumber(node) != Certainty::No;
  };
  NodeList found;
  if (payload[scope].exact)
    for (auto [id, presence] : payload.find(scope, isOther)) {
      if (presence == Certainty::Yes &&
          query.hasOtherOperandNumber(payload[id]) == Certainty::Yes) {
        step.report("fw-operand-count",
                    "requires each op that meets the other conditions to have "
                    "as many operands as types are named but '" +
                        payload[id].kind->getStringRef() + "' has " +
                        Twine(payload[id].op->getNumOperands()),
                    /*definite=*/true, /*silenceable=*/false)
            .note(NoteKind::Evidence, payload[id].op->getLoc(),
                  "this payload op ends the match");
        return;
      }
      isOpen = true;
    }
  if (isOpen)
    step.unprove("names types of operands, and may meet an op with another "
                 "number of operands");
}

/// Says of the names of operations that `match` asks for, and that their
/// dialects do not have, what they may be meant to be.
static void noteUnknownNames(Finding &finding, transform::MatchOp match) {
  MLIRContext *context = match.getContext();
  std::optional<ArrayAttr> names = match.getOps();
  if (!names)
    return;
  for (StringRef name : names->getAsValueRange<StringAttr>()) {
    Dialect *dialect = context->getLoadedDialect(name.split('.').first);
    if (!dialect || dialect->allowsUnknownOperations() ||
        RegisteredOperationName::lookup(name, context))
      continue;
    SmallVector<StringRef> known;
    for (RegisteredOperationName other : context->getRegisteredOperations())
      if (&other.getDialect() == dialect)
        known.push_back(other.getStringRef());
    std::optional<size_t> near = findNearName(name, known);
    finding.note(NoteKind::FixIt, match.getLoc(),
                 "'" + name + "' is no operation of its dialect" +
                     (near ? "; did you mean '" + known[*near] + "'?" : ""));
  }
}

/// Says that there is nothing to match in `scope`.
static void warnOfEmpty(const Step &step, transform::MatchOp match,
                        NodeId scope) {
  const Node &node = step.payload[scope];
  StringRef holder = node.kind ? node.kind->getStringRef() : "payload";
  Operation *origin = step.lookup(match.getTarget()).origin;
  Finding &finding =
      step.warn("fw-empty-match",
                "requires a payload op to match but '" + holder +
                    "' has none at this point, so the steps that use " +
                    step.nameOf(step.op->getResult(0)) + " do nothing or fail")
          .note(NoteKind::Established,
                origin ? origin->getLoc() : step.op->getLoc(),
                "the target " + step.nameOf(match.getTarget()) +
                    " is set here");
  noteUnknownNames(finding, match);
}

static void propagateMatch(const Step &step) {
  auto match = cast<transform::MatchOp>(step.op);
  // A walk meets each op once.
  auto set = [&](ArrayRef<NodeId> found, bool ordered) {
    step.setResult(0, found, ordered).distinctAt = step.payload.time();
  };
  HandleState &target = step.lookup(match.getTarget());
  if (target.nodes.size() != 1) {
    step.setOpaque(0);
    return;
  }
  NodeId scope = target.nodes.front();
  MatchQuery query(match, step.contracts.getOwnAttributes());
  PayloadModel &payload = step.payload;
  if (query.asksForOperandNumber())
    checkOperandNumbers(step, query, scope);

  std::pair<NodeId, unsigned> key{scope, hashQuery(step.op)};
  auto cached = step.analysis.matchCache.find(key);
  if (cached != step.analysis.matchCache.end() &&
      cached->second.version == payload.version() &&
      isSameQuery(cached->second.match, step.op)) {
    if (cached->second.nodes.empty())
      warnOfEmpty(step, match, scope);
    set(cached->second.nodes, cached->second.ordered);
    return;
  }

  // The walk begins at the target itself.
  bool isRefused =
      payload[scope].kind && query.matches(payload[scope]) == Certainty::No;
  UpKind relation = isRefused ? UpKind::Inside : UpKind::AtOrInside;
  auto addUnknown = [&] {
    NodeId found = payload.addSomewhere(scope, relation, query.getKind(),
                                        Count(), step.op);
    query.describe(payload.edit(found));
    return found;
  };
  if (!payload[scope].exact) {
    NodeId found = addUnknown();
    step.analysis.matchCache[key] = {
        step.op, payload.version(), {found}, /*ordered=*/false};
    set(found, /*ordered=*/false);
    return;
  }

  NodeList found;
  bool ordered = false;
  bool anyMaybe = false;
  auto accepts = [&](const Node &node) {
    return query.matches(node) != Certainty::No;
  };
  auto acceptsKind = [&](const std::optional<OperationName> &kind) {
    return query.acceptsKind(kind);
  };
  NodeIndex::KindTest kinds = nullptr;
  if (query.restrictsKinds())
    kinds = acceptsKind;
  for (auto [id, presence] : payload.find(scope, accepts, kinds)) {
    // It may have left the scope, wherever it is now.
    bool mayBeOutside = presence < payload[id].present;
    if (mayBeOutside || query.matches(payload[id]) == Certainty::Maybe) {
      // Whether the op is found is open, be it there or not.
      anyMaybe = true;
      continue;
    }
    found.push_back(id);
  }
  bool hidden = payload.mayHide(scope, [&](const KindSet &introduced) {
    return query.mayBeIn(introduced, payload);
  });
  if (hidden || anyMaybe)
    found.push_back(addUnknown());
  if (!hidden && !anyMaybe)
    ordered = found.size() <= 1 || sortWalk(payload, scope, found) ||
              sortNest(payload, found);
  if (found.empty())
    warnOfEmpty(step, match, scope);
  step.analysis.matchCache[key] = {step.op, payload.version(), NodeList(found),
                                   ordered};
  set(found, ordered);
}

void formwork::verifier::registerMatchingModels(ModelRegistry &models) {
  models.add("match", propagateMatch,
             decides{"fw-empty-match", "fw-operand-count"});
}
