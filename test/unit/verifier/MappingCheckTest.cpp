//===- MappingCheckTest.cpp - Checks of what is mapped to a GPU -*- C++ -*-===//
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

} // namespace
