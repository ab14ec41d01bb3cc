//===- ClaimCheck.cpp - What a step does, and what it claims ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/ClaimCheck.h"

#include "normalforms/Kleene.h"
#include "transforms/validate/HandleProbe.h"
#include "transforms/validate/MarkedPayload.h"
#include "verifier/state/KindSet.h"
#include "verifier/state/Node.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;

struct ClaimCheck::Before {
  const ObservedStep *step;
  MarkedPayload payload;
};

/// Only ops that claims are made about: the driver makes, moves and merges
/// constants at will.
static bool isOfInterest(Operation *op) {
  return !op->hasTrait<OpTrait::ConstantLike>();
}

ClaimCheck::ClaimCheck(const ContractLibrary &contracts)
    : contracts(contracts) {}
ClaimCheck::~ClaimCheck() = default;

/// Whether the step is one whose contract says all that it does.
static bool isComparable(const ObservedStep &step) {
  bool isDetached = llvm::any_of(step.path, [](const auto &entry) {
    return isa<transform::AlternativesOp>(entry.first);
  });
  return !isDetached && step.clone && !step.entersLoop &&
         isa<transform::TransformOpInterface>(step.op) &&
         (step.op->getNumRegions() == 0 ||
          isa<transform::ApplyPatternsOp, transform::ApplyConversionPatternsOp>(
              step.op)) &&
         !isa<transform::IncludeOp, transform::ForeachMatchOp>(step.op);
}

void ClaimCheck::enter(const ObservedStep &step,
                       transform::TransformState &state) {
  auto before = std::make_unique<Before>();
  before->step = &step;
  if (isComparable(step))
    before->payload = markPayload(state, step.clone->getOperands(), numMarks);
  entered.push_back(std::move(before));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

class ClaimCheck::Comparison {
public:
  Comparison(const Before &entered, const ContractLibrary &contracts,
             transform::TransformState &state, uint64_t &numFacts)
      : before(entered.payload), step(*entered.step), state(state),
        numFacts(numFacts) {
    auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(step.op);
    isPass = bool(pass);
    add(step.op, pass ? contracts.lookupPass(pass.getPassName())
                      : contracts.lookup(step.op->getName().getStringRef()));
    for (Region &region : step.op->getRegions())
      for (Operation &group : region.getOps())
        add(&group, contracts.lookup(group.getName().getStringRef()));
    state.getTopLevel()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto it = before.ops.find(op);
      bool isOld = it != before.ops.end() && it->second.kind == op->getName() &&
                   it->second.loc == op->getLoc();
      if (isOld)
        old.insert(op);
      now.push_back(op);
    });
    for (const auto &[op, was] : before.ops)
      if (!old.contains(op))
        ++numGone[was.kind];
  }

  std::optional<FalseFact> run() {
    bool holds = checkResults() && checkSideEffects() && checkWrites();
    return holds ? std::nullopt : found;
  }

