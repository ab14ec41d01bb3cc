//===- InstrumentTest.cpp - Observers and inlined includes ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/Instrument.h"
#include "test/unit/verifier/VerifierFixture.h"
#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

namespace {
class InstrumentTest : public verifier::VerifierTest {
protected:
  InstrumentTest() {
    DialectRegistry registry;
    registerFormworkExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  verifier::ScheduleModel getModel(StringRef text) {
    auto model = verifier::ScheduleModel::create(parse(text));
    EXPECT_TRUE(succeeded(model));
    return *model;
  }
};

constexpr StringRef nested = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @inner(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %b = transform.cast %a : !transform.any_op to !transform.any_op
    transform.yield %b : !transform.any_op
  }
  transform.named_sequence @outer(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %b = transform.include @inner failures(propagate) (%a) : (!transform.any_op) -> !transform.any_op
    %c = transform.include @inner failures(suppress) (%b) : (!transform.any_op) -> !transform.any_op
    transform.yield %c : !transform.any_op
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %x = transform.include @outer failures(propagate) (%module) : (!transform.any_op) -> !transform.any_op
    transform.foreach %x : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %y = transform.cast %op : !transform.any_op to !transform.any_op
    }
    transform.alternatives %x : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %z = transform.cast %op : !transform.any_op to !transform.any_op
    }
    transform.yield
  }
})";

TEST_F(InstrumentTest, EachStepHasOneObserver) {
  verifier::ScheduleModel model = getModel(nested);
  InstrumentedSchedule instrumented(model);
  EXPECT_TRUE(succeeded(verify(instrumented.getModule())));
  unsigned includes = 0, observers = 0;
  instrumented.getEntry()->walk([&](Operation *op) {
    includes += isa<transform::IncludeOp>(op);
    observers += isa<transform::ObserveOp>(op);
  });
  EXPECT_EQ(includes, 0u);
  // Behind two casts, two inner includes, the outer one, the cast in the loop,
  // the loop, the cast in the alternative, that; and where the loop begins.
  EXPECT_EQ(observers, 10u);
  EXPECT_EQ(instrumented.getSteps().size(), 10u);
  for (auto [i, step] : llvm::enumerate(instrumented.getSteps())) {
    EXPECT_EQ(cast<transform::ObserveOp>(step.observer).getStep(), i);
    if (!step.entersLoop)
      EXPECT_EQ(instrumented.lookup(step.path, step.op),
                static_cast<int64_t>(i));
  }
}

TEST_F(InstrumentTest, VisibleValuesFollowTheCalls) {
  verifier::ScheduleModel model = getModel(nested);
  InstrumentedSchedule instrumented(model);
  std::vector<size_t> visible;
  for (const ObservedStep &step : instrumented.getSteps())
    visible.push_back(instrumented.getVisible(step).size());
  // Inside of @inner: %b, %a, outer's %a, main's %module. Behind the first
  // include, outer's %b instead of inner's values; and so on. What is outside
  // of an alternative does not count in it.
  EXPECT_EQ(visible, (std::vector<size_t>{4, 3, 5, 4, 2, 3, 4, 2, 2, 2}));
}

TEST_F(InstrumentTest, WithoutObserversOnlyIncludesGo) {
  verifier::ScheduleModel model = getModel(nested);
  InstrumentedSchedule instrumented(model, Observe::Nothing);
  EXPECT_TRUE(succeeded(verify(instrumented.getModule())));
  instrumented.getEntry()->walk([&](Operation *op) {
    EXPECT_FALSE((isa<transform::IncludeOp, transform::ObserveOp>(op)));
  });
}

constexpr StringRef matching = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_func(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %a ["func.func"] : !transform.any_op
    transform.yield %a : !transform.any_op
  }
  transform.named_sequence @mark(%a: !transform.any_op {transform.readonly}) {
    %b = transform.cast %a : !transform.any_op to !transform.any_op
    transform.annotate %b "seen" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %x = transform.foreach_match in %module @is_func -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
})";

TEST_F(InstrumentTest, AroundObservesWhatIsCalled) {
  verifier::ScheduleModel model = getModel(matching);
  InstrumentedSchedule instrumented(model, Observe::Around);
  EXPECT_TRUE(succeeded(verify(instrumented.getModule())));
  // In front of the loop over matches, the cast and the mark, and behind each.
  unsigned observers = 0;
  instrumented.getModule()->walk([&](transform::ObserveOp) { ++observers; });
  EXPECT_EQ(observers, 6u);
  std::vector<size_t> visible;
  for (const ObservedStep &step : instrumented.getSteps()) {
    ASSERT_TRUE(step.clone);
    EXPECT_EQ(step.clone->getName(), step.op->getName());
    EXPECT_EQ(step.observer->getPrevNode(), step.clone);
    visible.push_back(instrumented.getVisible(step).size());
  }
  // %module and %x; %a and %b, twice.
  EXPECT_EQ(visible, (std::vector<size_t>{2, 2, 2}));
}
} // namespace
