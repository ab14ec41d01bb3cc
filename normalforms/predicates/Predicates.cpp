//===- Predicates.cpp - Registration of the predicates ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"

#include "normalforms/IR/NormalFormOps.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace formwork::normalforms;

void formwork::normalforms::registerNormalForms(DialectRegistry &registry) {
  registry.insert<NormalFormDialect>();
  registry.addExtension(+[](MLIRContext *, NormalFormDialect *dialect) {
    registerTensorPredicates(*dialect);
    registerLoopPredicates(*dialect);
    registerVectorPredicates(*dialect);
    registerBufferPredicates(*dialect);
    registerGPUPredicates(*dialect);
    registerLLVMPredicates(*dialect);
  });
}
