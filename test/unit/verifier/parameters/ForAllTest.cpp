//===- ForAllTest.cpp - Verdicts for all values against runs ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules with open knobs over small domains, generated: each value is run,
// and the verdict for all of them is compared with what happened.
//
//===----------------------------------------------------------------------===//

#include "ParametersFixture.h"
#include "transforms/schedule/RunSchedule.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

static constexpr llvm::StringLiteral kPayload = R"(
func.func @f(%a: tensor<12x8xf32>, %b: tensor<8x6xf32>, %c: tensor<12x6xf32>)
    -> tensor<12x6xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<12x8xf32>, tensor<8x6xf32>)
      outs(%c : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %d : tensor<12x6xf32>
})";

/// The same, from zero, and a sum of the result.
static constexpr llvm::StringLiteral kChain = R"(
func.func @f(%a: tensor<12x8xf32>, %b: tensor<8x6xf32>, %c: tensor<12x6xf32>)
    -> tensor<12x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x6xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x6xf32>)
      -> tensor<12x6xf32>
  %d = linalg.matmul ins(%a, %b : tensor<12x8xf32>, tensor<8x6xf32>)
      outs(%filled : tensor<12x6xf32>) -> tensor<12x6xf32>
  %sum = linalg.add ins(%d, %c : tensor<12x6xf32>, tensor<12x6xf32>)
      outs(%empty : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %sum : tensor<12x6xf32>
})";

static constexpr int64_t kLast = 14;

namespace {
struct Tally {
  unsigned proved = 0, refuted = 0, unknown = 0;
};

class ForAllTest : public ParametersTest {
protected:
  /// Checks schedules of `body`, with knobs %x and %y over random sets of
  /// values from `first` to 14, against runs on `source`.
  Tally compare(StringRef body, int64_t first = 1, StringRef source = kPayload);

  std::string makeSchedule(StringRef knobs, StringRef body);
  bool succeeds(ModuleOp payload, int64_t x, int64_t y, StringRef body);
};
} // namespace

std::string ForAllTest::makeSchedule(StringRef knobs, StringRef body) {
  return (R"(module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
)" + knobs +
          R"(
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
)" + body +
          "\ntransform.yield\n}\n}\n")
      .str();
}

bool ForAllTest::succeeds(ModuleOp payload, int64_t x, int64_t y,
                          StringRef body) {
  std::string constants;
  for (auto [name, value] : {std::pair{"x", x}, std::pair{"y", y}})
    constants += llvm::formatv("%{0} = transform.param.constant {1} : i64 -> "
                               "!transform.param<i64>\n",
                               name, value)
                     .str();
  OwningOpRef<ModuleOp> schedule = parse(makeSchedule(constants, body));
  OwningOpRef<ModuleOp> clone = payload.clone();
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  return succeeded(transforms::runSchedule(*clone, getEntry(*schedule)));
}

