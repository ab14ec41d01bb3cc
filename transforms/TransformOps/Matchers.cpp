//===- Matchers.cpp - Sequences that match payload ------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/Matchers.h"

#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"

using namespace mlir;

bool formwork::transforms::isMatcher(transform::NamedSequenceOp sequence) {
  if (sequence.isExternal() ||
      llvm::all_of(
          sequence.getBody().front().without_terminator(),
          [](Operation &op) { return isa<transform::MatchOpInterface>(op); }))
    return true;
  Operation *schedule = sequence;
  while (Operation *parent = schedule->getParentOp())
    schedule = parent;
  auto isIt = [&](SymbolRefAttr name) {
    return name.getLeafReference() == sequence.getSymNameAttr();
  };
  return schedule
      ->walk([&](Operation *op) {
        bool names = false;
        if (auto collect = dyn_cast<transform::CollectMatchingOp>(op))
          names = isIt(collect.getMatcherAttr());
        else if (auto foreach = dyn_cast<transform::ForeachMatchOp>(op))
          names = llvm::any_of(
              foreach.getMatchers().getAsRange<SymbolRefAttr>(), isIt);
        return names ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
