//===- StepEffectsTest.cpp - The memory effects of steps ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The look-ups about a step agree with upstream.
//
//===----------------------------------------------------------------------===//

#include "verifier/step/StepEffects.h"
#include "VerifierFixture.h"

using namespace mlir;
using namespace formwork::verifier;

namespace {
using StepEffectsTest = VerifierTest;

TEST_F(StepEffectsTest, AreThoseOfUpstream) {
  ModuleOp module = parse(R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @elsewhere(
      !transform.any_op {transform.readonly}, !transform.any_op {transform.consumed})
  transform.named_sequence @take(
      %a: !transform.any_op {transform.consumed}, %n: !transform.param<i64> {transform.readonly},
      %b: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %t, %l = transform.structured.tile_using_for %a tile_sizes [%n]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield %t : !transform.any_op
  }
  transform.named_sequence @look(%a: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %b = transform.merge_handles deduplicate %a, %a : !transform.any_op
    %n = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.include @look failures(propagate) (%a) : (!transform.any_op) -> ()
    %t = transform.include @take failures(suppress) (%a, %n, %b)
        : (!transform.any_op, !transform.param<i64>, !transform.any_op) -> !transform.any_op
    transform.include @elsewhere failures(propagate) (%m, %t) : (!transform.any_op, !transform.any_op) -> ()
    transform.foreach %b : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.annotate %one "seen" : !transform.any_op
    }
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }
})");
  SymbolTableCollection symbols;
  StepEffects effects(symbols);
  unsigned numConsumed = 0, numModifying = 0;
  module->walk([&](transform::TransformOpInterface step) {
    Operation *op = step;
    EXPECT_TRUE(effects.isStep(op));
    EXPECT_EQ(effects.modifiesPayload(op), transform::doesModifyPayload(step));
    EXPECT_EQ(effects.allowsRepeatedHandles(op),
              step.allowsRepeatedHandleOperands());
    numModifying += effects.modifiesPayload(op);
    for (Value operand : op->getOperands()) {
      EXPECT_EQ(effects.consumes(op, operand),
                transform::isHandleConsumed(operand, step))
          << op->getName().getStringRef().str();
      numConsumed += effects.consumes(op, operand);
    }
  });
  // Counts those of the tiling and of two includes; these two, the third, the
  // tiling, the annotation, what is around it, and CSE.
  EXPECT_EQ(numConsumed, 3u);
  EXPECT_EQ(numModifying, 7u);
}

TEST_F(StepEffectsTest, OfWhatIsNoStepThereAreNone) {
  ModuleOp module = parse("func.func @f() { return }");
  SymbolTableCollection symbols;
  StepEffects effects(symbols);
  EXPECT_FALSE(effects.isStep(module));
  EXPECT_FALSE(effects.modifiesPayload(module));
}
} // namespace
