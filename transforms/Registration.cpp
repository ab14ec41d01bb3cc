//===- Registration.cpp - Registers what Formwork adds to MLIR --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/Registration.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/check/Passes.h"
#include "transforms/gpu/Passes.h"
#include "transforms/strategies/Passes.h"
#include "verifier/models/OwnModels.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void formwork::registerFormwork(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerFormworkDialects(registry);
}

void formwork::registerFormworkDialects(DialectRegistry &registry) {
  transforms::registerFormworkExtensions(registry);
  // None yet: plugins that have models are compared with these.
  verifier::registerModels(registry, [](verifier::OwnModels &) {});
}

void formwork::registerFormworkPasses() {
  registerAllPasses();
  registerFormworkOwnPasses();
}

void formwork::registerFormworkOwnPasses() {
  transforms::registerFormworkCheckPasses();
  transforms::registerFormworkGPUPasses();
  transforms::registerFormworkStrategiesPasses();
}
