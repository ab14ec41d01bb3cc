//===- WriteClaims.cpp - What a step makes, changes and removes -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/ComparedStep.h"

#include "verifier/state/KindSet.h"
#include "verifier/state/Node.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;

static bool hasType(Operation *op, StringRef word) {
  auto isOne = [&](Type type) {
    return word == "!tensor"   ? isa<TensorType>(type)
           : word == "!memref" ? isa<BaseMemRefType>(type)
                               : isa<VectorType>(type);
  };
  return llvm::any_of(op->getOperandTypes(), isOne) ||
         llvm::any_of(op->getResultTypes(), isOne);
}

/// Whether `op` is a symbol in the nearest symbol table around `scope`.
static bool isDeclaredFor(Operation *op, Operation *scope) {
  Operation *parent = scope->getParentOp();
  return isa<SymbolOpInterface>(op) && parent &&
         SymbolTable::getNearestSymbolTable(parent) == op->getParentOp();
}

namespace {
/// Holds the writes of a step against the clauses `payload`.
class WriteCheck {
public:
  WriteCheck(const ComparedStep &compared, uint64_t &numFacts)
      : compared(compared), numFacts(numFacts) {
    for (const auto &[op, was] : compared.before.ops)
      if (!compared.old.contains(op))
        ++numGone[was.kind];
  }

  std::optional<FalseFact> run();

private:
  bool refuse(const Twine &claim, const Twine &has, Location payload) {
    found = deny(claim, has, payload);
    return false;
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
      isOne |= plain.matches(kind) &&
               (!isMore ||
                llvm::any_of(compared.before.kinds, [&](OperationName there) {
                  return plain.matches(there);
                }));
    }
    return isOne;
  }

  /// Whether the extent of `clause` takes in an op: `isBelow` says of an op in
  /// front of the step whether the other one is at or below it.
  bool reaches(const PayloadClause &clause,
               llvm::function_ref<bool(Operation *)> isBelow) const {
    const OperandPayload *targets = compared.getOperand(clause.operand);
    if (!targets || clause.extent == WriteExtent::Root)
      return true;
    return llvm::any_of(targets->ops, [&](Operation *target) {
      if (clause.extent == WriteExtent::Target)
        return isBelow(target);
      Operation *anchor = compared.before.getAnchor(target);
      // A replaced anchor does not tell where its contents are.
      return !anchor || !compared.old.contains(anchor) || isBelow(anchor);
    });
  }

  bool anyClause(llvm::function_ref<bool(const PayloadClause &)> fn) const {
    for (const ComparedStep::Claims &one : compared.claims)
      for (const PayloadClause &clause : one.contract->writes)
        if (compared.decide(clause.when, one.op).value_or(true) && fn(clause))
          return true;
    return false;
  }

  /// Whether the step may do anything to the op: it is a target, or was in one
  /// that is gone, or in one of which a model says what goes on inside.
  bool mayBeAnything(Operation *op) const {
    return llvm::any_of(
        compared.before.operands, [&](const OperandPayload &targets) {
          auto isTarget = [&](Operation *above) {
            return llvm::is_contained(targets.ops, above);
          };
          return isTarget(op) ||
                 compared.before.anyAbove(op, [&](Operation *above) {
                   return isTarget(above) && (compared.hasModel() ||
                                              !compared.old.contains(above));
                 });
        });
  }

  /// Whether a model may say that there are more ops of `kind`, because a
  /// target is one or holds one.
  bool mayCopy(OperationName kind) const {
    return compared.hasModel() &&
           llvm::any_of(compared.before.ops, [&](const auto &entry) {
             return entry.second.kind == kind &&
                    compared.wasTarget(entry.first);
           });
  }

