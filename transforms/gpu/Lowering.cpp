//===- Lowering.cpp - From a mapped payload to device code ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Lowering.h"

#include "embedded/lowering_nvvm.h"
#include "engine/Diagnostics.h"
#include "transforms/gpu/KernelLimits.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;

StringRef formwork::transforms::getShippedLowering() {
  return embedded::lowering_nvvm;
}

OwningOpRef<ModuleOp> formwork::transforms::loadLowering(MLIRContext *context,
                                                         StringRef path) {
  ParserConfig config(context);
  OwningOpRef<ModuleOp> module =
      path.empty() ? parseSourceString<ModuleOp>(getShippedLowering(), config,
                                                 "<shipped lowering>")
                   : parseSourceFile<ModuleOp>(path, config);
  if (!module)
    return nullptr;
  for (StringRef name : {outlineSequenceName, lowerSequenceName})
    if (!module->lookupSymbol<transform::NamedSequenceOp>(name)) {
      (void)emitFinding(Finding(
          module->getLoc(), "fw-lowering-sequence",
          llvm::formatv("a lowering requires a named sequence @{0}", name)
              .str()));
      return nullptr;
    }
  return module;
}

static LogicalResult runSequence(ModuleOp payload, ModuleOp lowering,
                                 StringRef name) {
  return transform::applyTransformNamedSequence(
      payload, lowering.lookupSymbol<transform::NamedSequenceOp>(name),
      ModuleOp(), transform::TransformOptions().enableExpensiveChecks(true));
}

static void attachTarget(ModuleOp module, const verifier::Target &target) {
  MLIRContext *context = module.getContext();
  auto attr =
      NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3, "nvptx64-nvidia-cuda",
                                target.name, ("+" + target.ptxFeature).str());
  module.walk([&](gpu::GPUModuleOp kernels) {
    kernels.setTargetsAttr(ArrayAttr::get(context, {attr}));
  });
}

/// Reports the first operation in each kernel that is not LLVM or NVVM: the
/// translation to LLVM IR would fail on it, without its place.
static LogicalResult checkLeftovers(ModuleOp module) {
  engine::Findings findings;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    kernels.walk([&](Operation *op) {
      if (op == kernels ||
          isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(
              op->getDialect()))
        return WalkResult::advance();
      findings.add(
          Finding(op->getLoc(), "fw-lowering-leftover",
                  llvm::formatv(
                      "a lowered kernel requires LLVM and NVVM operations but "
                      "has '{0}'",
                      op->getName())
                      .str()));
      return WalkResult::interrupt();
    });
  bool failed = findings.hasErrors();
  findings.emit();
  return failure(failed);
}

LogicalResult
formwork::transforms::lowerToDevice(ModuleOp module, ModuleOp lowering,
                                    const verifier::Target &target) {
  if (failed(runSequence(module, lowering, outlineSequenceName)) ||
      failed(checkKernelLimits(module, target)))
    return failure();
  attachTarget(module, target);
  if (failed(runSequence(module, lowering, lowerSequenceName)))
    return failure();
  return checkLeftovers(module);
}
