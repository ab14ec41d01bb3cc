//===- Translation.cpp - From a gpu.module to LLVM IR ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/DebugScopes.h"
#include "transforms/emulate/DeviceModule.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/Module.h"

namespace formwork::transforms::emulate {

llvm::Expected<std::unique_ptr<DeviceModule>>
DeviceModule::load(mlir::gpu::GPUModuleOp module, bool profile) {
  mlir::MLIRContext *context = module.getContext();
  mlir::registerBuiltinDialectTranslation(*context);
  mlir::registerGPUDialectTranslation(*context);
  mlir::registerLLVMDialectTranslation(*context);
  mlir::registerNVVMDialectTranslation(*context);

  // Locations reach LLVM IR only in functions with a debug scope, and the pass
  // that makes those looks only at the functions of a builtin module.
  mlir::OwningOpRef<mlir::ModuleOp> copy =
      mlir::ModuleOp::create(module.getLoc(), module.getName());
  copy.get()->setDiscardableAttrs(module->getDiscardableAttrDictionary());
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(copy->getBody());
  for (mlir::Operation &op : module.getBodyRegion().front())
    if (!op.hasTrait<mlir::OpTrait::IsTerminator>())
      builder.clone(op);
  if (mlir::failed(addDebugScopes(*copy)))
    return llvm::createStringError("cannot add debug scopes to '" +
                                   module.getName() + "'");

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(*copy, *llvmContext, module.getName());
  if (!translated)
    return llvm::createStringError("cannot translate '" + module.getName() +
                                   "' to LLVM IR");
  return load(std::move(llvmContext), std::move(translated), profile);
}

} // namespace formwork::transforms::emulate
