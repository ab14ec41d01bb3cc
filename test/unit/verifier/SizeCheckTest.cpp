//===- SizeCheckTest.cpp - Checks of tile and vector sizes ------*- C++ -*-===//
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
using ::testing::IsEmpty;

namespace {

TEST_F(CheckTest, TileThatDoesNotDivide) {
  CheckResult result =
      checkEdited("tile_sizes [1, 16, 64]", "tile_sizes [1, 16, 48]");
  EXPECT_THAT(getErrors(result), ElementsAre("fw-dynamic-shape"));
  // The warning of vectorization comes first; the error is that of the mapping.
  for (const engine::Finding &finding : result.findings.get())
    if (finding.severity == DiagnosticSeverity::Error) {
      EXPECT_THAT(getNotes(finding, engine::NoteKind::Lost),
                  ElementsAre("tile size 48 does not divide dimension 2 of "
                              "size 320, which leaves a last tile of 32"));
      EXPECT_THAT(getNotes(finding, engine::NoteKind::FixIt),
                  ElementsAre("use a tile size that divides 320: 40 or 64"));
    }
}

TEST_F(CheckTest, ReductionTileThatDoesNotDivideIsNotVectorized) {
  CheckResult result =
      checkEdited("tile_sizes [0, 0, 0, 8]", "tile_sizes [0, 0, 0, 5]");
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), Contains("fw-dynamic-shape"));
}

TEST_F(CheckTest, VectorizeNeedsStaticShapes) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %a tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %t : !transform.any_op)",
                                 getBatchMatmul());
  EXPECT_THAT(getErrors(result), ElementsAre("fw-dynamic-shape"));
}

TEST_F(CheckTest, DynamicPayload) {
  CheckResult result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %a : !transform.any_op)",
                                 R"(
func.func @f(%t: tensor<?x4xf32>, %z: f32) -> tensor<?x4xf32> {
  %0 = linalg.fill ins(%z : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
})");
  EXPECT_THAT(getErrors(result), ElementsAre("fw-dynamic-shape"));
}

TEST_F(CheckTest, ReductionTiledInParallel) {
  CheckResult result =
      checkEdited("tile_sizes [1, 16, 64]", "tile_sizes [1, 16, 0, 8]");
  EXPECT_THAT(getWarnings(result), Contains("fw-parallel-reduction"));
}

TEST_F(CheckTest, NothingTiled) {
  EXPECT_THAT(
      getErrors(checkEdited("tile_sizes [0, 4, 4]", "tile_sizes [0, 0, 0]")),
      Contains("fw-no-tiled-loop"));
}

TEST_F(CheckTest, FusedOpMustBeAProducer) {
  CheckResult result =
      checkEdited("fuse_into_containing_op %block_fill into %threads",
                  "fuse_into_containing_op %block_fill into %block_fill");
  // The op looks at both of its operands before it consumes one.
  EXPECT_THAT(getErrors(result), Contains("fw-not-a-producer"));
  result = checkBody(R"(
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %n = transform.structured.fuse_into_containing_op %b into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op))",
                     getBatchMatmul());
  EXPECT_THAT(getErrors(result), ElementsAre("fw-not-a-producer"));
}

// Upstream does not find the producer behind the loop's argument.
TEST_F(CheckTest, FusionThroughAnOuterLoopIsNotProved) {
  CheckResult result = checkBody(R"(
    %mm = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %outer = transform.structured.tile_using_for %mm tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %blocks = transform.structured.tile_using_forall %t tile_sizes [1, 16, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %n = transform.structured.fuse_into_containing_op %fill into %blocks : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op))",
                                 getBatchMatmul());
  EXPECT_EQ(result.verdict.kind, Verdict::Unknown);
}

TEST_F(CheckTest, ForallIgnoresTileSizesBeyondTheLoops) {
  CheckResult result =
      checkEdited("tile_sizes [0, 4, 4]", "tile_sizes [0, 4, 4, 0, 7]");
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), Contains("fw-too-many-tile-sizes"));
}

// MLIR warns that this is not thread safe, and tiles.
TEST_F(CheckTest, ForallOverTheReductionOfASoftmaxIsWarnedOf) {
  CheckResult result = checkBody(
      R"(
    %s = transform.structured.match ops{["linalg.softmax"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %s tile_sizes [4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op))",
      R"(
func.func @s(%a: tensor<16x64xf32>, %o: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<16x64xf32>) outs(%o : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
})");
  EXPECT_EQ(result.verdict.kind, Verdict::Proved);
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-parallel-reduction"));
}

TEST_F(CheckTest, SizesThatNoLoopHasAreNotProved) {
  constexpr StringLiteral tile = R"(
    %a = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op))";
  EXPECT_EQ(checkBody(tile, getBatchMatmul()).verdict.kind, Verdict::Proved);
  for (StringRef sizes : {"tile_sizes [-4]", "num_threads [-4]"})
    EXPECT_THAT(getErrors(checkBody(replaced(tile, "tile_sizes [4]", sizes),
                                    getBatchMatmul())),
                ElementsAre("fw-negative-tile-size"));
  // Upstream crashes in a later step on a loop that never runs.
  std::string empty = replaced(getBatchMatmul(), "%A: tensor<128x80x32xf32>",
                               "%A: tensor<0x80x32xf32>");
  while (StringRef(empty).contains("<128x"))
    empty = replaced(empty, "<128x", "<0x");
  EXPECT_EQ(checkBody(tile, empty).verdict.kind, Verdict::Unknown);
}

TEST_F(CheckTest, ParametersAreOnePerTarget) {
  std::string body = R"(
    %a = transform.structured.match ops{["linalg.batch_matmul", "linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %p = transform.param.constant 4 : i64 -> !transform.param<i64>
    %t, %l = transform.structured.tile_using_for %a tile_sizes [%p] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op))";
  EXPECT_THAT(getErrors(checkBody(body, getBatchMatmul())),
              ElementsAre("fw-cardinality"));
  body = replaced(body, "\"linalg.batch_matmul\", ", "");
  EXPECT_EQ(checkBody(body, getBatchMatmul()).verdict.kind, Verdict::Proved);
  // Upstream crashes on a parameter of any type, and on one of 32 bits.
  body = replaced(body, "4 : i64 -> !transform.param<i64>",
                  "4 : i32 -> !transform.any_param");
  body = replaced(body, "!transform.param<i64>)", "!transform.any_param)");
  EXPECT_THAT(getErrors(checkBody(body, getBatchMatmul())),
              ElementsAre("fw-any-param"));
  body = replaced(body, "tile_using_for ", "tile_using_forall ");
  EXPECT_EQ(checkBody(body, getBatchMatmul()).verdict.kind, Verdict::Unknown);
  EXPECT_THAT(
      getErrors(checkBody(
          "%p = transform.param.constant 4 : i32 -> !transform.param<i64>",
          getBatchMatmul())),
      ElementsAre("fw-kind-mismatch"));
}

TEST_F(CheckTest, InterchangeOfOneLoopTwice) {
  CheckResult result = checkBody(
      R"(
    %a = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %a tile_sizes [4, 4, 4] interchange = [2, 2, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op))",
      getBatchMatmul());
  EXPECT_THAT(getErrors(result), ElementsAre("fw-bad-interchange"));
}

} // namespace
