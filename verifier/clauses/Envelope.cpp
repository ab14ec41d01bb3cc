//===- Envelope.cpp - Where a contract was tried ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Envelope.h"
#include "verifier/clauses/Conditions.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The unusual features of the payload that `step` is given.
static FeatureSet getFeatures(const Step &step) {
  FeatureSet features;
  if (!step.payload.hasFeatures())
    return features;
  for (Value operand : step.op->getOperands())
    for (NodeId node : step.lookup(operand).nodes)
      features |= step.payload.getFeatures(node);
  return features;
}

/// Says of the first of `features` what it is, and names all.
static std::string describe(FeatureSet features) {
  SmallVector<StringRef, 2> names = features.getNames();
  std::string text =
      "is given payload for which its contract was not tested: '" +
      llvm::join(names, "', '") + "'";
  if (names.size() == 1)
    text +=
        (" (an op that " + lookupPayloadFeature(names.front())->meaning + ")")
            .str();
  return text;
}

static std::optional<std::string> getUnusualPayload(const Step &step) {
  FeatureSet features = getFeatures(step);
  if (features.empty())
    return std::nullopt;
  FeatureSet outside = features.without(step.contract.getAdmitted());
  if (const Contract *pass = getPassContract(step))
    outside |= features.without(pass->getAdmitted());
  forEachGroup(step.op, step.contracts,
               [&](Operation *, const Contract &rules) {
                 outside |= features.without(rules.getAdmitted());
               });
  if (outside.empty())
    return std::nullopt;
  return describe(outside);
}

static std::optional<std::string> getUnusualValue(const Step &step) {
  const Contract *pass = getPassContract(step);
  SmallVector<OutsideValue> outside =
      getOutsideValues(step.op, step.contract.domains,
                       pass ? ArrayRef(pass->domains) : ArrayRef<Domain>());
  if (outside.empty())
    return std::nullopt;
  const OutsideValue &first = outside.front();
  return ("is payload for which its contract was not tested: " +
          Twine(first.isOption ? "option" : "attribute") + " '" + first.name +
          "' " + first.why)
      .str();
}

std::optional<std::string>
formwork::verifier::getWhyOutsideEnvelope(const Step &step) {
  if (std::optional<std::string> why = getUnusualValue(step))
    return why;
  return getUnusualPayload(step);
}
