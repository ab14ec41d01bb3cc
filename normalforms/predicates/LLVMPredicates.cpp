//===- LLVMPredicates.cpp - Predicates on lowered code ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/predicates/PerOp.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace formwork::normalforms;

/// no-casts: the translation refuses an unresolved conversion cast, far from
/// the step that left it.
static void checkNoCasts(Operation *op, ViolationSink &sink) {
  if (isa<UnrealizedConversionCastOp>(op))
    sink.report(op, 1, "requires resolved conversions but has " + toText(op));
}

/// llvm-only: required by the translation to LLVM IR.
static void checkLLVMOnly(Operation *op, ViolationSink &sink) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "llvm" || dialect == "nvvm" ||
      isa<ModuleOp, gpu::GPUModuleOp>(op))
    return;
  sink.report(op, 1,
              "requires ops of the llvm and nvvm dialects but has " +
                  toText(op));
}

void formwork::normalforms::registerLLVMPredicates(NormalFormDialect &dialect) {
  dialect.registerPredicate(createPerOpPredicate(
      "no-casts", {"no builtin.unrealized_conversion_cast"}, checkNoCasts));
  dialect.registerPredicate(createPerOpPredicate(
      "llvm-only", {"no op outside of the llvm and nvvm dialects"},
      checkLLVMOnly));
}
