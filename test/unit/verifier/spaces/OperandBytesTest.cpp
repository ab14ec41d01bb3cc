//===- OperandBytesTest.cpp - Bytes of what a loop nest reads -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/OperandBytes.h"

#include "mlir/IR/Builders.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::verifier;

namespace {
struct OperandBytesTest : testing::Test {
  /// A space of three loops with 4, 8 and 3 iterations.
  IterationSpace makeSpace(ArrayRef<AffineExpr> places, Type type) {
    IterationSpace space;
    for (int64_t size : {4, 8, 3}) {
      space.loops.emplace_back();
      space.loops.back().size = size;
    }
    space.maps = {AffineMap::get(3, 0, places, &context)};
    space.elementTypes = {type};
    return space;
  }
  AffineExpr dim(unsigned position) {
    return getAffineDimExpr(position, &context);
  }

  MLIRContext context;
  Builder builder{&context};
  solver::TermContext terms;
};
} // namespace

TEST_F(OperandBytesTest, ATileHasTheElementsOfItsLoops) {
  IterationSpace space = makeSpace({dim(0), dim(1)}, builder.getF32Type());
  EXPECT_EQ(getTileBytes(terms, space, 0), Size(4 * 8 * 4));
}

TEST_F(OperandBytesTest, AnElementTakesWholeBytes) {
  IterationSpace space = makeSpace({dim(1)}, builder.getI1Type());
  EXPECT_EQ(getTileBytes(terms, space, 0), Size(8));
}

TEST_F(OperandBytesTest, AWindowHasWhatItsLastIterationReads) {
  IterationSpace space = makeSpace({dim(1) * 2 + dim(2)}, builder.getF16Type());
  EXPECT_EQ(getTileBytes(terms, space, 0), Size((7 * 2 + 2 + 1) * 2));
}

TEST_F(OperandBytesTest, UnknownSizesAndOtherPlacesAreUnknown) {
  IterationSpace dynamic = makeSpace({dim(0)}, builder.getF32Type());
  dynamic.loops[0].size = Size();
  EXPECT_TRUE(getTileBytes(terms, dynamic, 0).isUnknown());
  IterationSpace divided =
      makeSpace({dim(1).floorDiv(2)}, builder.getF32Type());
  EXPECT_TRUE(getTileBytes(terms, divided, 0).isUnknown());
  IterationSpace given = makeSpace({dim(0)}, builder.getF32Type());
  EXPECT_TRUE(getTileBytes(terms, given, 1).isUnknown());
}
