//===- ClaimCheck.h - What a step does, and what it claims ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the payload in front of and behind one execution of a step with the
// clauses of its contract: which ops are new, gone or changed, and where the
// payload of the results lies. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_CLAIMCHECK_H
#define FORMWORK_TRANSFORMS_VALIDATE_CLAIMCHECK_H

#include "normalforms/ContractLibrary.h"
#include "transforms/validate/FactCheck.h"

namespace formwork::transforms {

/// Hears of the steps of one run. The claims of a contract that it compares:
///
///  - `payload`: each new op is of a kind that a clause introduces, and within
///    its extent; what is gone or changed elsewhere than at or below a target
///    is of a kind that a clause rewrites or removes. A result, and what it
///    holds, may lie anywhere.
///  - `result`: the payload of the result lies where the relation says, if the
///    conditions of the clause are decided.
///  - `side_effects`: `only_reads`, `writes_only_discardable_attributes` and
///    `keeps_order`.
///
/// It tells ops apart by their locations, which it changes. Steps that hold
/// other steps are not compared.
class ClaimCheck {
public:
  explicit ClaimCheck(const normalforms::ContractLibrary &contracts);
  ~ClaimCheck();

  /// In front of `step`. Cost: linear in the payload.
  void enter(const ObservedStep &step, mlir::transform::TransformState &state);
  /// Behind `step`: the first claim that does not hold. `numFacts` grows by the
  /// number of claims. Cost: linear in the payload, for each clause.
  std::optional<FalseFact> leave(const ObservedStep &step,
                                 mlir::transform::TransformState &state,
                                 uint64_t &numFacts);

private:
  struct Before;

  const normalforms::ContractLibrary &contracts;
  /// The steps that were entered and not left, outermost first.
  std::vector<std::unique_ptr<Before>> entered;
  uint64_t numMarks = 0;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_CLAIMCHECK_H
