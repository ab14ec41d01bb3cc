//===- ToLLVM.cpp - The last steps to LLVM, alike for both halves ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/ToLLVM.h"

#include "engine/Check.h"
#include "engine/SourcePlace.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace formwork::engine;

LogicalResult formwork::transforms::runWithOneError(
    Finding finding, llvm::function_ref<LogicalResult()> body) {
  SmallVector<std::pair<Location, std::string>> errors;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(
        finding.loc->getContext(), [&](Diagnostic &diag) {
          if (diag.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          errors.emplace_back(diag.getLocation(), diag.str());
          return success();
        });
    result = body();
  }
  if (succeeded(result) && errors.empty())
    return success();
  for (auto &[loc, message] : errors)
    finding.note(NoteKind::Evidence, loc, message);
  return emitFinding(std::move(finding));
}

void formwork::transforms::addScalarLowering(OpPassManager &passes) {
  // Loops over vectors first: they make memref and arith operations.
  passes.addNestedPass<func::FuncOp>(vector::createLowerVectorMaskPass());
  passes.addNestedPass<func::FuncOp>(
      vector::createLowerVectorMultiReductionPass());
  passes.addPass(createConvertVectorToSCFPass());
  passes.addPass(createSplitBitVectors());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createForallToForLoopPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(arith::createArithExpandOpsPass());
  // Integer powers; LLVM has those of floats with an integer exponent.
  ConvertMathToFuncsOptions powers;
  powers.minWidthOfFPowIExponent = 128;
  passes.addPass(createConvertMathToFuncs(powers));
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createConvertComplexToLLVMPass());
  // The other strategies take no operands of two types.
  ConvertVectorToLLVMPassOptions vectors;
  vectors.vectorContractLowering = vector::VectorContractLowering::OuterProduct;
  passes.addPass(createConvertVectorToLLVMPass(vectors));
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createUBToLLVMConversionPass());
}

void formwork::transforms::placeAssertions(ModuleOp module) {
  module.walk([](cf::AssertOp claim) {
    std::string text;
    if (FileLineColLoc place = findSourcePlace(claim.getLoc()))
      text = llvm::formatv("{0}:{1}:{2}: ", place.getFilename().strref(),
                           place.getLine(), place.getColumn());
    claim.setMsg((text + "error: " + kAssertionFails + claim.getMsg()).str());
  });
}

LogicalResult formwork::transforms::verifyLowered(ModuleOp module, StringRef id,
                                                  StringRef what) {
  Operation *leftover = nullptr;
  module.walk([&](Operation *op) {
    if (isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) ||
        isa<ModuleOp, gpu::BinaryOp, gpu::LaunchFuncOp>(op))
      return WalkResult::advance();
    leftover = op;
    return WalkResult::interrupt();
  });
  if (!leftover)
    return success();
  return emitFinding(
      Finding(leftover->getLoc(), id,
              llvm::formatv("requires {0} that lowers to LLVM completely but "
                            "'{1}' is left",
                            what, leftover->getName())));
}

void formwork::transforms::addTrampoline(ModuleOp module, StringRef function,
                                         StringRef trampoline) {
  auto callee =
      module.lookupSymbol<LLVM::LLVMFuncOp>(("_mlir_ciface_" + function).str());
  FW_CHECK(callee, "the entry function has no C interface");
  Location loc = callee.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {pointer});
  auto op = LLVM::LLVMFuncOp::create(builder, loc, trampoline, type);
  Block *body = op.addEntryBlock(builder);
  builder.setInsertionPointToEnd(body);
  SmallVector<Value> arguments;
  for (auto [i, argument] :
       llvm::enumerate(callee.getFunctionType().getParams())) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, body->getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    Value value = LLVM::LoadOp::create(builder, loc, pointer, slot);
    if (!isa<LLVM::LLVMPointerType>(argument))
      value = LLVM::LoadOp::create(builder, loc, argument, value);
    arguments.push_back(value);
  }
  LLVM::CallOp::create(builder, loc, callee, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

std::unique_ptr<llvm::Module> formwork::transforms::translateToLLVM(
    ModuleOp module, llvm::LLVMContext &context, llvm::TargetMachine &machine,
    StringRef exported) {
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, exported);
  if (!result)
    return nullptr;
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  // The payload chooses its own symbol names; none of them may meet the C
  // library's, the launcher's or another module's.
  for (llvm::GlobalValue &value : result->global_values())
    if (!value.isDeclaration() && value.getName() != exported &&
        !value.getName().starts_with("llvm."))
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
  return result;
}

SmallVector<LLVM::CallOp> formwork::transforms::collectCalls(ModuleOp module,
                                                             StringRef callee) {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() == callee)
      calls.push_back(call);
  });
  return calls;
}

void formwork::transforms::optimizeForHost(llvm::Module &module,
                                           llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}
