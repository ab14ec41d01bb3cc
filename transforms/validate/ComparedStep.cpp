//===- ComparedStep.cpp - A step against the claims about it ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/ComparedStep.h"

#include "normalforms/Kleene.h"
#include "transforms/validate/HandleProbe.h"
#include "verifier/state/KindSet.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;

bool formwork::transforms::isOfInterest(Operation *op) {
  return !op->hasTrait<OpTrait::ConstantLike>();
}

std::string formwork::transforms::quote(OperationName kind) {
  return "'" + kind.getStringRef().str() + "'";
}

FalseFact formwork::transforms::deny(const Twine &claim, const Twine &has,
                                     Location payload, Value handle) {
  return {claim.str(), has.str(), handle, removeMark(payload)};
}

ComparedStep::ComparedStep(const ObservedStep &step,
                           const MarkedPayload &before,
                           const ContractLibrary &contracts,
                           transform::TransformState &state)
    : step(step), before(before), state(state) {
  auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(step.op);
  isPass = bool(pass);
  add(step.op, pass ? contracts.lookupPass(pass.getPassName())
                    : contracts.lookup(step.op->getName().getStringRef()));
  for (Region &region : step.op->getRegions())
    for (Operation &group : region.getOps())
      add(&group, contracts.lookup(group.getName().getStringRef()));
  state.getTopLevel()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto it = before.ops.find(op);
    // A step may have taken away all locations.
    bool isOld =
        it != before.ops.end() && it->second.kind == op->getName() &&
        (it->second.loc == op->getLoc() || isa<UnknownLoc>(op->getLoc()));
    if (isOld)
      old.insert(op);
    now.insert(op);
  });
}

void ComparedStep::add(Operation *op, const Contract *contract) {
  isBounded &= contract != nullptr;
  if (contract)
    claims.push_back({op, contract});
}

const OperandPayload *ComparedStep::getOperand(unsigned index) const {
  return index < before.operands.size() && before.operands[index].isKnown
             ? &before.operands[index]
             : nullptr;
}

std::optional<bool> ComparedStep::decide(const Condition &condition,
                                         Operation *op) const {
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

std::optional<bool> ComparedStep::decide(const Conditions &when,
                                         Operation *op) const {
  return conjoin(
      when, [&](const Condition &condition) { return decide(condition, op); });
}

std::optional<SmallVector<Operation *>>
ComparedStep::getResult(unsigned index) const {
  Value result = step.clone->getResult(index);
  if (!isa<transform::TransformHandleTypeInterface>(result.getType()) ||
      !canBeUsed(result, state))
    return std::nullopt;
  // MLIR may hand back what it erased.
  return llvm::filter_to_vector(
      state.getPayloadOps(result),
      [&](Operation *op) { return now.contains(op); });
}

bool ComparedStep::isChanged(Operation *op) const {
  const MarkedOp &was = before.ops.at(op);
  return was.attributes != op->getAttrDictionary() ||
         TypeRange(was.types) != op->getResultTypes();
}

bool ComparedStep::wasTarget(Operation *op) const {
  return llvm::any_of(before.operands, [&](const OperandPayload &targets) {
    auto isTarget = [&](Operation *above) {
      return llvm::is_contained(targets.ops, above);
    };
    return isTarget(op) || before.anyAbove(op, isTarget);
  });
}

bool ComparedStep::hasModel() const {
  return claims.size() == 1 && claims.front().op == step.op && !isPass &&
         !claims.front().contract->model.empty();
}
