//===- Reference.cpp - The payload compiled without its schedule ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Reference.h"

#include "engine/Check.h"
#include "transforms/program/ReferenceHeap.h"
#include "transforms/program/ToLLVM.h"
#include "transforms/sums/WidenSum.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::transforms;

/// Leaves `entry` as the only public function of `module`, and no schedule.
static void keepEntryOnly(ModuleOp module, func::FuncOp entry) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (isa_and_nonnull<transform::TransformDialect>(op.getDialect()) ||
        isa<ModuleOp>(op))
      op.erase();
    else if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      if (&op != entry)
        symbol.setVisibility(SymbolTable::Visibility::Private);
  }
}

/// Takes apart the structured operations that have no loops of their own, or
/// that MLIR does not bufferize right.
static LogicalResult decomposeAggregates(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op))
      return LogicalResult(linalg::lowerPack(rewriter, pack));
    if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      return LogicalResult(linalg::lowerUnPack(rewriter, unpack));
    if (auto filter = dyn_cast<linalg::WinogradFilterTransformOp>(op))
      return LogicalResult(
          linalg::decomposeWinogradFilterTransformOp(rewriter, filter));
    if (auto input = dyn_cast<linalg::WinogradInputTransformOp>(op))
      return LogicalResult(
          linalg::decomposeWinogradInputTransformOp(rewriter, input));
    if (auto output = dyn_cast<linalg::WinogradOutputTransformOp>(op))
      return LogicalResult(
          linalg::decomposeWinogradOutputTransformOp(rewriter, output));
    // The body of a map may read its destination, which MLIR's bufferization
    // does not expect (llvm-project issue 213241).
    if (auto map = dyn_cast<linalg::MapOp>(op))
      return LogicalResult(linalg::generalizeNamedOp(rewriter, map));
    auto aggregate = dyn_cast<linalg::AggregatedOpInterface>(op);
    if (!aggregate)
      return WalkResult::advance();
    FailureOr<SmallVector<Value>> values =
        aggregate.decomposeOperation(rewriter);
    if (failed(values))
      return WalkResult::interrupt();
    rewriter.replaceOp(op, *values);
    return WalkResult::skip();
  });
  return failure(result.wasInterrupted());
}

/// Sums of f16 and bf16 on tensors are made in f32.
static void widenSums(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::LinalgOp> narrow;
  module.walk([&](linalg::LinalgOp op) {
    if (!sums::checkNarrowSum(op))
      narrow.push_back(op);
  });
  for (linalg::LinalgOp op : narrow)
    sums::widenSum(rewriter, op);
}

static LogicalResult bufferize(ModuleOp module, StringRef entry) {
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  PassManager passes(module.getContext());
  passes.addPass(createSymbolDCEPass());
  passes.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  passes.addPass(bufferization::createOneShotBufferizePass(options));
  if (failed(passes.run(module)))
    return failure();

  // Callees may return buffers of any shape; only the entry has a convention.
  bufferization::BufferResultsToOutParamsOpts outs;
  outs.hoistStaticAllocs = true;
  outs.modifyPublicFunctions = true;
  outs.filterFn = [&](func::FuncOp *function) {
    return function->getSymName() == entry;
  };
  if (failed(bufferization::promoteBufferResultsToOutParams(module, outs)))
    return failure();

  // A loop is all that a copy needs; MLIR's own lowering calls its runtime.
  OpBuilder builder(module.getContext());
  module.walk([&](memref::CopyOp copy) {
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      return;
    builder.setInsertionPoint(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    copy.erase();
  });
  return success();
}

LogicalResult formwork::transforms::lowerBuffers(ModuleOp module) {
  placeAssertions(module);
  PassManager passes(module.getContext());
  passes.addPass(createConvertLinalgToLoopsPass());
  addScalarLowering(passes);
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

LogicalResult formwork::transforms::bufferizeForHost(ModuleOp module,
                                                     StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  FW_CHECK(function, "the entry was looked up before");
  keepEntryOnly(module, function);
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    UnitAttr::get(module.getContext()));
  if (failed(decomposeAggregates(module)))
    return failure();
  return bufferize(module, entry);
}

FailureOr<OwningOpRef<ModuleOp>>
formwork::transforms::lowerReference(ModuleOp payload, StringRef entry) {
  OwningOpRef<ModuleOp> module = payload.clone();
  auto function = module->lookupSymbol<func::FuncOp>(entry);
  FW_CHECK(function, "the entry was looked up before");
  Finding finding(function.getLoc(), "fw-reference-unsupported",
                  llvm::formatv("requires a payload that compiles without its "
                                "schedule as reference but '{0}' does not",
                                entry));
  if (failed(runWithOneError(std::move(finding), [&]() -> LogicalResult {
        // A softmax is a sum, too.
        if (failed(decomposeAggregates(*module)))
          return failure();
        widenSums(*module);
        return success(succeeded(bufferizeForHost(*module, entry)) &&
                       succeeded(lowerBuffers(*module)));
      })))
    return failure();
  if (failed(verifyLowered(*module, "fw-reference-unsupported",
                           "a payload, as reference,")))
    return failure();
  addTrampoline(*module, entry, referenceTrampoline);
  addReferenceHeap(*module, referenceTrampoline);
  return module;
}

/// Lets `entry` store the sizes of its results instead of returning them.
static void returnShapes(func::FuncOp entry) {
  OpBuilder builder(entry.getContext());
  int64_t numSizes = 0;
  for (Type type : entry.getResultTypes())
    numSizes += cast<ShapedType>(type).getRank();
  auto type = MemRefType::get({numSizes}, builder.getIndexType());
  (void)entry.insertArgument(entry.getNumArguments(), type, {}, entry.getLoc());
  Value to = entry.getArguments().back();
  entry.walk([&](func::ReturnOp end) {
    builder.setInsertionPoint(end);
    Location loc = end.getLoc();
    int64_t next = 0;
    auto store = [&](OpFoldResult size) {
      memref::StoreOp::create(
          builder, loc, getValueOrCreateConstantIndexOp(builder, loc, size), to,
          ValueRange(arith::ConstantIndexOp::create(builder, loc, next++)));
    };
    for (Value result : end.getOperands())
      for (OpFoldResult size :
           isa<MemRefType>(result.getType())
               ? memref::getMixedSizes(builder, loc, result)
               : tensor::getMixedSizes(builder, loc, result))
        store(size);
    end->setOperands({});
  });
  entry.setFunctionType(
      builder.getFunctionType(entry.getFunctionType().getInputs(), {}));
  entry.removeResAttrsAttr();
}

FailureOr<OwningOpRef<ModuleOp>>
formwork::transforms::lowerShapes(ModuleOp payload, StringRef entry) {
  OwningOpRef<ModuleOp> module = payload.clone();
  auto function = module->lookupSymbol<func::FuncOp>(entry);
  FW_CHECK(function, "the entry was looked up before");
  returnShapes(function);
  // Most sizes are those of arguments, and nothing else is computed then.
  PassManager passes(module->getContext());
  passes.addPass(memref::createResolveShapedTypeResultDimsPass());
  passes.addPass(createCanonicalizerPass());
  if (failed(passes.run(*module)))
    return failure();
  return lowerReference(*module, entry);
}
