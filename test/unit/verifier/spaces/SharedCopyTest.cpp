//===- SharedCopyTest.cpp - Copies that threads share ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/SharedCopy.h"
#include "verifier/solver/Evaluator.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::IntTerm;

namespace {
struct SharedCopyTest : testing::Test {
  SharedCopyTest() { context.loadDialect<gpu::GPUDialect>(); }
  std::optional<SharedCopy> share(const CopyRequest &request,
                                  ArrayRef<int64_t> sizes) {
    SmallVector<IntTerm> terms;
    for (int64_t size : sizes)
      terms.push_back(this->terms.constant(size));
    return shareCopy(this->terms, &context, request, terms);
  }

  MLIRContext context;
  solver::TermContext terms;
};
} // namespace

TEST_F(SharedCopyTest, AThreadTakesTheWidestVectorThatDividesARow) {
  std::optional<SharedCopy> shared = share({128, 32, 4}, {64, 32});
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->fits.isTrue());
  EXPECT_TRUE(shared->isFull.isTrue());
  EXPECT_EQ(ArrayRef<int64_t>(shared->threads), ArrayRef<int64_t>({16, 8}));
  EXPECT_EQ(ArrayRef<int64_t>(shared->parts), ArrayRef<int64_t>({4, 4}));
}

TEST_F(SharedCopyTest, ARowNeedsAThreadForEachVector) {
  std::optional<SharedCopy> shared = share({8, 32, 4}, {4, 64});
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->fits.isFalse());
  EXPECT_TRUE(shared->threads.empty());
}

TEST_F(SharedCopyTest, ThreeDimensionsAreSharedOnlyAsNumbers) {
  EXPECT_TRUE(share({32, 32, 4}, {2, 4, 16}));
  IntTerm open = terms.variable("t");
  EXPECT_FALSE(shareCopy(terms, &context, {32, 32, 4},
                         {open, terms.constant(4), terms.constant(16)}));
}

TEST_F(SharedCopyTest, ARequestNeedsWholeElementsInAnAccess) {
  EXPECT_FALSE(makeCopyRequest(128, /*elementBits=*/80, /*alignment=*/128));
  EXPECT_FALSE(makeCopyRequest(0, 32, 128));
  EXPECT_FALSE(makeCopyRequest(128, 32, 0));
  EXPECT_EQ(makeCopyRequest(128, 32, 128)->maxVector, 4);
  // An alignment that no element has.
  EXPECT_EQ(makeCopyRequest(128, 32, 48)->maxVector, 1);
}

/// The formula for open sizes agrees with upstream on each number.
TEST_F(SharedCopyTest, OpenSizesAreSharedAsNumbersAre) {
  IntTerm rows = terms.variable("rows"), row = terms.variable("row");
  for (int64_t numThreads : {32, 96, 128})
    for (int64_t maxVector : {1, 4, 8}) {
      CopyRequest request{numThreads, 16, maxVector};
      std::optional<SharedCopy> open =
          shareCopy(terms, &context, request, {rows, row});
      ASSERT_TRUE(open);
      solver::Evaluator fits(open->fits.getNode()),
          isFull(open->isFull.getNode());
      for (int64_t outer : {1, 3, 4, 16, 48})
        for (int64_t inner : {1, 2, 8, 12, 32, 96, 256}) {
          std::optional<SharedCopy> known = share(request, {outer, inner});
          if (!known)
            continue;
          EXPECT_EQ(fits.holds({outer, inner}), known->fits.isTrue())
              << numThreads << " " << maxVector << " " << outer << " " << inner;
          if (known->fits.isTrue())
            EXPECT_EQ(isFull.holds({outer, inner}), known->isFull.isTrue())
                << numThreads << " " << maxVector << " " << outer << " "
                << inner;
        }
    }
}