Tally ForAllTest::compare(StringRef body, int64_t first, StringRef source) {
  const char *given = std::getenv("FORMWORK_TEST_SEED");
  unsigned seed = given ? std::atoi(given) : 20261121;
  RecordProperty("seed", seed);
  std::mt19937 random(seed);
  OwningOpRef<ModuleOp> payload = parse(source);
  std::map<std::pair<int64_t, int64_t>, bool> runs;
  auto runsWith = [&](int64_t x, int64_t y) {
    auto [entry, isNew] = runs.try_emplace({x, y}, false);
    if (isNew)
      entry->second = succeeds(*payload, x, y, body);
    return entry->second;
  };

  Tally tally;
  for (unsigned round = 0; round < 40; ++round) {
    std::string knobs;
    std::vector<std::vector<int64_t>> domains;
    for (StringRef name : {"x", "y"}) {
      // Every other time, values of which many divide.
      static constexpr int64_t kDivisors[] = {1, 2, 3, 4, 6, 12};
      std::set<int64_t> values;
      for (unsigned n = 1 + random() % 4; n > 0; --n)
        values.insert(round % 2 ? kDivisors[random() % 6]
                                : first + random() % (kLast - first + 1));
      domains.emplace_back(values.begin(), values.end());
      knobs += llvm::formatv("%{0} = transform.tune.knob<\"{0}\"> options = "
                             "[{1:$[, ]}] -> !transform.param<i64>\n",
                             name,
                             llvm::make_range(domains.back().begin(),
                                              domains.back().end()))
                   .str();
    }
    OwningOpRef<ModuleOp> module = parse(makeSchedule(knobs, body));
    FailureOr<ScheduleModel> schedule = ScheduleModel::create(*module);
    EXPECT_TRUE(succeeded(schedule));
    CheckResult result = checkParameters(*schedule, *payload, getLibraries(),
                                         CheckOptions(), {});
    bool all = true, none = true;
    for (int64_t x : domains[0])
      for (int64_t y : domains[1]) {
        all &= runsWith(x, y);
        none &= !runsWith(x, y);
      }
    std::string what = "seed " + std::to_string(seed) + "\n" + knobs;
    switch (result.verdict.kind) {
    case Verdict::Proved:
      ++tally.proved;
      EXPECT_TRUE(all) << what;
      break;
    case Verdict::Refuted:
      ++tally.refuted;
      EXPECT_FALSE(all) << what;
      for (const engine::Finding &finding : result.findings.get())
        if (finding.id == "fw-param-infeasible")
          EXPECT_TRUE(none) << what;
      break;
    case Verdict::Unknown:
      ++tally.unknown;
      break;
    }
  }
  RecordProperty("proved", tally.proved);
  RecordProperty("refuted", tally.refuted);
  RecordProperty("unknown", tally.unknown);
  return tally;
}

TEST_F(ForAllTest, TilingTwiceAndVectorizing) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_for %t tile_sizes [%y]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %u : !transform.any_op)");
  EXPECT_GT(tally.refuted, 10u);
}

TEST_F(ForAllTest, TilingTwice) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_forall %t tile_sizes [%y, 3]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op))");
  EXPECT_EQ(tally.proved, 40u);
}

TEST_F(ForAllTest, AMappedForall) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_forall %op tile_sizes [%x, %y]
    (mapping = [#gpu.block<y>, #gpu.block<x>])
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op))",
                        /*first=*/0);
  EXPECT_GT(tally.proved, 10u);
  EXPECT_GT(tally.refuted, 0u);
}

TEST_F(ForAllTest, TilesThatMayBeLeftOut) {
  Tally tally = compare(R"(
%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%x, 0, %y]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
transform.structured.vectorize %t : !transform.any_op)",
                        /*first=*/0);
  EXPECT_GT(tally.proved + tally.refuted, 10u);
}

TEST_F(ForAllTest, VectorSizes) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %t vector_sizes [%y, 6, 8]
    : !transform.any_op, !transform.param<i64>)");
  EXPECT_GT(tally.refuted, 0u);
}

TEST_F(ForAllTest, NumbersOfThreads) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_forall %op num_threads [%x, %y]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %t : !transform.any_op)");
  EXPECT_GT(tally.proved + tally.refuted, 10u);
}

TEST_F(ForAllTest, MappingToBlocksAndThreads) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_forall %op tile_sizes [%x, 6]
    (mapping = [#gpu.block<y>, #gpu.block<x>])
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_forall %t tile_sizes [%y, 2]
    (mapping = [#gpu.thread<y>, #gpu.thread<x>])
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%buffers = transform.bufferization.one_shot_bufferize
    layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true}
    : (!transform.any_op) -> !transform.any_op
%func = transform.structured.match ops{["func.func"]} in %buffers
    : (!transform.any_op) -> !transform.any_op
%launch = transform.gpu.map_forall_to_blocks %func generate_gpu_launch
    : (!transform.any_op) -> !transform.any_op
transform.gpu.map_nested_forall_to_threads %launch block_dims = [4, 3, 1]
    : (!transform.any_op) -> !transform.any_op)");
  EXPECT_GT(tally.refuted, 10u);
}

TEST_F(ForAllTest, FusingAndVectorizing) {
  Tally tally = compare(R"(
%sum = transform.structured.match ops{["linalg.add"]} in %root
    : (!transform.any_op) -> !transform.any_op
%t, %l:2 = transform.structured.fuse %sum tile_sizes [%x, %y]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
transform.structured.vectorize %t : !transform.any_op)",
                        /*first=*/1, kChain);
  EXPECT_GT(tally.refuted, 10u);
  EXPECT_GT(tally.proved, 2u);
}

