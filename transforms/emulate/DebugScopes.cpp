//===- DebugScopes.cpp - Places of code that is compiled --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/DebugScopes.h"

#include "engine/SourcePlace.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

LogicalResult formwork::transforms::emulate::addDebugScopes(ModuleOp module) {
  module.walk([](Operation *op) {
    Location loc = op->getLoc();
    if (!loc->findInstanceOf<CallSiteLoc>())
      return;
    if (FileLineColLoc place = engine::findSourcePlace(loc))
      op->setLoc(place);
    else
      op->setLoc(UnknownLoc::get(op->getContext()));
  });
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  return passes.run(module);
}