  bool checkNew(Operation *op, ArrayRef<Operation *> results) {
    // The terminator of a body comes with the op, and so do scalar ops in it.
    if (op->hasTrait<OpTrait::IsTerminator>())
      return true;
    for (Operation *above = op; above; above = above->getParentOp()) {
      // Only a model may say what a result holds that its contract does not.
      if (llvm::is_contained(results, above) &&
          (above == op || compared.hasModel()))
        return true;
      if (above != op && !compared.old.contains(above) &&
          verifier::holdsOnlyScalars(above->getName()))
        return true;
    }
    // The rewritten op may be another one of the kind.
    bool isChange = numGone[op->getName()] != 0;
    bool isAnywhere = false;
    bool isCopy = mayCopy(op->getName());
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      bool isOne = isCopy || isOf(op->getName(), op, clause.introduces) ||
                   (isChange && isOf(op->getName(), op, clause.rewrites));
      isAnywhere |= isOne;
      return isOne && reaches(clause, [&](Operation *scope) {
               return compared.old.contains(scope) &&
                      (scope->isAncestor(op) || isDeclaredFor(op, scope));
             });
    });
    if (isClaimed) {
      numGone[op->getName()] -= isChange;
      return true;
    }
    return refuse("no new " + quote(op->getName()) +
                      (isAnywhere ? " outside of the extent of the write" : ""),
                  "one", op->getLoc());
  }

  bool checkMoved(Operation *op, ArrayRef<Operation *> results) {
    const MarkedOp &was = compared.before.ops.at(op);
    Operation *parent = op->getParentOp();
    bool isThere = !was.parent || parent == was.parent || compared.hasModel();
    if (isThere || !isOfInterest(op))
      return true;
    for (Operation *above = op; above; above = above->getParentOp())
      if (llvm::is_contained(results, above) || !compared.old.contains(above))
        return true;
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      return reaches(clause, [&](Operation *scope) {
        return compared.old.contains(scope) && scope->isAncestor(op);
      });
    });
    if (isClaimed)
      return true;
    return refuse("no " + quote(op->getName()) +
                      " to leave the extent of the write",
                  "one that is outside", op->getLoc());
  }

  bool checkChanged(Operation *op) {
    // A pass may mark whatever it finds.
    if (!compared.isChanged(op) || compared.isPass || mayBeAnything(op))
      return true;
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      return (isOf(op->getName(), op, clause.rewrites) ||
              isOf(op->getName(), op, clause.introduces)) &&
             reaches(clause,
                     [&](Operation *scope) { return scope->isAncestor(op); });
    });
    if (isClaimed)
      return true;
    return refuse(quote(op->getName()) + " to be untouched",
                  "other types or attributes", op->getLoc());
  }

  bool checkGone(Operation *op, const MarkedOp &was) {
    if (was.kind.hasTrait<OpTrait::ConstantLike>() ||
        was.kind.hasTrait<OpTrait::IsTerminator>() || mayBeAnything(op))
      return true;
    bool mayFold =
        llvm::any_of(compared.claims, [](const ComparedStep::Claims &one) {
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
    if ((compared.isPass || compared.step.op->getNumRegions() != 0) &&
        was.mayVanish)
      return true;
    if (was.parent && !compared.old.contains(was.parent))
      return true;
    bool isClaimed = anyClause([&](const PayloadClause &clause) {
      bool isOne = clause.handles.shrinks || clause.handles.retargets ||
                   isOf(was.kind, nullptr, clause.rewrites) ||
                   isOf(was.kind, nullptr, clause.removes);
      return isOne && reaches(clause, [&](Operation *scope) {
               return scope == op ||
                      compared.before.anyAbove(
                          op, [&](Operation *above) { return above == scope; });
             });
    });
    if (isClaimed)
      return true;
    return refuse(quote(was.kind) + " to stay", "no such op any more", was.loc);
  }

  const ComparedStep &compared;
  uint64_t &numFacts;
  llvm::DenseMap<OperationName, unsigned> numGone;
  std::optional<FalseFact> found;
};
} // namespace

std::optional<FalseFact> WriteCheck::run() {
  bool isOpen =
      llvm::any_of(compared.claims, [](const ComparedStep::Claims &one) {
        return !one.contract->payload;
      });
  auto transformOp = cast<transform::TransformOpInterface>(compared.step.op);
  if (!compared.isBounded || isOpen ||
      !transform::doesModifyPayload(transformOp))
    return std::nullopt;
  SmallVector<Operation *> results;
  for (unsigned i = 0; i < compared.step.clone->getNumResults(); ++i)
    if (std::optional<SmallVector<Operation *>> ops = compared.getResult(i))
      llvm::append_range(results, *ops);
  // What a step made before it failed is in none of its results.
  bool mayHaveFailed =
      results.empty() && compared.step.clone->getNumResults() != 0;
  for (Operation *op : compared.now) {
    // Drivers put constants wherever they like.
    bool isDriver = compared.isPass || compared.step.op->getNumRegions() != 0;
    if (!isOfInterest(op) && (isDriver || compared.hasModel()))
      continue;
    ++numFacts;
    bool holds = compared.old.contains(op)
                     ? checkChanged(op) && checkMoved(op, results)
                     : mayHaveFailed || checkNew(op, results);
    if (!holds)
      return found;
  }
  for (const auto &[op, was] : compared.before.ops)
    if (!compared.old.contains(op) && !checkGone(op, was))
      return found;
  return std::nullopt;
}

std::optional<FalseFact>
formwork::transforms::checkWriteClaims(const ComparedStep &compared,
                                       uint64_t &numFacts) {
  return WriteCheck(compared, numFacts).run();
}
