//===- Enablers.cpp - Which steps only prepare others -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Enablers.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork::normalforms;

SmallVector<Operation *>
formwork::verifier::getEnablers(Operation *schedule,
                                const ContractLibrary &contracts) {
  SmallVector<Operation *> enablers;
  schedule->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isEnabler(op, contracts))
      enablers.push_back(op);
  });
  return enablers;
}

unsigned formwork::verifier::countSteps(Operation *schedule) {
  unsigned count = 0;
  schedule->walk([&](Operation *op) {
    count += isa<transform::TransformOpInterface>(op) &&
             !isa<transform::NamedSequenceOp>(op) &&
             !op->hasTrait<OpTrait::IsTerminator>();
  });
  return count;
}
