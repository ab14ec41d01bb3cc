//===- ContractInstances.h - What contracts come to -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contracts with their conditions decided. The steps of a schedule of which the
// conditions are decided alike share one. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CONTRACTINSTANCES_H
#define FORMWORK_VERIFIER_CONTRACTINSTANCES_H

#include "normalforms/Contract.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>

namespace formwork::verifier {

/// Of contracts that outlive it; what it returns lives as long as it does.
class ContractInstances {
public:
  /// What Contract::settle says.
  const normalforms::Contract &
  get(const normalforms::Contract &contract,
      const normalforms::Contract::Answers &answers) {
    if (answers.empty())
      return contract;
    auto &known = settled[&contract];
    auto it = llvm::find_if(
        known, [&](const Settled &one) { return one.answers == answers; });
    if (it != known.end())
      return *it->contract;
    known.push_back({answers, std::make_unique<normalforms::Contract>(
                                  contract.settle(answers))});
    return *known.back().contract;
  }

private:
  struct Settled {
    normalforms::Contract::Answers answers;
    std::unique_ptr<normalforms::Contract> contract;
  };
  llvm::DenseMap<const normalforms::Contract *, llvm::SmallVector<Settled, 0>>
      settled;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CONTRACTINSTANCES_H
