//===- KernelInstructions.cpp - What an architecture has --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/KernelInstructions.h"

#include "engine/Diagnostics.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace formwork;
using engine::Finding;
using engine::Findings;
using verifier::Target;

static void refuse(Operation *op, const Target &target, const Twine &what,
                   const Twine &has, Findings &findings) {
  findings.add(
      Finding(op->getLoc(), "fw-target-instruction",
              what + " requires " + has + " but the target is " + target.name));
}

/// PTX's names of the elements that are multiplied, and of those that are
/// added to.
static std::pair<StringRef, StringRef> getElements(NVVM::MmaOp mma) {
  std::optional<NVVM::MMATypes> multiplied = mma.getMultiplicandAPtxType();
  if (!multiplied)
    multiplied = NVVM::MmaOp::inferOperandMMAType(
        mma.getOperandA().front().getType(), /*isAccumulator=*/false);
  std::optional<NVVM::MMATypes> added = NVVM::MmaOp::inferOperandMMAType(
      mma.getOperandC().front().getType(), /*isAccumulator=*/true);
  auto toString = [](std::optional<NVVM::MMATypes> type) {
    return type ? NVVM::stringifyMMATypes(*type) : "other elements";
  };
  return {toString(multiplied), toString(added)};
}

static void checkMma(NVVM::MmaOp mma, const Target &target,
                     Findings &findings) {
  auto shape = mma.getShape();
  auto [element, accumulator] = getElements(mma);
  std::string name =
      llvm::formatv("mma.sync {0}x{1}x{2} of {3}, added to {4},", shape.getM(),
                    shape.getN(), shape.getK(), element, accumulator);
  const verifier::MmaShape *row = verifier::lookupMmaShape(
      {shape.getM(), shape.getN(), shape.getK()}, element, accumulator);
  if (!row)
    findings.add(Finding(mma.getLoc(), "fw-target-instruction",
                         name + " requires a shape for these elements that "
                                "PTX has but it has none such"));
  else if (!row->isOn(target))
    refuse(mma, target, name,
           "sm_" + Twine(row->firstArchitecture) + " or later", findings);
}

LogicalResult
formwork::transforms::checkKernelInstructions(ModuleOp module,
                                              const Target &target) {
  Findings findings;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    kernels.walk([&](Operation *op) {
      if (auto mma = dyn_cast<NVVM::MmaOp>(op))
        return checkMma(mma, target, findings);
      StringRef name = op->getName().getStringRef();
      const verifier::Instruction *row = verifier::lookupInstruction(name);
      if (!row || row->isOn(target))
        return;
      refuse(op, target, "'" + name + "'",
             row->onlyTarget.empty()
                 ? "sm_" + Twine(row->firstArchitecture) + " or later"
                 : Twine(row->onlyTarget),
             findings);
    });
  bool failed = findings.hasErrors();
  findings.emit();
  return failure(failed);
}
