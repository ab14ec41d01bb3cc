//===- Rephrasing.cpp - Payload ops said in another way ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites copies of payload ops, once each. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Rephrasing.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

Rephrasing Rephrasings::get(Operation *op, StringRef name, Rewrite rewrite) {
  auto [it, isNew] =
      all.try_emplace({op, StringAttr::get(op->getContext(), name)});
  Owned &owned = it->second;
  if (!isNew)
    return owned.rephrasing;
  owned.copy = std::make_unique<CopiedOp>(op);
  SmallVector<Value> operands(owned.copy->get()->getOperands());
  Operation *made = nullptr;
  bool isValid = owned.copy->allows([&](Operation *copy) {
    made = rewrite(copy);
    return made != nullptr;
  });
  if (isValid)
    owned.rephrasing = {made, llvm::equal(made->getOperands(), operands)};
  return owned.rephrasing;
}
