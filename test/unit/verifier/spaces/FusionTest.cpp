//===- FusionTest.cpp - Iteration spaces under fusion -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which part of a producer its consumer reads.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Fusion.h"
#include "verifier/spaces/Operands.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
class FusionTest : public ::testing::Test {
protected:
  AffineMap map(unsigned numDims, ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : dims)
      exprs.push_back(getAffineDimExpr(dim, &context));
    return AffineMap::get(numDims, 0, exprs, &context);
  }
  /// A space with loops of `sizes` and operands of `maps`.
  static IterationSpace space(ArrayRef<int64_t> sizes,
                              ArrayRef<AffineMap> maps) {
    IterationSpace space;
    for (int64_t size : sizes)
      space.loops.emplace_back().size = size;
    space.iterators.assign(sizes.size(), utils::IteratorType::parallel);
    space.maps.assign(maps.begin(), maps.end());
    return space;
  }

  MLIRContext context;
};

// A tile of 8 by 16 of a matmul reads 8 rows of what makes its first operand.
TEST_F(FusionTest, ThePartThatIsRead) {
  IterationSpace producer = space({64, 32}, {map(2, {0, 1})});
  IterationSpace consumer =
      space({8, 16, 32}, {map(3, {0, 2}), map(3, {2, 1}), map(3, {0, 1})});
  auto part = fuseSpace(producer, consumer, 0);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->loops[0].size, Size(8));
  EXPECT_EQ(part->loops[1].size, Size(32));
  EXPECT_EQ(producer.loops[0].size, Size(64));
}

TEST_F(FusionTest, TransposedResults) {
  IterationSpace producer = space({64, 32}, {map(2, {1, 0})});
  IterationSpace consumer = space({4, 2}, {map(2, {0, 1}), map(2, {0, 1})});
  auto part = fuseSpace(producer, consumer, 0);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->loops[0].size, Size(2));
  EXPECT_EQ(part->loops[1].size, Size(4));
}

TEST_F(FusionTest, MapsThatAreNotSimple) {
  AffineExpr sum =
      getAffineDimExpr(0, &context) + getAffineDimExpr(1, &context);
  IterationSpace producer = space({64}, {map(1, {0})});
  IterationSpace window = space({8, 3}, {AffineMap::get(2, 0, sum)});
  EXPECT_EQ(fuseSpace(producer, window, 0), nullptr);
}

TEST_F(FusionTest, OperandsByLoop) {
  IterationSpace matmul =
      space({8, 16, 32}, {map(3, {0, 2}), map(3, {2, 1}), map(3, {0, 1})});
  IndexedOperands indexed = readIndexed(matmul);
  EXPECT_EQ(indexed.byLoop[0], 0b101u);
  EXPECT_EQ(indexed.byLoop[1], 0b110u);
  EXPECT_EQ(indexed.byLoop[2], 0b011u);
  EXPECT_EQ(indexed.byAny, 0b111u);
}
} // namespace
