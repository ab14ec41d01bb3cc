//===- DropReturnedArguments.cpp - Results that are arguments ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_DROPRETURNEDARGUMENTS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

/// The results of `function` that are one and the same buffer argument at every
/// return.
static llvm::BitVector findReturnedArguments(func::FuncOp function,
                                             ArrayRef<func::ReturnOp> returns) {
  llvm::BitVector dropped(function.getNumResults());
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto argument = dyn_cast<BlockArgument>(returns.front()->getOperand(i));
    dropped[i] = argument && isa<MemRefType>(argument.getType()) &&
                 argument.getOwner() == &function.getBody().front() &&
                 llvm::all_of(returns, [&](func::ReturnOp op) {
                   return op.getOperands()[i] == argument;
                 });
  }
  return dropped;
}

namespace {
struct DropReturnedArguments
    : formwork::transforms::impl::DropReturnedArgumentsBase<
          DropReturnedArguments> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() ||
          !SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        continue;
      SmallVector<func::ReturnOp> returns(
          function.getBody().getOps<func::ReturnOp>());
      if (returns.empty())
        continue;
      llvm::BitVector dropped = findReturnedArguments(function, returns);
      if (dropped.none() || failed(function.eraseResults(dropped)))
        continue;
      for (func::ReturnOp op : returns)
        op->eraseOperands(dropped);
    }
  }
};
} // namespace
