//===- Lowering.cpp - From a mapped payload to device code ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Lowering.h"

#include "embedded/lowering_nvvm.h"
#include "engine/AnyBelow.h"
#include "engine/Check.h"
#include "engine/Diagnostics.h"
#include "normalforms/FormLibrary.h"
#include "transforms/gpu/KernelInstructions.h"
#include "transforms/gpu/KernelLimits.h"
#include "transforms/gpu/LoweringSequence.h"
#include "transforms/gpu/SlowKernels.h"
#include "transforms/gpu/StateAlignment.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallPtrSet.h"

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
          llvm::formatv("a lowering requires a named sequence @{0}", name)));
      return nullptr;
    }
  return module;
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

/// Reports the operations in kernels that are not LLVM or NVVM: the translation
/// to LLVM IR would fail on them, without their places.
static LogicalResult checkLeftovers(ModuleOp module) {
  const normalforms::FormLibrary *forms =
      normalforms::FormLibrary::get(module.getContext());
  if (!forms)
    return failure();
  const normalforms::Form *goal = forms->lookup("llvm.translatable");
  FW_CHECK(goal, "the built-in library declares the goal of lowering");
  engine::Findings findings;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    // An operation that violates several forms is listed once.
    llvm::SmallPtrSet<Operation *, 8> seen;
    for (const normalforms::Violation &violation :
         forms->checkPredicates(*goal, kernels))
      if (seen.insert(violation.op).second)
        findings.add(Finding(violation.op->getLoc(), "fw-lowering-leftover",
                             "a lowered kernel " + violation.message + " (" +
                                 violation.clause + ")"));
  }
  bool failed = findings.hasErrors();
  findings.emit();
  return failure(failed);
}

llvm::StringMap<llvm::BitVector>
formwork::transforms::findByValueArguments(ModuleOp payload) {
  llvm::StringMap<llvm::BitVector> byValue;
  for (auto func : payload.getOps<func::FuncOp>()) {
    llvm::BitVector &arguments = byValue[func.getSymName()];
    for (Type type : func.getArgumentTypes())
      arguments.push_back(isa<TensorType>(type));
  }
  return byValue;
}

/// Marks the arguments of `module` that were tensors, or removes the marks.
static void markByValue(ModuleOp module, const LaunchAssumptions &assumptions,
                        bool marked) {
  for (auto func : module.getOps<func::FuncOp>()) {
    auto it = assumptions.byValue.find(func.getSymName());
    if (it == assumptions.byValue.end())
      continue;
    // Arguments that the schedule or the lowering added come last.
    unsigned count =
        std::min<unsigned>(it->second.size(), func.getNumArguments());
    for (unsigned index = 0; index < count; ++index) {
      if (!it->second[index])
        continue;
      if (marked)
        func.setArgAttr(index, byValueAttrName,
                        UnitAttr::get(module.getContext()));
      else
        func.removeArgAttr(index, byValueAttrName);
    }
  }
}

/// States the alignment of buffers at the kernels' pointers: LLVM concludes
/// from it how wide an access can be, and PTX says it to who launches the
/// kernel.
static void attachAlignment(ModuleOp module, uint64_t alignment) {
  auto attr =
      IntegerAttr::get(IntegerType::get(module.getContext(), 64), alignment);
  module.walk([&](LLVM::LLVMFuncOp kernel) {
    if (!kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      return;
    for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
      if (isa<LLVM::LLVMPointerType>(type))
        kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), attr);
  });
}

/// The conversion of `gpu.dynamic_shared_memory` makes an internal variable
/// without elements, which PTX would take for a declared one of a byte, beside
/// others. Workgroup memory that the launch has the size of is external.
static void declareDynamicMemory(ModuleOp module) {
  module.walk([](LLVM::GlobalOp global) {
    auto type = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    if (type && type.getNumElements() == 0 &&
        global.getAddrSpace() == unsigned(NVVM::NVVMMemorySpace::Shared))
      global.setLinkage(LLVM::Linkage::External);
  });
}

/// fw-no-kernel, if no launch is left in `module`.
static LogicalResult checkLaunches(ModuleOp module, bool hadLaunch) {
  if (engine::holdsAny<gpu::LaunchFuncOp>(module))
    return success();
  engine::Finding finding(
      module.getLoc(), "fw-no-kernel",
      hadLaunch ? "compilation for a GPU requires a kernel that does something "
                  "but each gpu.launch that the schedule leaves does nothing"
                : "compilation for a GPU requires a mapped kernel but the "
                  "schedule leaves no gpu.launch");
  if (!hadLaunch)
    finding.note(engine::NoteKind::FixIt, module.getLoc(),
                 "map the outermost parallel loop with "
                 "transform.gpu.map_forall_to_blocks");
  return emitFinding(std::move(finding));
}

LogicalResult
formwork::transforms::outlineKernels(ModuleOp module, ModuleOp lowering,
                                     const verifier::Target &target,
                                     const LaunchAssumptions &assumptions) {
  bool hadLaunch = engine::holdsAny<gpu::LaunchOp, gpu::LaunchFuncOp>(module);
  markByValue(module, assumptions, /*marked=*/true);
  LogicalResult outlined =
      runLoweringSequence(module, lowering, outlineSequenceName);
  markByValue(module, assumptions, /*marked=*/false);
  if (failed(outlined) || failed(checkKernelLimits(module, target)))
    return failure();
  return assumptions.mayLackKernels ? success()
                                    : checkLaunches(module, hadLaunch);
}

LogicalResult formwork::transforms::lowerToDevice(
    ModuleOp module, ModuleOp lowering, const verifier::Target &target,
    const LaunchAssumptions &assumptions, engine::Findings *slow) {
  if (failed(outlineKernels(module, lowering, target, assumptions)))
    return failure();
  if (slow)
    findIdleThreads(module, *slow);
  approximateMath(module, assumptions.approximate);
  stateAlignment(module, assumptions.alignment);
  attachTarget(module, target);
  if (failed(runLoweringSequence(module, lowering, lowerSequenceName)))
    return failure();
  if (failed(checkLeftovers(module)))
    return failure();
  declareDynamicMemory(module);
  attachAlignment(module, assumptions.alignment);
  return checkKernelInstructions(module, target);
}
