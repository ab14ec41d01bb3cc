//===- PlanTest.cpp - Plans and their source edits --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"
#include "verifier/plan/SourceEdits.h"
#include "verifier/source/UnifiedDiff.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {
/// The batch matmul with every enabler written out.
StringRef getWithEnablers() {
  return R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op

    %block_mm, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [1, 16, 64]
      (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %block_fill, %blocks_1 = transform.structured.fuse_into_containing_op %fill into %blocks
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)

    %thread_mm, %threads = transform.structured.tile_using_forall %block_mm tile_sizes [0, 4, 4]
      (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_fill, %threads_1 = transform.structured.fuse_into_containing_op %block_fill into %threads
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)

    %k_mm, %k_loop = transform.structured.tile_using_for %thread_mm tile_sizes [0, 0, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %vectorized {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %loops = transform.structured.match interface{LoopLikeInterface} in %vectorized : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    %scffors = transform.structured.match ops{["scf.for"]} in %vectorized : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %scffors : !transform.any_op
    transform.apply_patterns to %vectorized {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.bufferization.eliminate_empty_tensors %vectorized : !transform.any_op
    %bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %func_1 = transform.structured.match ops{["func.func"]} in %bufferized : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func_1 {
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %func_1 generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    %mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 4, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
)";
}

static StringRef getConvolution() {
  return R"(
module {
func.func @f(%in: tensor<1x16x16x4xf32>, %filter: tensor<3x3x4x16xf32>, %out: tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%in, %filter : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>) outs(%out : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %0 : tensor<1x14x14x16xf32>
}
}
)";
}

class PlanTest : public VerifierTest {
protected:
  /// A schedule that requires a form.
  std::string makeConvolutionSchedule() const {
    return makeSchedule(R"(
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %module : (!transform.any_op) -> !transform.any_op
    %columns, %product = transform.structured.convert_conv2d_to_img2col %conv : (!transform.any_op) -> (!transform.any_op, !transform.any_op))");
  }

  /// The plan for a schedule, as `HANDLE to @FORM before OP` in source names.
  std::vector<std::string> plan(StringRef schedule, StringRef payload,
                                PlanOptions options = {}) {
    names.reset();
    state = std::make_unique<AsmParserState>();
    source = std::make_unique<Block>();
    buffer = llvm::MemoryBuffer::getMemBufferCopy(schedule, "schedule.mlir");
    llvm::SourceMgr manager;
    manager.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(buffer->getMemBufferRef()),
        llvm::SMLoc());
    EXPECT_TRUE(succeeded(parseAsmSourceFile(
        manager, source.get(), ParserConfig(&context), state.get())));
    FailureOr<ScheduleModel> model =
        ScheduleModel::create(cast<ModuleOp>(source->front()));
    EXPECT_TRUE(succeeded(model));
    names = std::make_unique<SourceNames>(*state, buffer->getBuffer(),
                                          buffer->getBufferIdentifier());
    options.check.nameOf = [&](Value value) {
      return names->getName(value).value_or("?");
    };
    Operation *root = payload.empty() ? nullptr : parse(payload).getOperation();
    found = planNormalization(*model, root, {*forms, *contracts}, options);
    std::vector<std::string> lines;
    for (const Insertion &insertion : found.insertions) {
      std::string line = names->getName(insertion.handle).value_or("?");
      if (insertion.viaIsolatedParent)
        line = "parent of " + line;
      lines.push_back(line + " to @" + forms->getForm(insertion.form).name +
                      " before " +
                      insertion.before->getName().stripDialect().str());
    }
    return lines;
  }

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<AsmParserState> state;
  std::unique_ptr<Block> source;
  std::unique_ptr<SourceNames> names;
  Plan found;
};

TEST_F(PlanTest, BatchMatmul) {
  PlanOptions options;
  options.check.goal = forms->lattice().lookup("memref.canonical");
  EXPECT_THAT(plan(getBatchMatmulSchedule(), getBatchMatmul(), options),
              ElementsAre("%vectorized to @tensor.bufferizable before "
                          "bufferization.one_shot_bufferize",
                          "%func_1 to @memref.canonical before "
                          "gpu.map_forall_to_blocks",
                          "%bufferized to @memref.canonical before yield"));
  EXPECT_THAT(getErrors(found.after), IsEmpty());
  EXPECT_THAT(getWarnings(found.after), IsEmpty());
}

TEST_F(PlanTest, OnlyWhatIsRequired) {
  PlanOptions options;
  options.includeWants = false;
  // All that it lacks is wanted.
  EXPECT_THAT(plan(getBatchMatmulSchedule(), "", options), IsEmpty());
  EXPECT_THAT(plan(getBatchMatmulSchedule(), getBatchMatmul(), options),
              IsEmpty());
  EXPECT_THAT(plan(makeConvolutionSchedule(), "", options),
              ElementsAre("parent of %conv to @linalg.static before "
                          "structured.convert_conv2d_to_img2col"));
  // On this payload the sizes are static.
  EXPECT_THAT(plan(makeConvolutionSchedule(), getConvolution(), options),
              IsEmpty());
}

TEST_F(PlanTest, WithoutPayload) {
  // No handle is known to hold all functions of the module, so that the module
  // itself is the anchor.
  EXPECT_THAT(plan(getBatchMatmulSchedule(), ""),
              ElementsAre("%func to @linalg.tiled before "
                          "structured.vectorize_children_and_apply_patterns",
                          "%module to @tensor.bufferizable before "
                          "bufferization.one_shot_bufferize",
                          "%func_1 to @memref.canonical before "
                          "gpu.map_forall_to_blocks"));
}

TEST_F(PlanTest, CleanUpByHandCounts) {
  // The author wrote out everything except the merging of common subexpressions
  // after vectorization.
  EXPECT_THAT(plan(getWithEnablers(), getBatchMatmul()),
              ElementsAre("%vectorized to @tensor.bufferizable before "
                          "bufferization.one_shot_bufferize",
                          "%func_1 to @memref.canonical before "
                          "gpu.map_forall_to_blocks"));
}

TEST_F(PlanTest, ClausesAndConsequences) {
  plan(getBatchMatmulSchedule(), "");
  ASSERT_FALSE(found.insertions.empty());
  const Insertion &insertion = found.insertions.front();
  EXPECT_EQ(insertion.clause,
            "transform.structured.vectorize_children_and_apply_patterns.c2");
  EXPECT_FALSE(insertion.required);
  EXPECT_THAT(insertion.consequence, HasSubstr("affine.min"));
  EXPECT_THAT(insertion.liveInside, IsEmpty());
  plan(makeConvolutionSchedule(), "");
  ASSERT_EQ(found.insertions.size(), 1u);
  EXPECT_EQ(found.insertions.front().clause,
            "transform.structured.convert_conv2d_to_img2col.c3");
  EXPECT_TRUE(found.insertions.front().required);
}

TEST_F(PlanTest, LiveHandlesInsideTheAnchorAreNamed) {
  plan(makeSchedule(R"(
    %a = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %v = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    transform.annotate %a "here" : !transform.any_op)"),
       "");
  ASSERT_EQ(found.insertions.size(), 1u);
  ASSERT_EQ(found.insertions[0].liveInside.size(), 1u);
  EXPECT_EQ(names->getName(found.insertions[0].liveInside[0]), "%a");
}

TEST_F(PlanTest, EachInsertionIsNeeded) {
  plan(getBatchMatmulSchedule(), getBatchMatmul());
  // Law of `Plan`: the check of the schedule with the plan has no missing form.
  EXPECT_THAT(getWarnings(found.after), IsEmpty());
  EXPECT_EQ(found.insertions.size(), 2u);
}

//===----------------------------------------------------------------------===//
// Source edits
//===----------------------------------------------------------------------===//

TEST_F(PlanTest, EditsKeepTheText) {
  std::string schedule = makeSchedule(R"(
    // A comment.
    %x:2 = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %v = transform.structured.vectorize_children_and_apply_patterns %x : (!transform.any_op) -> !transform.any_op // as is)");
  size_t at = schedule.find("%x:2");
  schedule.replace(at, 4, "%x");
  plan(schedule, "");
  auto edits = planSourceEdits(found, *forms, *names);
  ASSERT_TRUE(succeeded(edits));
  std::string edited = applySourceEdits(names->getText(), *edits);
  size_t inserted = edited.find("    transform.normalform.normalize %x to "
                                "@linalg.tiled : !transform.any_op\n");
  ASSERT_NE(inserted, std::string::npos);
  // Without the one line, it is the text that went in.
  edited.erase(inserted, edited.find('\n', inserted) + 1 - inserted);
  EXPECT_EQ(edited, schedule);
}

TEST_F(PlanTest, ResultsOfAGroup) {
  plan(makeSchedule(R"(
    %y = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %z:2 = transform.split_handle %y : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %v = transform.structured.vectorize_children_and_apply_patterns %z#1 : (!transform.any_op) -> !transform.any_op)"),
       "");
  ASSERT_FALSE(found.insertions.empty());
  EXPECT_EQ(names->getName(found.insertions.front().handle), "%z#1");
}

TEST_F(PlanTest, ParentsGetFreshNames) {
  PlanOptions options;
  options.check.goal = forms->lattice().lookup("canonical");
  std::string schedule = makeSchedule(R"(
    %anchor = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %other = transform.cast %anchor : !transform.any_op to !transform.any_op)");
  size_t begin = schedule.find(" {transform.consumed}");
  schedule.erase(begin, strlen(" {transform.consumed}"));
  plan(schedule, getBatchMatmul(), options);
  ASSERT_EQ(found.insertions.size(), 1u);
  found.insertions[0].viaIsolatedParent = true;
  auto edits = planSourceEdits(found, *forms, *names);
  ASSERT_TRUE(succeeded(edits));
  EXPECT_THAT(edits->front().text, HasSubstr("%anchor_0 = transform."));
}

TEST_F(PlanTest, ResultsWithoutNamesGetOne) {
  PlanOptions options;
  options.check.goal = forms->lattice().lookup("canonical");
  // Only the handle that nobody names leads to the payload.
  std::string schedule = makeSchedule(R"(
    transform.apply_registered_pass "cse" to %module : (!transform.any_op) -> !transform.any_op)");
  plan(schedule, getBatchMatmul(), options);
  ASSERT_EQ(found.insertions.size(), 1u);
  auto edits = planSourceEdits(found, *forms, *names);
  ASSERT_TRUE(succeeded(edits));
  std::string edited = applySourceEdits(names->getText(), *edits);
  EXPECT_THAT(edited, HasSubstr("    %handle = transform.apply_registered"));
  EXPECT_THAT(edited, HasSubstr("transform.normalform.normalize %handle to "
                                "@canonical : !transform.any_op"));
}

TEST_F(PlanTest, SharedSequencesAndLoopsCountTheirVisits) {
  StringRef body = R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize(%f: !transform.any_op {transform.consumed}) {
    %v = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.include @vectorize failures(propagate) (%f) : (!transform.any_op) -> ()
    %g = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.include @vectorize failures(propagate) (%g) : (!transform.any_op) -> ()
    transform.yield
  }
})";
  // One insertion serves both calls; two would, too.
  EXPECT_THAT(plan(body, ""),
              ElementsAre("%f to @linalg.tiled before "
                          "structured.vectorize_children_and_apply_patterns"));
  EXPECT_EQ(found.objective.weight, 2 * forms->lookup("linalg.tiled")->weight);
  EXPECT_TRUE(found.exact);
}

TEST_F(PlanTest, NothingThatALaterStepNeedsIsBroken) {
  // Merging the two fills would leave nothing to split.
  StringRef payload = R"(
func.func @f(%t: tensor<8xf32>, %s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
})";
  std::string schedule = makeSchedule(R"(
    %b = transform.bufferization.one_shot_bufferize %module {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %fills = transform.structured.match ops{["linalg.fill"]} in %b : (!transform.any_op) -> !transform.any_op
    %one, %two = transform.split_handle %fills : (!transform.any_op) -> (!transform.any_op, !transform.any_op))");
  EXPECT_THAT(plan(schedule, payload), IsEmpty());
  EXPECT_EQ(found.objective.unmetWanted, 1u);
  EXPECT_EQ(found.objective.doubted, 0u);
  EXPECT_THAT(getWarnings(found.after),
              ElementsAre("fw-missing-form", "fw-plan-conflict"));
}

TEST(SourceEditsTest, UnifiedDiff) {
  StringRef text = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
  auto insertAt = [](size_t at, StringRef inserted) {
    return SourceEdit{{at, at}, inserted.str()};
  };
  auto diff = [](StringRef before, ArrayRef<SourceEdit> edits) {
    return printUnifiedDiff("x", before, applySourceEdits(before, edits));
  };
  EXPECT_EQ(diff(text, {insertAt(2, "one\n"), insertAt(18, "two\n")}),
            "--- x\n+++ x\n"
            "@@ -1,4 +1,5 @@\n a\n+one\n b\n c\n d\n"
            "@@ -7,4 +8,5 @@\n g\n h\n i\n+two\n j\n");
  EXPECT_EQ(
      applySourceEdits(text, {insertAt(18, "two\n"), insertAt(2, "one\n")}),
      "a\none\nb\nc\nd\ne\nf\ng\nh\ni\ntwo\nj\n");
  EXPECT_EQ(diff("ab cd\n", {insertAt(3, "new\n")}),
            "--- x\n+++ x\n@@ -1,1 +1,2 @@\n-ab cd\n+ab new\n+cd\n");
  EXPECT_EQ(diff(text, {}), "");
  EXPECT_EQ(diff("a\nb", {insertAt(2, "one\n")}),
            "--- x\n+++ x\n@@ -1,2 +1,3 @@\n a\n+one\n b\n"
            "\\ No newline at end of file\n");
}

} // namespace
