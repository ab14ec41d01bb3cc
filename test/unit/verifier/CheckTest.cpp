//===- CheckTest.cpp - Schedules that the verifier must judge ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"

#include "gmock/gmock.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// Replaces one occurrence, which must be there.
std::string replaced(StringRef text, StringRef from, StringRef to) {
  auto [before, after] = text.split(from);
  EXPECT_NE(before.size(), text.size()) << from.str();
  return (before + to + after).str();
}

/// The first finding called `id`.
const engine::Finding &find(const CheckResult &result, StringRef id) {
  for (const engine::Finding &finding : result.findings.get())
    if (finding.id == id)
      return finding;
  ADD_FAILURE() << "no finding " << id.str();
  static const engine::Finding *none = nullptr;
  return *none;
}

std::vector<std::string> getNotes(const engine::Finding &finding,
                                  engine::NoteKind kind) {
  std::vector<std::string> notes;
  for (const engine::Note &note : finding.notes)
    if (note.kind == kind)
      notes.push_back(note.message);
  return notes;
}

class CheckTest : public VerifierTest {
protected:
  /// The batch matmul with one place of its schedule edited.
  CheckResult checkEdited(StringRef from, StringRef to,
                          CheckOptions options = {}) {
    return check(replaced(getBatchMatmulSchedule(), from, to), getBatchMatmul(),
                 options);
  }
  CheckResult checkBody(StringRef body, StringRef payload) {
    return check(makeSchedule(body), payload);
  }
};

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
  CheckResult result = check(getBatchMatmulSchedule(), "", options);
  EXPECT_THAT(getErrors(result), ElementsAre("fw-missing-form"));
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
  EXPECT_THAT(getWarnings(result), ElementsAre("fw-cardinality"));
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

// What runs code that no contract describes may do anything.
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
// Mapping
//===----------------------------------------------------------------------===//

TEST_F(CheckTest, BlockDimsTooSmall) {
  CheckResult result =
      checkEdited("block_dims = [16, 4, 1]", "block_dims = [4, 16, 1]");
  EXPECT_THAT(getErrors(result), ElementsAre("fw-block-dims-too-small"));
  EXPECT_THAT(getNotes(find(result, "fw-block-dims-too-small"),
                       engine::NoteKind::FixIt),
              ElementsAre("use block_dims = [16, 4, 1]"));
}

TEST_F(CheckTest, MoreThreadsThanNeededIsFine) {
  EXPECT_THAT(getErrors(checkEdited("block_dims = [16, 4, 1]",
                                    "block_dims = [32, 8, 1]")),
              IsEmpty());
}

TEST_F(CheckTest, TooManyThreads) {
  CheckResult result =
      checkEdited("block_dims = [16, 4, 1]", "block_dims = [64, 64, 1]");
  EXPECT_THAT(getErrors(result), ElementsAre("fw-too-many-threads"));
  EXPECT_THAT(find(result, "fw-too-many-threads").message,
              HasSubstr("requires at most 1024 threads per block"));
}

TEST_F(CheckTest, TooManyThreadsAlongZ) {
  EXPECT_THAT(getErrors(checkEdited("block_dims = [16, 4, 1]",
                                    "block_dims = [16, 4, 65]")),
              Contains("fw-too-many-threads"));
}

TEST_F(CheckTest, TwoBlockDims) {
  EXPECT_THAT(
      getErrors(checkEdited("block_dims = [16, 4, 1]", "block_dims = [16, 4]")),
      ElementsAre("fw-block-dims-rank"));
}

TEST_F(CheckTest, GridDimsTooSmall) {
  EXPECT_THAT(getErrors(checkEdited("generate_gpu_launch",
                                    "generate_gpu_launch grid_dims = "
                                    "[5, 5, 64]")),
              ElementsAre("fw-grid-dims-too-small"));
}

TEST_F(CheckTest, GridTooLarge) {
  EXPECT_THAT(getErrors(checkEdited("generate_gpu_launch",
                                    "generate_gpu_launch grid_dims = "
                                    "[5, 5, 65536]")),
              ElementsAre("fw-grid-too-large"));
}

TEST_F(CheckTest, MissingMapping) {
  EXPECT_THAT(getErrors(checkEdited(
                  "(mapping = [#gpu.thread<y>, #gpu.thread<x>])", "")),
              ElementsAre("fw-missing-mapping"));
}

TEST_F(CheckTest, DuplicateMapping) {
  EXPECT_THAT(getErrors(checkEdited("#gpu.thread<y>, #gpu.thread<x>",
                                    "#gpu.thread<x>, #gpu.thread<x>")),
              ElementsAre("fw-duplicate-mapping"));
}

TEST_F(CheckTest, MixedMapping) {
  EXPECT_THAT(getErrors(checkEdited("#gpu.thread<y>, #gpu.thread<x>",
                                    "#gpu.thread<y>, #gpu.warp<x>")),
              ElementsAre("fw-mixed-mapping"));
}

TEST_F(CheckTest, WrongMapping) {
  EXPECT_THAT(getErrors(checkEdited("#gpu.thread<y>, #gpu.thread<x>",
                                    "#gpu.block<y>, #gpu.block<x>")),
              ElementsAre("fw-wrong-mapping"));
}

TEST_F(CheckTest, MappingRank) {
  EXPECT_THAT(getErrors(checkEdited("#gpu.thread<y>, #gpu.thread<x>",
                                    "#gpu.thread<x>")),
              Contains("fw-mapping-rank"));
}

TEST_F(CheckTest, MappingBeforeBufferization) {
  StringRef schedule = getBatchMatmulSchedule();
  std::string text = schedule.take_front(schedule.find("%bufferized")).str() +
                     schedule.substr(schedule.find("%func_1")).str();
  text = replaced(text, "in %bufferized", "in %module");
  EXPECT_THAT(getErrors(check(text, getBatchMatmul())),
              Contains("fw-not-bufferized"));
}

TEST_F(CheckTest, UnmappedThreadLoop) {
  StringRef schedule = getBatchMatmulSchedule();
  size_t begin = schedule.find("%mapped");
  std::string text = schedule.take_front(begin).str() +
                     schedule.substr(schedule.find("transform.yield")).str();
  EXPECT_THAT(getWarnings(check(text, getBatchMatmul())),
              Contains("fw-unmapped-loop"));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

TEST_F(CheckTest, ForallIgnoresTileSizesBeyondTheLoops) {
  CheckResult result =
      checkEdited("tile_sizes [0, 4, 4]", "tile_sizes [0, 4, 4, 0, 7]");
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_THAT(getWarnings(result), Contains("fw-too-many-tile-sizes"));
}

TEST_F(CheckTest, ForallOverUnknownLoopsIsNotProved) {
  // Upstream crashes: the tiled dimension is a reduction.
  CheckResult result = checkBody(
      R"(
    %s = transform.structured.match ops{["linalg.softmax"]} in %module : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %s tile_sizes [4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op))",
      R"(
func.func @s(%a: tensor<16x64xf32>, %o: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<16x64xf32>) outs(%o : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
})");
  EXPECT_EQ(result.verdict.kind, Verdict::Unknown);
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
