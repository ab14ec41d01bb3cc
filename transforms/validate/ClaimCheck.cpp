//===- ClaimCheck.cpp - What a step does, and what it claims ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/ClaimCheck.h"

#include "transforms/validate/ComparedStep.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::transforms;

struct ClaimCheck::Before {
  const ObservedStep *step;
  MarkedPayload payload;
};

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
  ComparedStep compared(step, before->payload, contracts, state);
  for (auto check :
       {checkResultClaims, checkSideEffectClaims, checkWriteClaims})
    if (std::optional<FalseFact> fault = check(compared, numFacts))
      return fault;
  return std::nullopt;
}
