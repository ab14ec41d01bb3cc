//===- CheckTest.cpp - Schedules that the verifier must judge ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckFixture.h"

#include "gmock/gmock.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

//===----------------------------------------------------------------------===//
// The example
//===----------------------------------------------------------------------===//

TEST_F(CheckTest, ExampleLacksOnlyForms) {
  CheckResult result = check(getBatchMatmulSchedule(), getBatchMatmul());
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-missing-form"));
  // The sizes of all tiles are static, so that nothing is required.
  EXPECT_EQ(result.verdict.kind, Verdict::Proved);
  EXPECT_EQ(result.numOps, 13u);
}

TEST_F(CheckTest, RequiredFormIsAnErrorWhenNothingIsInserted) {
  CheckOptions options;
  options.requireForms = true;
  CheckResult result = check(makeSchedule(R"(
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %module : (!transform.any_op) -> !transform.any_op
    %columns, %product = transform.structured.convert_conv2d_to_img2col %conv : (!transform.any_op) -> (!transform.any_op, !transform.any_op))"),
                             "", options);
  EXPECT_THAT(getErrors(result), ElementsAre("fw-missing-form"));
  EXPECT_THAT(
      getNotes(find(result, "fw-missing-form"), engine::NoteKind::FixIt),
      Contains(HasSubstr("to @linalg.static : !transform.any_op")));
}

TEST_F(CheckTest, WantedFormIsNoErrorEvenThen) {
  CheckOptions options;
  options.requireForms = true;
  // Without @linalg.tiled, it may not vectorize, and does not say so.
  CheckResult result = check(getBatchMatmulSchedule(), "", options);
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(
      getNotes(find(result, "fw-missing-form"), engine::NoteKind::FixIt),
      Contains(HasSubstr("to @linalg.tiled : !transform.any_op")));
}

TEST_F(CheckTest, TilingAloneIsProved) {
  StringRef schedule = getBatchMatmulSchedule();
  std::string tiling = schedule.take_front(schedule.find("%func = ")).str() +
                       "transform.yield } }";
  CheckResult result = check(tiling, getBatchMatmul());
  EXPECT_EQ(result.verdict.kind, Verdict::Proved);
  EXPECT_TRUE(result.findings.empty());
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

TEST_F(CheckTest, UseAfterConsume) {
  CheckResult result =
      checkEdited("tile_using_forall %block_mm", "tile_using_forall %matmul");
  ASSERT_THAT(getErrors(result), Contains("fw-use-after-consume"));
  const engine::Finding &finding = find(result, "fw-use-after-consume");
  EXPECT_THAT(getNotes(finding, engine::NoteKind::Lost),
              ElementsAre("'transform.structured.tile_using_forall' consumes "
                          "this handle"));
  EXPECT_EQ(getNotes(finding, engine::NoteKind::Established).size(), 1u);
  EXPECT_EQ(getNotes(finding, engine::NoteKind::FixIt).size(), 1u);
}

TEST_F(CheckTest, UseOfLoopInsideConsumedFunction) {
  CheckResult result =
      checkEdited("    %bufferized =",
                  "    %c = transform.cast %k_loop : !transform.any_op to "
                  "!transform.any_op\n    %bufferized =");
  ASSERT_THAT(getErrors(result), ElementsAre("fw-use-after-consume"));
  EXPECT_THAT(
      getNotes(find(result, "fw-use-after-consume"), engine::NoteKind::Lost),
      ElementsAre(HasSubstr("consumes 'func.func', which contains")));
}

TEST_F(CheckTest, UseOfAlias) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match interface{LinalgOp} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c = transform.cast %b : !transform.any_op to !transform.any_op)",
                                 getBatchMatmul());
  EXPECT_THAT(getErrors(result), ElementsAre("fw-use-after-consume"));
}

TEST_F(CheckTest, DisjointPayloadStaysValid) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c = transform.cast %b : !transform.any_op to !transform.any_op)",
                                 getBatchMatmul());
  EXPECT_EQ(result.verdict.kind, Verdict::Proved);
}

TEST_F(CheckTest, WithoutPayloadAnAliasMayBeInvalidated) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match interface{LinalgOp} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c = transform.cast %b : !transform.any_op to !transform.any_op)",
                                 "");
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-use-after-consume"));
  EXPECT_THAT(find(result, "fw-use-after-consume").message,
              HasSubstr("may be invalidated on the path through"));
}