private:
  struct Claims {
    Operation *op;
    const Contract *contract;
  };

  void add(Operation *op, const Contract *contract) {
    isBounded &= contract != nullptr;
    if (contract)
      claims.push_back({op, contract});
  }

  bool deny(const Twine &claim, const Twine &has, Location payload,
            Value handle = nullptr) {
    found = FalseFact{claim.str(), has.str(), handle, removeMark(payload)};
    return false;
  }

  const OperandPayload *getOperand(unsigned index) const {
    return index < before.operands.size() && before.operands[index].isKnown
               ? &before.operands[index]
               : nullptr;
  }

  /// Whether the condition held in front of the step; none if that is not
  /// decided here.
  std::optional<bool> decide(const Condition &condition, Operation *op) const {
    if (std::optional<bool> decided = condition.decide(op))
      return decided;
    const OperandPayload *targets = getOperand(condition.index);
    if (!targets)
      return std::nullopt;
    int64_t number = targets->ops.size();
    if (condition.subject == Condition::PayloadCount) {
      bool holds = condition.comparison == Condition::AtLeast
                       ? number >= condition.number
                   : condition.comparison == Condition::AtMost
                       ? number <= condition.number
                       : number == condition.number;
      return holds != condition.negated;
    }
    if (condition.subject == Condition::PayloadKind && number != 0) {
      bool holds = llvm::all_of(targets->ops, [&](Operation *target) {
        return verifier::matchesAnyKind(before.ops.at(target).kind,
                                        condition.kind);
      });
      return holds != condition.negated;
    }
    return std::nullopt;
  }
  /// Whether all conditions held; none if that is not decided.
  std::optional<bool> decide(const Conditions &when, Operation *op) const {
    return conjoin(when, [&](const Condition &condition) {
      return decide(condition, op);
    });
  }

  static std::string quote(OperationName kind) {
    return "'" + kind.getStringRef().str() + "'";
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// The payload of result `index`; none where it holds no ops.
  std::optional<SmallVector<Operation *>> getResult(unsigned index) const {
    Value result = step.clone->getResult(index);
    if (!isa<transform::TransformHandleTypeInterface>(result.getType()) ||
        !canBeUsed(result, state))
      return std::nullopt;
    return llvm::to_vector(state.getPayloadOps(result));
  }

  bool checkResults() {
    for (const Claims &one : claims)
      for (const ResultClause &clause : one.contract->results)
        for (unsigned i = 0; i < step.clone->getNumResults(); ++i)
          if (clause.isAbout(i) && one.op == step.op &&
              decide(clause.when, one.op).value_or(false) &&
              !checkResult(clause, i))
            return false;
    return true;
  }

  /// Whether an op is inside of one of `holders`, as long as all are there.
  bool isInside(Operation *op, ArrayRef<Operation *> holders) const {
    return llvm::any_of(holders, [&](Operation *holder) {
      return old.contains(holder) && holder->isProperAncestor(op);
    });
  }

  /// Whether `op` is a loop, or holds a target, an op of the kind of one, a
  /// copy of what one held, or the payload of another result.
  bool mayBeAround(Operation *op, const OperandPayload &targets) const {
    // Of an op without a body, only loads and stores may be left.
    if (isa<LoopLikeOpInterface>(op))
      return true;
    llvm::DenseSet<Operation *> others;
    for (unsigned i = 0; i < step.clone->getNumResults(); ++i)
      if (std::optional<SmallVector<Operation *>> ops = getResult(i))
        others.insert_range(*ops);
    llvm::DenseSet<Location> held;
    for (const auto &[inner, was] : before.ops)
      if (!llvm::is_contained(targets.ops, inner) && wasTarget(inner))
        held.insert(was.loc);
    return op
        ->walk([&](Operation *inner) {
          bool isOne = others.contains(inner) ||
                       llvm::any_of(targets.ops, [&](Operation *target) {
                         return inner == target ||
                                before.ops.at(target).kind == inner->getName();
                       });
          return inner != op && isOne ? WalkResult::interrupt()
                                      : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool checkResult(const ResultClause &clause, unsigned index) {
    std::optional<SmallVector<Operation *>> ops = getResult(index);
    if (!ops || ops->empty())
      return true;
    Value handle = step.op->getResult(index);
    auto refuse = [&](const Twine &claim, const Twine &has, Operation *op) {
      return deny("result " + Twine(index) + " of '" +
                      step.op->getName().getStringRef() + "' to " + claim,
                  has, op->getLoc(), handle);
    };
    const OperandPayload *targets =
        clause.operand ? getOperand(*clause.operand) : nullptr;
    for (Operation *op : *ops) {
      ++numFacts;
      bool isOld = old.contains(op);
      std::string has = quote(op->getName());
      switch (clause.relation) {
      case ResultRelation::Same:
        if (targets && !llvm::is_contained(targets->ops, op))
          return refuse("hold the same ops as operand " +
                            Twine(*clause.operand),
                        has + ", which is none of them", op);
        break;
      case ResultRelation::Fresh:
        if (isOld && isOfInterest(op))
          return refuse("hold new ops",
                        has + ", which was there before the step", op);
        break;
      case ResultRelation::Replaces:
        if (targets && isOld && isOfInterest(op) &&
            !llvm::is_contained(targets->ops, op))
          return refuse("replace operand " + Twine(*clause.operand),
                        has + ", which was there before the step", op);
        break;
      case ResultRelation::Inside:
        if (targets && !isInside(op, targets->ops))
          return refuse("be inside operand " + Twine(*clause.operand),
                        has + ", which is not", op);
        break;
      case ResultRelation::Around:
        if (targets && !mayBeAround(op, *targets))
          return refuse("be around operand " + Twine(*clause.operand),
                        has + ", which holds none of its payload", op);
        break;
      case ResultRelation::Anchored: {
        if (!targets)
          break;
        SmallVector<Operation *> anchors;
        bool areKnown = true;
        for (Operation *target : targets->ops) {
          anchors.push_back(before.getAnchor(target));
          areKnown &= anchors.back() && old.contains(anchors.back());
        }
        if (areKnown && !isInside(op, anchors))
          return refuse("be inside the isolated op around operand " +
                            Twine(*clause.operand),
                        has + ", which is not", op);
        break;
      }
      case ResultRelation::Declared:
      case ResultRelation::Any:
        break;
      }
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Side effects
  //===--------------------------------------------------------------------===//

  bool isChanged(Operation *op) const {
    const MarkedOp &was = before.ops.at(op);
    return was.attributes != op->getAttrDictionary() ||
           TypeRange(was.types) != op->getResultTypes();
  }

  /// Whether nothing but discardable attributes differs. An attribute of the
  /// op's own does not count where the step names it: its model says that this
  /// may do anything.
  bool hasSameSubstance(Operation *op) const {
    const MarkedOp &was = before.ops.at(op);
    auto annotate = dyn_cast<transform::AnnotateOp>(step.op);
    auto getOwn = [&](DictionaryAttr attributes) {
      SmallVector<NamedAttribute> own;
      for (NamedAttribute attribute : attributes)
        if ((!was.kind.isRegistered() ||
             verifier::isOwnAttribute(was.kind, attribute.getName())) &&
            !(annotate && annotate.getNameAttr() == attribute.getName()))
          own.push_back(attribute);
      return own;
    };
    return getOwn(was.attributes) == getOwn(op->getAttrDictionary()) &&
           TypeRange(was.types) == op->getResultTypes();
  }

  bool checkSideEffects() {
    auto has = [&](SideEffect effect) {
      return llvm::any_of(
          claims, [&](const Claims &one) { return one.contract->has(effect); });
    };
    bool isStep = claims.size() == 1;
    if (isStep && has(SideEffect::OnlyReads) && !checkOnlyReads(false))
      return false;
    if (isStep && has(SideEffect::WritesOnlyDiscardableAttributes) &&
        !checkOnlyReads(true))
      return false;
    return !isStep || !has(SideEffect::KeepsOrder) || checkOrder();
  }

  bool checkOnlyReads(bool mayMark) {
    StringRef claim = mayMark ? "only discardable attributes to change"
                              : "the payload to stay as it is";
    for (Operation *op : now) {
      ++numFacts;
      bool isSame =
          old.contains(op) && (mayMark ? hasSameSubstance(op) : !isChanged(op));
      if (!isSame)
        return deny(claim, quote(op->getName()) + " that is new or has changed",
                    op->getLoc());
    }
    for (const auto &[op, was] : before.ops)
      if (!old.contains(op))
        return deny(claim, "no " + quote(was.kind) + " any more", was.loc);
    return checkOrder();
  }

  bool checkOrder() {
    unsigned last = 0;
    for (Operation *op : now) {
      if (!old.contains(op) || !isOfInterest(op))
        continue;
      ++numFacts;
      unsigned number = before.ops.at(op).number;
      if (number < last)
        return deny("the ops to stay in their order",
                    quote(op->getName()) +
                        " behind one that it was in front of",
                    op->getLoc());
      last = number;
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Writes
  //===--------------------------------------------------------------------===//

  static bool hasType(Operation *op, StringRef word) {
    auto isOne = [&](Type type) {
      return word == "!tensor"   ? isa<TensorType>(type)
             : word == "!memref" ? isa<BaseMemRefType>(type)
                                 : isa<VectorType>(type);
    };
    return llvm::any_of(op->getOperandTypes(), isOne) ||
           llvm::any_of(op->getResultTypes(), isOne);
  }

  /// Whether an op of `kind` is of one of `kinds`. `op` is null where the op is
  /// gone, and then it may have any type.
  bool isOf(OperationName kind, Operation *op,
            const KindPatterns &kinds) const {
    bool isOne = false;
    for (const KindPattern &pattern : kinds) {
      StringRef text = pattern.getText();
      if (text.starts_with("-")) {
        if (KindPattern::of(text.drop_front()).withoutProperty().matches(kind))
          return false;
        continue;
      }
      if (text.starts_with("!")) {
        isOne |= !op || hasType(op, text);
        continue;
      }
      bool isMore = pattern.isMoreOfThem();
      KindPattern plain =
          (isMore ? pattern.getThem() : pattern).withoutProperty();
      isOne |= plain.matches(kind) && (!isMore || before.kinds.contains(kind));
    }
    return isOne;
  }

  /// Whether the extent of `clause` takes in an op: `isBelow` says of an op in
  /// front of the step whether the other one is at or below it.
  bool reaches(const PayloadClause &clause,
               llvm::function_ref<bool(Operation *)> isBelow) const {
    const OperandPayload *targets = getOperand(clause.operand);
    if (!targets || clause.extent == WriteExtent::Root)
      return true;
    return llvm::any_of(targets->ops, [&](Operation *target) {
      if (clause.extent == WriteExtent::Target)
        return isBelow(target);
      Operation *anchor = before.getAnchor(target);
      // What is replaced does not tell where its contents are.
      return !anchor || !old.contains(anchor) || isBelow(anchor);
    });
  }

  bool anyClause(llvm::function_ref<bool(const PayloadClause &)> fn) const {
    for (const Claims &one : claims)
      for (const PayloadClause &clause : one.contract->writes)
        if (decide(clause.when, one.op).value_or(true) && fn(clause))
          return true;
    return false;
  }

  /// Whether the op was at or below a target.
  bool wasTarget(Operation *op) const {
    return llvm::any_of(before.operands, [&](const OperandPayload &targets) {
      auto isTarget = [&](Operation *above) {
        return llvm::is_contained(targets.ops, above);
      };
      return isTarget(op) || before.anyAbove(op, isTarget);
    });
  }
  /// Whether the step may do anything to the op: it is a target, or was in one
  /// that is gone, or in one of which a model says what goes on inside.
  bool mayBeAnything(Operation *op) const {
    return llvm::any_of(before.operands, [&](const OperandPayload &targets) {
      auto isTarget = [&](Operation *above) {
        return llvm::is_contained(targets.ops, above);
      };
      return isTarget(op) || before.anyAbove(op, [&](Operation *above) {
        return isTarget(above) && (hasModel() || !old.contains(above));
      });
    });
  }

  bool checkWrites() {
    bool isOpen = llvm::any_of(
        claims, [](const Claims &one) { return !one.contract->payload; });
    auto transformOp = cast<transform::TransformOpInterface>(step.op);
    if (!isBounded || isOpen || !transform::doesModifyPayload(transformOp))
      return true;
    SmallVector<Operation *> results;
    for (unsigned i = 0; i < step.clone->getNumResults(); ++i)
      if (std::optional<SmallVector<Operation *>> ops = getResult(i))
        llvm::append_range(results, *ops);
    for (Operation *op : now) {
      // Drivers put constants wherever they like.
      bool isDriver = isPass || step.op->getNumRegions() != 0;
      if (!isOfInterest(op) && (isDriver || hasModel()))
        continue;
      ++numFacts;
      bool holds = old.contains(op)
                       ? checkChanged(op) && checkMoved(op, results)
                       : checkNew(op, results);
      if (!holds)
        return false;
    }
    for (const auto &[op, was] : before.ops)
      if (!old.contains(op) && !checkGone(op, was))
        return false;
    return true;
  }

  /// Whether a model says more than the clauses. Those of steps that run groups
  /// and passes do not.
  bool hasModel() const {
    return claims.size() == 1 && claims.front().op == step.op && !isPass &&
           !claims.front().contract->model.empty();
  }

  /// Whether a model may say that there are more ops of `kind`, because a
  /// target is one or holds one.
  bool mayCopy(OperationName kind) const {
    return hasModel() && llvm::any_of(before.ops, [&](const auto &entry) {
             return entry.second.kind == kind && wasTarget(entry.first);
           });
  }

  /// Whether `op` is a symbol in the nearest symbol table around `scope`.
  static bool isDeclaredFor(Operation *op, Operation *scope) {
    Operation *parent = scope->getParentOp();
    return isa<SymbolOpInterface>(op) && parent &&
           SymbolTable::getNearestSymbolTable(parent) == op->getParentOp();
  }

  bool checkNew(Operation *op, ArrayRef<Operation *> results) {
    // What closes a body, or computes elements in it, comes with the op.
    if (op->hasTrait<OpTrait::IsTerminator>())
      return true;
    for (Operation *above = op; above; above = above->getParentOp()) {
      if (llvm::is_contained(results, above))
        return true;
      if (above != op && !old.contains(above) &&
          verifier::holdsOnlyScalars(above->getName()))
        return true;
    }
    // What is rewritten may be another op of the kind.
    bool isChange = numGone[op->getName()] != 0;
    bool isAnywhere = false;
    bool isCopy = mayCopy(op->getName());
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      bool isOne = isCopy || isOf(op->getName(), op, clause.introduces) ||
                   (isChange && isOf(op->getName(), op, clause.rewrites));
      isAnywhere |= isOne;
      return isOne && reaches(clause, [&](Operation *scope) {
               return old.contains(scope) &&
                      (scope->isAncestor(op) || isDeclaredFor(op, scope));
             });
    });
    if (isClaimed) {
      numGone[op->getName()] -= isChange;
      return true;
    }
    return deny("no new " + quote(op->getName()) +
                    (isAnywhere ? " outside of the extent of the write" : ""),
                "one", op->getLoc());
  }

  bool checkMoved(Operation *op, ArrayRef<Operation *> results) {
    const MarkedOp &was = before.ops.at(op);
    Operation *parent = op->getParentOp();
    bool isThere = !was.parent || parent == was.parent || hasModel();
    if (isThere || !isOfInterest(op))
      return true;
    for (Operation *above = op; above; above = above->getParentOp())
      if (llvm::is_contained(results, above) || !old.contains(above))
        return true;
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      return reaches(clause, [&](Operation *scope) {
        return old.contains(scope) && scope->isAncestor(op);
      });
    });
    if (isClaimed)
      return true;
    return deny("no " + quote(op->getName()) +
                    " to leave the extent of the write",
                "one that is outside", op->getLoc());
  }

  bool checkChanged(Operation *op) {
    // A pass may mark whatever it finds.
    if (!isChanged(op) || isPass || mayBeAnything(op))
      return true;
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      return (isOf(op->getName(), op, clause.rewrites) ||
              isOf(op->getName(), op, clause.introduces)) &&
             reaches(clause,
                     [&](Operation *scope) { return scope->isAncestor(op); });
    });
    if (isClaimed)
      return true;
    return deny(quote(op->getName()) + " to be untouched",
                "other types or attributes", op->getLoc());
  }

  bool checkGone(Operation *op, const MarkedOp &was) {
    if (was.kind.hasTrait<OpTrait::ConstantLike>() ||
        was.kind.hasTrait<OpTrait::IsTerminator>() || mayBeAnything(op))
      return true;
    bool mayFold = llvm::any_of(claims, [](const Claims &one) {
      return one.contract->has(SideEffect::MayFold) ||
             one.contract->has(SideEffect::MayFoldValues);
    });
    bool isSlice = llvm::is_contained(
        {"tensor.extract_slice", "tensor.insert_slice", "memref.subview"},
        was.kind.getStringRef());
    if (mayFold && isSlice)
      return true;
    // Drivers fold, and drop what nothing needs. The rest goes with what held
    // it.
    if ((isPass || step.op->getNumRegions() != 0) && was.mayVanish)
      return true;
    if (was.parent && !old.contains(was.parent))
      return true;
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      bool isOne = clause.handles.shrinks || clause.handles.retargets ||
                   isOf(was.kind, nullptr, clause.rewrites) ||
                   isOf(was.kind, nullptr, clause.removes);
      return isOne && reaches(clause, [&](Operation *scope) {
               return scope == op || before.anyAbove(op, [&](Operation *above) {
                 return above == scope;
               });
             });
    });
    if (isClaimed)
      return true;
    return deny(quote(was.kind) + " to stay", "no such op any more", was.loc);
  }

  const MarkedPayload &before;
  const ObservedStep &step;
  transform::TransformState &state;
  uint64_t &numFacts;
  SmallVector<Claims> claims;
  bool isPass = false;
  /// Whether everything that writes has a contract.
  bool isBounded = true;
  /// All ops of the payload, and those that were there in front of the step.
  SmallVector<Operation *, 0> now;
  llvm::DenseSet<Operation *> old;
  llvm::DenseMap<OperationName, unsigned> numGone;
  std::optional<FalseFact> found;
};

std::optional<FalseFact> ClaimCheck::leave(const ObservedStep &step,
                                           transform::TransformState &state,
                                           uint64_t &numFacts) {
  // A step that failed inside of another was not left.
  while (!entered.empty() && entered.back()->step != &step)
    entered.pop_back();
  if (entered.empty())
    return std::nullopt;
  std::unique_ptr<Before> before = std::move(entered.back());
  entered.pop_back();
  if (!isComparable(step))
    return std::nullopt;
  return Comparison(*before, contracts, state, numFacts).run();
}
