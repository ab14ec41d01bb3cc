//===- CopiedOp.cpp - A payload op by itself --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/CopiedOp.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace formwork::normalforms;

CopiedOp::CopiedOp(Operation *original, bool inFunction)
    : scratch(ModuleOp::create(original->getLoc())) {
  OpBuilder builder = OpBuilder::atBlockEnd(scratch->getBody());
  llvm::SetVector<Value> used(original->operand_begin(),
                              original->operand_end());
  getUsedValuesDefinedAbove(original->getRegions(), used);
  IRMapping mapping;
  if (inFunction && original->getParentOfType<func::FuncOp>()) {
    Location loc = original->getLoc();
    auto function = func::FuncOp::create(builder, loc, "alone",
                                         builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    for (Value value : used)
      if (isa<BlockArgument>(value)) {
        (void)function.insertArgument(function.getNumArguments(),
                                      value.getType(), {}, loc);
        mapping.map(value, function.getArguments().back());
      }
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(&function.front());
  }
  for (Value value : used) {
    if (mapping.contains(value))
      continue;
    Operation *maker = value.getDefiningOp();
    if (maker && maker->hasTrait<OpTrait::ConstantLike>()) {
      builder.clone(*maker, mapping);
      continue;
    }
    auto cast = UnrealizedConversionCastOp::create(
        builder, original->getLoc(), value.getType(), ValueRange());
    mapping.map(value, cast.getResult(0));
  }
  copy = builder.clone(*original, mapping);
}

CopiedOp::CopiedOp(Operation *original, ArrayRef<Type> types)
    : CopiedOp(original) {
  OpBuilder builder(copy);
  for (auto [operand, type] : llvm::zip_equal(copy->getOpOperands(), types)) {
    if (operand.get().getType() == type)
      continue;
    auto cast = UnrealizedConversionCastOp::create(builder, copy->getLoc(),
                                                   type, ValueRange());
    operand.set(cast.getResult(0));
  }
  auto structured = cast<DestinationStyleOpInterface>(copy);
  for (OpResult result : copy->getResults())
    result.setType(structured.getTiedOpOperand(result)->get().getType());
}

bool CopiedOp::allows(llvm::function_ref<bool(Operation *)> rewrite) {
  ScopedDiagnosticHandler quiet(copy->getContext(), [](Diagnostic &) {});
  return rewrite(copy) && succeeded(verify(*scratch));
}
