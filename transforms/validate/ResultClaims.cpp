//===- ResultClaims.cpp - Where the results of a step lie -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/ComparedStep.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;

/// Whether an op is inside of one of `holders`, as long as all are there.
static bool isInside(const ComparedStep &compared, Operation *op,
                     ArrayRef<Operation *> holders) {
  return llvm::any_of(holders, [&](Operation *holder) {
    return compared.old.contains(holder) && holder->isProperAncestor(op);
  });
}

/// Whether `op` is a loop, or holds a target, an op of the kind of one, or the
/// payload of another result.
static bool mayBeAround(const ComparedStep &compared, Operation *op,
                        const OperandPayload &targets) {
  // Of an op without a body, only loads and stores may be left.
  if (isa<LoopLikeOpInterface>(op))
    return true;
  llvm::DenseSet<Operation *> others;
  for (unsigned i = 0; i < compared.step.clone->getNumResults(); ++i)
    if (std::optional<SmallVector<Operation *>> ops = compared.getResult(i))
      others.insert_range(*ops);
  return op
      ->walk([&](Operation *inner) {
        bool isOne =
            others.contains(inner) ||
            llvm::any_of(targets.ops, [&](Operation *target) {
              return inner == target ||
                     compared.before.ops.at(target).kind == inner->getName();
            });
        return inner != op && isOne ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The first op of result `index` of which `clause` does not hold.
static std::optional<FalseFact> checkResult(const ComparedStep &compared,
                                            const ResultClause &clause,
                                            unsigned index,
                                            uint64_t &numFacts) {
  std::optional<SmallVector<Operation *>> ops = compared.getResult(index);
  if (!ops || ops->empty())
    return std::nullopt;
  Value handle = compared.step.op->getResult(index);
  auto refuse = [&](const Twine &claim, const Twine &has, Operation *op) {
    return deny("result " + Twine(index) + " of '" +
                    compared.step.op->getName().getStringRef() + "' to " +
                    claim,
                has, op->getLoc(), handle);
  };
  const OperandPayload *targets =
      clause.operand ? compared.getOperand(*clause.operand) : nullptr;
  for (Operation *op : *ops) {
    ++numFacts;
    bool isOld = compared.old.contains(op);
    std::string has = quote(op->getName());
    switch (clause.relation) {
    case ResultRelation::Same:
      if (targets && !llvm::is_contained(targets->ops, op))
        return refuse("hold the same ops as operand " + Twine(*clause.operand),
                      has + ", which is none of them", op);
      break;
    case ResultRelation::Fresh:
      if (isOld && isOfInterest(op))
        return refuse("hold new ops", has + ", which was there before the step",
                      op);
      break;
    case ResultRelation::Replaces:
      if (targets && isOld && isOfInterest(op) &&
          !llvm::is_contained(targets->ops, op))
        return refuse("replace operand " + Twine(*clause.operand),
                      has + ", which was there before the step", op);
      break;
    case ResultRelation::Inside:
      if (targets && !isInside(compared, op, targets->ops))
        return refuse("be inside operand " + Twine(*clause.operand),
                      has + ", which is not", op);
      break;
    case ResultRelation::Around:
      if (targets && !mayBeAround(compared, op, *targets))
        return refuse("be around operand " + Twine(*clause.operand),
                      has + ", which holds none of its payload", op);
      break;
    case ResultRelation::Anchored: {
      if (!targets)
        break;
      SmallVector<Operation *> anchors;
      bool areKnown = true;
      for (Operation *target : targets->ops) {
        anchors.push_back(compared.before.getAnchor(target));
        areKnown &= anchors.back() && compared.old.contains(anchors.back());
      }
      if (areKnown && !isInside(compared, op, anchors))
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
  return std::nullopt;
}

std::optional<FalseFact>
formwork::transforms::checkResultClaims(const ComparedStep &compared,
                                        uint64_t &numFacts) {
  for (const ComparedStep::Claims &one : compared.claims)
    for (const ResultClause &clause : one.contract->results)
      for (unsigned i = 0; i < compared.step.clone->getNumResults(); ++i) {
        bool isMeant = clause.isAbout(i) && one.op == compared.step.op &&
                       compared.decide(clause.when, one.op).value_or(false);
        if (!isMeant)
          continue;
        if (std::optional<FalseFact> fault =
                checkResult(compared, clause, i, numFacts))
          return fault;
      }
  return std::nullopt;
}
