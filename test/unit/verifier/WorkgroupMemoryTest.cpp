//===- WorkgroupMemoryTest.cpp - Buffers on several paths -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about workgroup memory where two paths meet.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/WorkgroupMemory.h"

#include "gtest/gtest.h"

using namespace formwork;
using namespace formwork::verifier;
using solver::BoolTerm;

namespace {
class WorkgroupMemoryTest : public ::testing::Test {
protected:
  /// A kernel; the number has no meaning.
  static constexpr NodeId kernel = 7;

  WorkgroupBuffer makeBuffer(std::optional<BoolTerm> guard = {}) {
    return {
        /*source=*/nullptr, topNode, topNode, terms.constant(1024),
        Count::exactly(1),  guard,   "a tile"};
  }
  void allocate(WorkgroupMemory &memory, std::optional<BoolTerm> guard = {}) {
    memory.uses[kernel].buffers.push_back(makeBuffer(guard));
  }
  llvm::ArrayRef<WorkgroupBuffer> getBuffers() {
    return mine.uses[kernel].buffers;
  }

  solver::TermContext terms;
  WorkgroupMemory before, mine, theirs;
};

TEST_F(WorkgroupMemoryTest, BuffersOfBothPathsStay) {
  allocate(before);
  mine = theirs = before;
  mine.join(std::move(theirs), before, {});
  ASSERT_EQ(getBuffers().size(), 1u);
  EXPECT_EQ(getBuffers().front().times, Count::exactly(1));
}

TEST_F(WorkgroupMemoryTest, BuffersOfOnePathMayNotBeThere) {
  allocate(mine);
  allocate(theirs);
  EXPECT_FALSE(mine.hasBuffersOf(before));
  mine.join(std::move(theirs), before, {});
  ASSERT_EQ(getBuffers().size(), 2u);
  for (const WorkgroupBuffer &buffer : getBuffers())
    EXPECT_EQ(buffer.times, (Count{0, 1}));
}

TEST_F(WorkgroupMemoryTest, KernelsOfOnePathAreKept) {
  allocate(theirs);
  mine.join(std::move(theirs), before, {});
  ASSERT_EQ(getBuffers().size(), 1u);
  EXPECT_EQ(getBuffers().front().times, (Count{0, 1}));
}

TEST_F(WorkgroupMemoryTest, AChoiceSaysWhenABufferIsThere) {
  BoolTerm first = terms.equal(terms.variable("choice"), terms.constant(0));
  allocate(mine, first);
  allocate(theirs, terms.logicalNot(first));
  mine.join(std::move(theirs), before, /*guardBefore=*/{});
  for (const WorkgroupBuffer &buffer : getBuffers())
    EXPECT_EQ(buffer.times, Count::exactly(1));
}

// The guard of a choice around the fork tells the paths not apart.
TEST_F(WorkgroupMemoryTest, AnOuterChoiceDoesNot) {
  BoolTerm outer = terms.equal(terms.variable("choice"), terms.constant(0));
  allocate(mine, outer);
  mine.join(std::move(theirs), before, outer);
  EXPECT_EQ(getBuffers().front().times, (Count{0, 1}));
}

TEST_F(WorkgroupMemoryTest, GrowthOnOnePathMayNotHaveHappened) {
  allocate(before);
  before.uses[kernel].buffers.front().growths.push_back(
      {nullptr, Count::exactly(2), {}, "2 buffers each"});
  mine = theirs = before;
  theirs.uses[kernel].buffers.front().growths.push_back(
      {nullptr, Count::exactly(3), {}, "3 buffers each"});
  EXPECT_TRUE(theirs.hasBuffersOf(before));
  mine.join(std::move(theirs), before, {});
  llvm::ArrayRef<BufferGrowth> growths = getBuffers().front().growths;
  ASSERT_EQ(growths.size(), 2u);
  EXPECT_EQ(growths[0].factor, Count::exactly(2));
  EXPECT_EQ(growths[1].factor, (Count{1, 3}));
}

TEST_F(WorkgroupMemoryTest, WhatALaunchTookOnOnePathMayBeThere) {
  allocate(before);
  mine = theirs = before;
  mine.uses[kernel].buffers.clear();
  mine.join(std::move(theirs), before, {});
  ASSERT_EQ(getBuffers().size(), 1u);
  EXPECT_EQ(getBuffers().front().times, (Count{0, 1}));
}

TEST_F(WorkgroupMemoryTest, StepsOfAllPathsCount) {
  before.multibufferings.push_back({topNode, nullptr, 2, {}});
  mine = theirs = before;
  mine.multibufferings.push_back({topNode, nullptr, 3, {}});
  theirs.multibufferings.push_back({topNode, nullptr, 4, {}});
  theirs.predicatedCopies.try_emplace(kernel, nullptr);
  mine.join(std::move(theirs), before, {});
  std::vector<int64_t> factors;
  for (const Multibuffering &step : mine.multibufferings)
    factors.push_back(step.factor);
  EXPECT_EQ(factors, (std::vector<int64_t>{2, 3, 4}));
  EXPECT_TRUE(mine.predicatedCopies.contains(kernel));
}
} // namespace
