//===- counting-opt.cpp - Formwork with additions ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool that uses Formwork as it is installed, and adds a predicate for a form
// of forms.mlir and a transform operation with the contract of contracts.mlir.
//
//===----------------------------------------------------------------------===//

// First: it includes what it needs.
#include "transforms/Registration.h"

#include "normalforms/IR/NormalFormOps.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;
using namespace formwork;

#define GET_OP_CLASSES
#include "CountingOps.h.inc"
#define GET_OP_CLASSES
#include "CountingOps.cpp.inc"

void transform::CountOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::CountOp::applyToOne(TransformRewriter &, Operation *target,
                               ApplyToEachResultList &, TransformState &) {
  unsigned count = 0;
  target->walk([&](Operation *op) { count += op != target; });
  target->emitRemark("holds ") << count << " operations";
  target->setAttr("counted", Builder(target).getI64IntegerAttr(count));
  return DiagnosedSilenceableFailure::success();
}

namespace {
class CountingExtension
    : public transform::TransformDialectExtension<CountingExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountingExtension)
  using Base::Base;
  void init() {
    registerTransformOps<
#define GET_OP_LIST
#include "CountingOps.cpp.inc"
        >();
  }
};
} // namespace

/// Every function is shorter than ten operations.
static void checkLengths(Operation *anchor,
                         SmallVectorImpl<normalforms::Violation> &violations,
                         bool onlyFirst) {
  anchor->walk([&](func::FuncOp function) {
    unsigned count = 0;
    function.walk([&](Operation *op) { count += op != function; });
    if (count >= 10 && function != anchor)
      violations.push_back({function, "short-functions.c1",
                            "requires fewer than ten operations"});
  });
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerFormwork(registry);
  registerFormworkPasses();
  registry.addExtensions<CountingExtension>();
  registry.addExtension(
      +[](MLIRContext *, normalforms::NormalFormDialect *dialect) {
        dialect->registerPredicate(
            {"short-functions",
             {{"short-functions.c1", "every function has fewer than ten "
                                     "operations"}},
             checkLengths});
      });
  return asMainReturnCode(
      MlirOptMain(argc, argv, "Formwork with additions\n", registry));
}
