//===- SideEffectClaims.cpp - What a step leaves as it was ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/ComparedStep.h"

#include "verifier/state/Node.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;

/// Whether nothing but discardable attributes differs. An attribute of the
/// op's own does not count where the step names it: its model says that this
/// may do anything.
static bool hasSameSubstance(const ComparedStep &compared, Operation *op) {
  const MarkedOp &was = compared.before.ops.at(op);
  auto annotate = dyn_cast<transform::AnnotateOp>(compared.step.op);
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

static std::optional<FalseFact> checkOrder(const ComparedStep &compared,
                                           uint64_t &numFacts) {
  unsigned last = 0;
  for (Operation *op : compared.now) {
    if (!compared.old.contains(op) || !isOfInterest(op))
      continue;
    ++numFacts;
    unsigned number = compared.before.ops.at(op).number;
    if (number < last)
      return deny("the ops to stay in their order",
                  quote(op->getName()) + " behind one that it was in front of",
                  op->getLoc());
    last = number;
  }
  return std::nullopt;
}

/// With `mayMark`, discardable attributes may change.
static std::optional<FalseFact>
checkOnlyReads(const ComparedStep &compared, bool mayMark, uint64_t &numFacts) {
  StringRef claim = mayMark ? "only discardable attributes to change"
                            : "the payload to stay as it is";
  for (Operation *op : compared.now) {
    ++numFacts;
    bool isSame =
        compared.old.contains(op) &&
        (mayMark ? hasSameSubstance(compared, op) : !compared.isChanged(op));
    if (!isSame)
      return deny(claim, quote(op->getName()) + " that is new or has changed",
                  op->getLoc());
  }
  for (const auto &[op, was] : compared.before.ops)
    if (!compared.old.contains(op))
      return deny(claim, "no " + quote(was.kind) + " any more", was.loc);
  return checkOrder(compared, numFacts);
}

std::optional<FalseFact>
formwork::transforms::checkSideEffectClaims(const ComparedStep &compared,
                                            uint64_t &numFacts) {
  // Of a step that runs groups, each of them says only what itself does.
  if (compared.claims.size() != 1)
    return std::nullopt;
  const Contract &contract = *compared.claims.front().contract;
  std::optional<FalseFact> fault;
  if (contract.has(SideEffect::OnlyReads))
    fault = checkOnlyReads(compared, /*mayMark=*/false, numFacts);
  if (!fault && contract.has(SideEffect::WritesOnlyDiscardableAttributes))
    fault = checkOnlyReads(compared, /*mayMark=*/true, numFacts);
  if (!fault && contract.has(SideEffect::KeepsOrder))
    fault = checkOrder(compared, numFacts);
  return fault;
}
