//===- ContractInstances.h - Contracts with decided conditions --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contracts with their conditions decided. All steps whose conditions have the
// same answers share one contract. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACTINSTANCES_H
#define FORMWORK_NORMALFORMS_CONTRACTINSTANCES_H

#include "normalforms/Contract.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>
#include <mutex>

namespace formwork::normalforms {

/// Settles contracts, which must outlive this object. The results live as long
/// as this object. Thread-safe.
class ContractInstances {
public:
  /// Like Contract::settle. Cost: one call of it for each distinct set of
  /// answers.
  const Contract &get(const Contract &contract,
                      const Contract::Answers &answers) {
    if (answers.empty())
      return contract;
    std::lock_guard<std::mutex> lock(mutex);
    auto &known = settled[&contract];
    auto it = llvm::find_if(
        known, [&](const Settled &one) { return one.answers == answers; });
    if (it != known.end())
      return *it->contract;
    known.push_back(
        {answers, std::make_unique<Contract>(contract.settle(answers))});
    return *known.back().contract;
  }

private:
  struct Settled {
    Contract::Answers answers;
    std::unique_ptr<Contract> contract;
  };
  std::mutex mutex;
  llvm::DenseMap<const Contract *, llvm::SmallVector<Settled, 0>> settled;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACTINSTANCES_H