TEST_F(ForAllTest, FusingWithSizesThatMayBeLeftOut) {
  Tally tally = compare(R"(
%sum = transform.structured.match ops{["linalg.add"]} in %root
    : (!transform.any_op) -> !transform.any_op
%t, %l = transform.structured.fuse %sum tile_sizes [%x, %y]
    {use_forall, apply_cleanup}
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %t : !transform.any_op)",
                        /*first=*/0, kChain);
  EXPECT_GT(tally.refuted, 10u);
}

TEST_F(ForAllTest, TilingWhatWasFused) {
  Tally tally = compare(R"(
%sum = transform.structured.match ops{["linalg.add"]} in %root
    : (!transform.any_op) -> !transform.any_op
%t, %l:2 = transform.structured.fuse %sum tile_sizes [%x, %y] {apply_cleanup}
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
%product = transform.structured.match ops{["linalg.matmul"]} in %l#1
    : (!transform.any_op) -> !transform.any_op
%u, %m = transform.structured.tile_using_for %product tile_sizes [0, 0, %y]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %u : !transform.any_op)",
                        /*first=*/1, kChain);
  EXPECT_GT(tally.refuted, 10u);
  EXPECT_GT(tally.proved, 2u);
  EXPECT_EQ(tally.unknown, 0u);
}

TEST_F(ForAllTest, SplittingAndTiling) {
  Tally tally = compare(R"(
%parts = transform.structured.split %op after %x {dimension = 0}
    : !transform.any_op, !transform.param<i64>
%first, %second = transform.split_handle %parts
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%t, %l = transform.structured.tile_using_for %first tile_sizes [%y]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_for %second tile_sizes [%y]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %t : !transform.any_op
transform.structured.vectorize %u : !transform.any_op)");
  EXPECT_GT(tally.refuted, 10u);
}

TEST_F(ForAllTest, OneKnobInThreePlaces) {
  Tally tally = compare(R"(
%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%x, %x]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_forall %t tile_sizes [%y, %y]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%v, %n = transform.structured.tile_using_for %u tile_sizes [0, 0, %x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %v : !transform.any_op)");
  EXPECT_GT(tally.refuted, 10u);
}

TEST_F(ForAllTest, FusingIntoAndTilingThePart) {
  Tally tally = compare(R"(
%sum = transform.structured.match ops{["linalg.add"]} in %root
    : (!transform.any_op) -> !transform.any_op
%t, %l = transform.structured.tile_using_forall %sum tile_sizes [%x, 3]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%part, %m = transform.structured.fuse_into_containing_op %op into %l
    : (!transform.any_op, !transform.any_op)
    -> (!transform.any_op, !transform.any_op)
%u, %n:2 = transform.structured.tile_using_for %part tile_sizes [%y, 0, %y]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
transform.structured.vectorize %u : !transform.any_op
transform.structured.vectorize %t : !transform.any_op)",
                        /*first=*/1, kChain);
  EXPECT_GT(tally.refuted, 10u);
}

TEST_F(ForAllTest, PaddingToMultiples) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%padded, %pads, %copy = transform.structured.pad %t pad_to_multiple_of [%y]
    {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
     padding_dimensions = [0], copy_back_op = "none"}
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
transform.structured.vectorize %padded : !transform.any_op)");
  EXPECT_GT(tally.proved + tally.refuted + tally.unknown, 10u);
}

TEST_F(ForAllTest, NumbersOfBlocksOnAGrid) {
  Tally tally = compare(R"(
%t, %l = transform.structured.tile_using_forall %op num_threads [%x, %y]
    (mapping = [#gpu.block<y>, #gpu.block<x>])
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%buffers = transform.bufferization.one_shot_bufferize
    layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true}
    : (!transform.any_op) -> !transform.any_op
%func = transform.structured.match ops{["func.func"]} in %buffers
    : (!transform.any_op) -> !transform.any_op
%launch = transform.gpu.map_forall_to_blocks %func generate_gpu_launch
    grid_dims = [6, 4, 1]
    : (!transform.any_op) -> !transform.any_op)");
  EXPECT_GT(tally.refuted, 10u);
}
