//===- KindSetTest.cpp - Sets of kinds of op ------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sets of kinds say of names, dialects and classes.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/KindSet.h"

#include "gtest/gtest.h"

using namespace formwork::verifier;

namespace {
TEST(KindSetTest, NamesAreInTheirDialect) {
  KindSet kinds({"linalg.*", "scf.for"});
  EXPECT_TRUE(kinds.contains("linalg.fill"));
  EXPECT_TRUE(kinds.contains("scf.for"));
  EXPECT_FALSE(kinds.contains("scf.if"));
  // Neither a part of a name nor more than one is the dialect.
  EXPECT_FALSE(kinds.contains("linalgext.fill"));
  EXPECT_FALSE(kinds.contains("linalg"));
  EXPECT_TRUE(KindSet({"*"}).contains("linalg"));
  EXPECT_FALSE(KindSet().contains("linalg.fill"));
}

TEST(KindSetTest, MeetsWhatHasAnOpInCommon) {
  KindSet kinds({"linalg.generic?static", "vector.transfer_read"});
  for (KindPattern met :
       {KindPattern("*"), KindPattern("linalg.*"),
        KindPattern("linalg.generic"), KindPattern("vector.*"),
        KindPattern("$structured"), KindPattern("$tileable")})
    EXPECT_TRUE(kinds.intersects(met)) << met.getText().str();
  for (KindPattern other : {KindPattern("scf.*"), KindPattern("linalg.fill"),
                            KindPattern("vector.store"), KindPattern("$loop"),
                            KindPattern("$isolated")})
    EXPECT_FALSE(kinds.intersects(other)) << other.getText().str();
  EXPECT_FALSE(KindSet().intersects("*"));
  EXPECT_TRUE(KindSet({"*"}).intersects("scf.for"));
  EXPECT_TRUE(KindSet({"gpu.*"}).intersects("$isolated"));
  EXPECT_TRUE(KindSet({"affine.*"}).intersects("$loop"));
}

TEST(KindSetTest, StaticOpsAreNotDynamic) {
  EXPECT_FALSE(KindSet({"linalg.generic?static", "arith.*"}).mayBeDynamic());
  EXPECT_TRUE(KindSet({"linalg.generic"}).mayBeDynamic());
  EXPECT_TRUE(KindSet({"*"}).mayBeDynamic());
  EXPECT_FALSE(KindSet().mayBeDynamic());
}

TEST(KindSetTest, CopiesGrowApart) {
  KindSet one({"scf.for"});
  KindSet other = one;
  EXPECT_TRUE(one.isShared(other));
  EXPECT_TRUE(other.insert(KindSet({"scf.for", "arith.*"})));
  EXPECT_FALSE(other.insert(one));
  EXPECT_FALSE(one.contains("arith.addi"));
  EXPECT_TRUE(other.contains("arith.addi"));
  other.erase({"arith.*"});
  EXPECT_FALSE(other.contains("arith.addi"));
  EXPECT_TRUE(other.contains("scf.for"));
}
} // namespace
