//===- StepResultsTest.cpp - Tests of results behind each step --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/StepResults.h"

#include "transforms/Registration.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

namespace {
/// A payload, and edits of it that stand for steps.
class StepResultsTest : public ::testing::Test {
protected:
  StepResultsTest() {
    DialectRegistry registry;
    registerFormwork(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    payload = parseSourceString<ModuleOp>(R"mlir(
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    %y = memref.load %b[%i] : memref<4xf32>
    %s = arith.addf %x, %y : f32
    memref.store %s, %b[%i] : memref<4xf32>
  }
  return
})mlir",
                                          &context);
    // Any operations serve as steps: their places are what is asked for.
    steps =
        parseSourceString<ModuleOp>("module @one {} module @two {}", &context);
    for (Operation &op : steps->getBody()->getOperations())
      step.push_back(&op);
  }

  template <typename To, typename From> void replace() {
    payload->walk([](From op) {
      IRRewriter rewriter(op);
      rewriter.replaceOpWithNewOp<To>(op, op.getLhs(), op.getRhs());
    });
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> payload, steps;
  SmallVector<Operation *> step;
};
} // namespace

TEST_F(StepResultsTest, KeepsOnlyWhatChanged) {
  ASSERT_TRUE(payload);
  Snapshots snapshots(*payload);
  snapshots.take(step[0], *payload);
  EXPECT_EQ(snapshots.get().size(), 0u);
  replace<arith::SubFOp, arith::AddFOp>();
  snapshots.take(step[1], *payload);
  snapshots.take(step[1], *payload);
  ASSERT_EQ(snapshots.get().size(), 1u);
  EXPECT_EQ(snapshots.get().front().step, step[1]);
  EXPECT_EQ(snapshots.getNumSteps(), 3u);
  EXPECT_NE(snapshots.getOriginal(), *payload);
}

TEST_F(StepResultsTest, NamesTheFirstStepThatChangesAResult) {
  ASSERT_TRUE(payload);
  Snapshots snapshots(*payload);
  payload->getOperation()->setAttr("test.mark", UnitAttr::get(&context));
  snapshots.take(step[0], *payload);
  replace<arith::SubFOp, arith::AddFOp>();
  snapshots.take(step[1], *payload);
  for (bool bisect : {false, true}) {
    StepResultOptions options;
    options.bisect = bisect;
    StepResultReport report = compareResults(snapshots, options);
    EXPECT_TRUE(report.isExact);
    ASSERT_TRUE(report.fault) << "bisect: " << bisect;
    EXPECT_EQ(report.fault->id, "fw-result-differs");
    ASSERT_TRUE(report.faulty);
    EXPECT_EQ(report.faulty->step, step[1]);
  }
}

TEST_F(StepResultsTest, SameResultsAreNoFault) {
  ASSERT_TRUE(payload);
  Snapshots snapshots(*payload);
  // The sum the other way around.
  payload->walk([](arith::AddFOp op) {
    IRRewriter rewriter(op);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getRhs(), op.getLhs());
  });
  snapshots.take(step[0], *payload);
  StepResultReport report = compareResults(snapshots, {});
  EXPECT_FALSE(report.fault);
  EXPECT_EQ(report.numExecuted, report.numSame);
  EXPECT_EQ(report.numSnapshots, snapshots.get().size());
}

TEST_F(StepResultsTest, KeepsOneSnapshotAndTheOneInFrontOfIt) {
  ASSERT_TRUE(payload);
  Snapshots snapshots(*payload);
  for (const char *mark : {"test.a", "test.b", "test.c", "test.d"}) {
    payload->getOperation()->setAttr(mark, UnitAttr::get(&context));
    snapshots.take(step[0], *payload);
  }
  EXPECT_FALSE(snapshots.keepOnly(step[1], 0));
  ASSERT_TRUE(snapshots.keepOnly(step[0], 2));
  ASSERT_EQ(snapshots.get().size(), 2u);
  EXPECT_EQ(snapshots.get().front().visit, 1u);
  EXPECT_EQ(snapshots.get().back().visit, 2u);
}

TEST_F(StepResultsTest, StepsThatAreNotExecutedMayBeToBlame) {
  ASSERT_TRUE(payload);
  Snapshots snapshots(*payload);
  payload->getOperation()->setAttr("test.mark", UnitAttr::get(&context));
  snapshots.take(step[0], *payload);
  // A call of a function without a body cannot be executed.
  OpBuilder builder = OpBuilder::atBlockBegin(payload->getBody());
  auto outside = func::FuncOp::create(builder, payload->getLoc(), "outside",
                                      builder.getFunctionType({}, {}));
  outside.setPrivate();
  auto function = payload->lookupSymbol<func::FuncOp>("f");
  builder.setInsertionPointToStart(&function.getBody().front());
  auto call =
      func::CallOp::create(builder, payload->getLoc(), outside, ValueRange());
  snapshots.take(step[1], *payload);
  payload->getOperation()->setAttr("test.other", UnitAttr::get(&context));
  snapshots.take(step[1], *payload);
  call->erase();
  replace<arith::SubFOp, arith::AddFOp>();
  snapshots.take(step[0], *payload);
  payload->getOperation()->setAttr("test.last", UnitAttr::get(&context));
  snapshots.take(step[1], *payload);
  ASSERT_EQ(snapshots.get().size(), 5u);
  for (bool bisect : {false, true}) {
    StepResultOptions options;
    options.bisect = bisect;
    StepResultReport report = compareResults(snapshots, options);
    ASSERT_TRUE(report.fault) << "bisect: " << bisect;
    ASSERT_TRUE(report.faulty);
    EXPECT_EQ(report.faulty, &snapshots.get()[3]);
    unsigned others = 0;
    for (const engine::Note &note : report.fault->notes)
      others += StringRef(note.message).starts_with("or the fault comes from");
    EXPECT_EQ(others, 2u);
  }
}

TEST_F(StepResultsTest, AKnownFaultKeepsItsId) {
  ASSERT_TRUE(payload);
  Snapshots snapshots(*payload);
  replace<arith::SubFOp, arith::AddFOp>();
  snapshots.take(step[0], *payload);
  engine::Finding known(step[0]->getLoc(), "fw-step-miscompiles", "said before",
                        DiagnosticSeverity::Warning);
  StepResultOptions options;
  options.known = known;
  StepResultReport report = compareResults(snapshots, options);
  ASSERT_TRUE(report.fault);
  EXPECT_EQ(report.fault->id, "fw-step-miscompiles");
  EXPECT_EQ(report.fault->severity, DiagnosticSeverity::Error);
}
