//===- ReplayTest.cpp - Steps that are tried where they stand ---*- C++ -*-===//
//--------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers go on from each other: each step runs once.
//
//===----------------------------------------------------------------------===//

#include "verifier/trials/Replay.h"
#include "VerifierFixture.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::verifier;

namespace {
class ReplayTest : public VerifierTest {
protected:
  /// Takes `body` for the steps on @f and @g.
  void begin(StringRef body, const solver::Deadline &deadline = std::nullopt) {
    payload = parse(getLoopAndFunction());
    ModuleOp schedule = parse(makeSchedule(body));
    Block &block = (*schedule.getOps<transform::NamedSequenceOp>().begin())
                       .getBody()
                       .front();
    for (Operation &op : block)
      steps.push_back(&op);
    session.emplace(&block, payload, deadline);
  }

  ModuleOp payload;
  SmallVector<Operation *> steps;
  std::optional<ReplaySession> session;
};

/// Step 6 fails.
constexpr StringLiteral kSteps = R"(
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.annotate %func "once" : !transform.any_op
    %seen = transform.structured.match attributes {once} in %module : (!transform.any_op) -> !transform.any_op
    %f, %g = transform.split_handle %seen : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %f "split" : !transform.any_op
    %found = transform.structured.match attributes {split} in %module : (!transform.any_op) -> !transform.any_op
    %h, %i, %k = transform.split_handle %seen : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %func "never" : !transform.any_op
)";

TEST_F(ReplayTest, GoesOnFromTheStepBefore) {
  begin(kSteps);
  for (unsigned step : {0, 1, 3}) {
    Replay replay = session->replayTo(steps[step]);
    EXPECT_EQ(replay.unknown, "") << step;
    EXPECT_FALSE(replay.failure) << step;
  }
  EXPECT_FALSE(payload
                   ->walk([](Operation *op) {
                     return op->hasAttr("once") ? WalkResult::interrupt()
                                                : WalkResult::advance();
                   })
                   .wasInterrupted());
}

TEST_F(ReplayTest, BeginsAnewForAnEarlierStep) {
  begin(kSteps);
  EXPECT_EQ(session->replayTo(steps[3]).unknown, "");
  EXPECT_EQ(session->replayTo(steps[1]).unknown, "");
  EXPECT_EQ(session->replayTo(steps[1]).unknown, "");
  EXPECT_EQ(session->replayTo(steps[3]).unknown, "");
}

TEST_F(ReplayTest, NothingIsKnownBehindAFailure) {
  begin(kSteps);
  Replay failing = session->replayTo(steps[6]);
  ASSERT_TRUE(failing.failure);
  EXPECT_TRUE(failing.isSilenceable);
  Replay behind = session->replayTo(steps[7]);
  EXPECT_FALSE(behind.failure);
  EXPECT_NE(behind.unknown, "");
  EXPECT_EQ(session->replayTo(steps[3]).unknown, "");
}

/// The second step of the inner sequence fails.
constexpr StringLiteral kNested = R"(
    transform.sequence %module : !transform.any_op failures(propagate) {
    ^bb0(%outer: !transform.any_op):
      transform.sequence %outer : !transform.any_op failures(propagate) {
      ^bb1(%inner: !transform.any_op):
        %func = transform.structured.match ops{["func.func"]} in %inner : (!transform.any_op) -> !transform.any_op
        %h, %i, %k = transform.split_handle %func : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
      }
    }
)";

TEST_F(ReplayTest, GoesThroughSeveralSteps) {
  begin(kNested);
  SmallVector<Operation *> way = {steps[0]};
  auto enter = [](Operation *step) {
    return &*step->getRegion(0).front().begin();
  };
  way.push_back(enter(way.back()));
  way.push_back(enter(way.back()));
  Replay first = session->replayTo(way);
  EXPECT_EQ(first.unknown, "");
  EXPECT_FALSE(first.failure);
  way.back() = way.back()->getNextNode();
  EXPECT_TRUE(session->replayTo(way).failure);
}

TEST_F(ReplayTest, NothingIsTriedBehindTheDeadline) {
  begin(kSteps, std::chrono::steady_clock::now());
  Replay late = session->replayTo(steps[0]);
  EXPECT_FALSE(late.failure);
  EXPECT_EQ(late.unknown,
            "is not tried to the end: the budget is spent, see --budget");
}

TEST_F(ReplayTest, ADeadlineToComeChangesNothing) {
  begin(kSteps, std::chrono::steady_clock::now() + std::chrono::hours(1));
  EXPECT_EQ(session->replayTo(steps[0]).unknown, "");
  EXPECT_TRUE(session->replayTo(steps[6]).failure);
}
} // namespace
