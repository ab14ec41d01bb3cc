//===- DebugScopes.cpp - Places of code that is compiled --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/DebugScopes.h"

#include "engine/SourcePlace.h"
#include "transforms/emulate/StepPlaces.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms::emulate;

/// Puts `op` at its own place, inlined at `step`.
static void inlineAtStep(Operation *op, FileLineColLoc step) {
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  FileLineColLoc place = engine::findSourcePlace(op->getLoc());
  auto fused = function ? dyn_cast<FusedLoc>(function.getLoc()) : FusedLoc();
  auto scope =
      fused ? dyn_cast_if_present<LLVM::DISubprogramAttr>(fused.getMetadata())
            : LLVM::DISubprogramAttr();
  if (!place || !scope)
    return;
  MLIRContext *context = op->getContext();
  auto in = [&](FileLineColLoc at, unsigned discriminator) {
    auto file = LLVM::DIFileAttr::get(context, at.getFilename().strref(), "");
    return FusedLoc::get(
        {at}, LLVM::DILexicalBlockFileAttr::get(scope, file, discriminator),
        context);
  };
  op->setLoc(CallSiteLoc::get(in(place, 0), in(step, kStepDiscriminator)));
}

LogicalResult formwork::transforms::emulate::addDebugScopes(ModuleOp module) {
  llvm::SmallVector<std::pair<Operation *, FileLineColLoc>> made;
  module.walk([&](Operation *op) {
    Location loc = op->getLoc();
    if (FileLineColLoc step = findStepPlace(loc)) {
      made.emplace_back(op, step);
      if (FileLineColLoc place = engine::findSourcePlace(loc))
        return op->setLoc(place);
    }
    if (!loc->findInstanceOf<CallSiteLoc>())
      return;
    if (FileLineColLoc place = engine::findSourcePlace(loc))
      op->setLoc(place);
    else
      op->setLoc(UnknownLoc::get(op->getContext()));
  });
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  if (failed(passes.run(module)))
    return failure();
  for (auto [op, step] : made)
    inlineAtStep(op, step);
  return success();
}