TEST_F(CheckTest, WithoutPayloadADirectUseIsStillAnError) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c = transform.cast %a : !transform.any_op to !transform.any_op)",
                                 "");
  EXPECT_THAT(getErrors(result), ElementsAre("fw-use-after-consume"));
}

TEST_F(CheckTest, ConsumptionInForeachReachesTheNextIteration) {
  CheckResult result = checkBody(R"(
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %a = transform.structured.match interface{LinalgOp} in %module : (!transform.any_op) -> !transform.any_op
    transform.foreach %a : !transform.any_op {
    ^bb0(%i: !transform.any_op):
      %v = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    })",
                                 getBatchMatmul());
  EXPECT_THAT(getErrors(result), Contains("fw-use-after-consume"));
}

TEST_F(CheckTest, ForeachOverNothingConsumesNothing) {
  CheckResult result = checkBody(R"(
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %a = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.foreach %a : !transform.any_op {
    ^bb0(%i: !transform.any_op):
      %v = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    }
    %c = transform.cast %a : !transform.any_op to !transform.any_op)",
                                 getBatchMatmul());
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-empty-match"));
}

TEST_F(CheckTest, ConsumptionInAnIncludedSequence) {
  CheckResult result = check(R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @eat(%h: !transform.any_op {transform.consumed}) {
    %t, %l = transform.structured.tile_using_for %h tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.include @eat failures(propagate) (%a) : (!transform.any_op) -> ()
    %c = transform.cast %b : !transform.any_op to !transform.any_op
    transform.yield
  }
})",
                             getBatchMatmul());
  EXPECT_THAT(getErrors(result), ElementsAre("fw-use-after-consume"));
}

TEST_F(CheckTest, SuppressedFailureIsNoError) {
  CheckResult result = checkBody(R"(
    transform.sequence %module : !transform.any_op failures(suppress) {
    ^bb0(%m: !transform.any_op):
      %a = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
      %s = transform.split_handle %a : (!transform.any_op) -> !transform.any_op
    })",
                                 getBatchMatmul());
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-hidden-failure"));
  EXPECT_EQ(result.verdict.kind, Verdict::Proved);
}

TEST_F(CheckTest, EmptyMatchIsAWarning) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op)",
                                 getBatchMatmul());
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-empty-match"));
  EXPECT_EQ(result.verdict.kind, Verdict::Proved);
}

TEST_F(CheckTest, WrongSplitCount) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match interface{LinalgOp} in %module : (!transform.any_op) -> !transform.any_op
    %s:3 = transform.split_handle %a : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op))",
                                 getBatchMatmul());
  EXPECT_THAT(getErrors(result), ElementsAre("fw-cardinality"));
  EXPECT_THAT(getNotes(find(result, "fw-cardinality"), engine::NoteKind::FixIt),
              ElementsAre("split into 2 results"));
}

TEST_F(CheckTest, PassWithoutContractIsNamed) {
  CheckResult result = checkBody(R"(
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "affine-simplify-structures" to %f : (!transform.any_op) -> !transform.any_op)",
                                 getBatchMatmul());
  EXPECT_THAT(result.withoutContract,
              ElementsAre("pass:affine-simplify-structures"));
}

// A step that runs code that no contract describes may do anything.
TEST_F(CheckTest, PatternsOfItsOwn) {
  CheckResult result = checkBody(R"(
    transform.with_pdl_patterns %module : !transform.any_op {
    ^bb0(%root: !transform.any_op):
      transform.sequence %root : !transform.any_op failures(propagate) {
      ^bb1(%inner: !transform.any_op):
      }
    })",
                                 getBatchMatmul());
  EXPECT_TRUE(result.withoutContract.empty());
  EXPECT_EQ(result.verdict.kind, Verdict::Unknown);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(CheckTest, WorkgroupMemory) {
  constexpr StringLiteral payload = R"(
func.func @f(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
})";
  std::string schedule = makeSchedule(R"(
    %a = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %a tile_sizes [128, 128, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p = transform.structured.promote %t {operands_to_promote = [0, 1], mapping = [#gpu.memory_space<workgroup>]} : (!transform.any_op) -> !transform.any_op)");
  CheckOptions options;
  options.target = lookupTarget("sm_90");
  CheckResult result = check(schedule, payload, options);
  ASSERT_THAT(getErrors(result), ElementsAre("fw-workgroup-memory"));
  const engine::Finding &finding = find(result, "fw-workgroup-memory");
  EXPECT_THAT(finding.message,
              HasSubstr("requires at most 49152 bytes of workgroup memory per "
                        "block on sm_90 but the schedule has 65536"));
  EXPECT_THAT(getNotes(finding, engine::NoteKind::Evidence),
              ElementsAre("32768 bytes for operand #0 of 'linalg.matmul'",
                          "32768 bytes for operand #1 of 'linalg.matmul'"));
  EXPECT_THAT(getErrors(check(replaced(schedule, "128, 128, 64", "64, 64, 64"),
                              payload, options)),
              IsEmpty());
}

//===----------------------------------------------------------------------===//
// Staging through workgroup memory
//===----------------------------------------------------------------------===//

TEST_F(CheckTest, StagedExampleLacksOnlyForms) {
  CheckOptions options;
  options.target = lookupTarget("sm_90");
  CheckResult result =
      check(makeSchedule(getStagedMatmulBody()), getStagedMatmul(), options);
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-missing-form"));
}

TEST_F(CheckTest, PadsAreAsManyAsTheOperandsThatNeedOne) {
  EXPECT_THAT(getErrors(check(replaced(makeSchedule(getStagedMatmulBody()),
                                       "nofold_flags = [1, 1, 0]",
                                       "nofold_flags = [1, 1, 1]"),
                              getStagedMatmul())),
              Contains("fw-cardinality"));
  // A multiple that does not divide pads the accumulator, too.
  EXPECT_THAT(getErrors(check(replaced(makeSchedule(getStagedMatmulBody()),
                                       "pad %step {",
                                       "pad %step pad_to_multiple_of [3, "
                                       "1, 1] {"),
                              getStagedMatmul())),
              Contains("fw-cardinality"));
}

TEST_F(CheckTest, StagedBuffersShareOneKernel) {
  CheckOptions options;
  options.target = lookupTarget("sm_90");
  std::string payload = getStagedMatmul().str();
  std::string schedule = makeSchedule(getStagedMatmulBody());
  for (auto [from, to] : {std::pair("<128x96x", "<1280x1024x"),
                          std::pair("<128x64x", "<1280x640x"),
                          std::pair("<64x96x", "<640x1024x")})
    while (StringRef(payload).contains(from))
      payload = replaced(payload, from, to);
  schedule = replaced(schedule, "[32, 32]", "[128, 128]");
  schedule = replaced(schedule, "[0, 0, 16]", "[0, 0, 64]");
  CheckResult result = check(schedule, payload, options);
  ASSERT_THAT(getErrors(result), Contains("fw-workgroup-memory"));
  EXPECT_THAT(
      getNotes(find(result, "fw-workgroup-memory"), engine::NoteKind::Evidence),
      ElementsAre("32768 bytes for the result of 'linalg.copy'",
                  "32768 bytes for the result of 'linalg.copy'"));
}

TEST_F(CheckTest, ConsumptionBehindASuppressedFailureIsUnsure) {
  CheckResult result = checkBody(
      R"(
    %f = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.sequence %module : !transform.any_op failures(suppress) {
    ^bb0(%z: !transform.any_op):
      %q = transform.structured.match ops{["linalg.fill"]} in %z : (!transform.any_op) -> !transform.any_op
      %a, %b = transform.split_handle %q : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.structured.vectorize %a : !transform.any_op
    }
    transform.structured.vectorize %f : !transform.any_op)",
      getBatchMatmul());
  EXPECT_THAT(getErrors(result), IsEmpty());
}

TEST_F(CheckTest, BufferOfADestinationHidesItsProducer) {
  std::string body = getStagedMatmulBody().str();
  body = replaced(body, "%block_matmul, %blocks =",
                  "%b:2 = transform.structured.bufferize_to_allocation %matmul "
                  "{bufferize_destination_only} : !transform.any_op\n"
                  "%block_matmul, %blocks =");
  EXPECT_NE(check(makeSchedule(body), getStagedMatmul()).verdict.kind,
            Verdict::Proved);
}

} // namespace
