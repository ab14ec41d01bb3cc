//===- KindSetTest.cpp - Sets of kinds of op ------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answers of sets of kinds about names, dialects and classes.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/KindSet.h"

#include "gtest/gtest.h"

#include <deque>

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

TEST(KindSetTest, CopiesThatGrowAlikeStayApart) {
  KindSet one({"scf.for"});
  KindSet other = one, kept = one;
  KindSet more({"arith.*", "scf.for"});
  EXPECT_TRUE(one.insert(more));
  EXPECT_TRUE(other.insert(more));
  EXPECT_FALSE(kept.has("arith.*"));
  // A kind that was added later is in neither other.
  EXPECT_TRUE(one.insert(KindPattern("tensor.*")));
  EXPECT_TRUE(kept.insert(more));
  EXPECT_FALSE(kept.has("tensor.*"));
  EXPECT_FALSE(other.has("tensor.*"));
  EXPECT_TRUE(kept.has("arith.*"));
}

TEST(KindSetTest, IncludesWhatItHasAllPatternsOf) {
  KindSet all({"arith.*", "scf.for", "tensor.pad"});
  KindSet some({"scf.for", "arith.*"});
  EXPECT_TRUE(all.includes(some));
  EXPECT_FALSE(some.includes(all));
  EXPECT_TRUE(some.includes(KindSet()));
  EXPECT_FALSE(KindSet().includes(some));
  // Asked again, after either has changed.
  EXPECT_TRUE(some.insert(KindPattern("scf.if")));
  EXPECT_FALSE(all.includes(some));
  EXPECT_TRUE(all.insert(some));
  EXPECT_TRUE(all.includes(some));
  all.erase({"scf.if"});
  EXPECT_FALSE(all.includes(some));
}

TEST(KindSetTest, HoldsAnyNumberOfKinds) {
  std::deque<std::string> names;
  for (unsigned i = 0; i < 300; ++i)
    names.push_back("d" + std::to_string(i % 7) + ".op" + std::to_string(i));
  auto pattern = [&](unsigned i) { return KindPattern::of(names[i]); };
  KindSet even, odd;
  for (unsigned i = 0; i < 300; ++i)
    EXPECT_TRUE((i % 2 == 0 ? even : odd).insert(pattern(i)));
  for (unsigned i = 0; i < 300; ++i) {
    EXPECT_EQ(even.has(pattern(i)), i % 2 == 0) << names[i];
    EXPECT_EQ(odd.contains(pattern(i)), i % 2 == 1) << names[i];
  }
  KindSet all = even;
  EXPECT_TRUE(all.insert(odd));
  EXPECT_FALSE(all.insert(even));
  EXPECT_EQ(all.getPatterns().size(), 300u);
  all.erase({"d3.*"});
  for (unsigned i = 0; i < 300; ++i)
    EXPECT_EQ(all.has(pattern(i)), i % 7 != 3) << names[i];
  EXPECT_TRUE(all.insert(pattern(3)));
  EXPECT_TRUE(all.has(pattern(3)));
}

/// The parts of a pattern that depend neither on its place nor on time.
static void expectSame(KindPattern literal) {
  std::string text = literal.getText().str();
  KindPattern read = KindPattern::of(text);
  EXPECT_EQ(literal.getHash(), read.getHash()) << text;
  EXPECT_EQ(literal.getDialectBits(), read.getDialectBits()) << text;
  EXPECT_EQ(literal.getKind(), read.getKind()) << text;
  EXPECT_EQ(literal.getProperty(), read.getProperty()) << text;
  EXPECT_TRUE(literal == read);
}

TEST(KindPatternTest, IsTheSameWhenItIsReadAsWhenItIsCompiled) {
  expectSame("*");
  expectSame("scf.if");
  expectSame("scf.for?");
  expectSame("arith.addi");
  expectSame("linalg.generic?static");
  expectSame("bufferization.to_tensor?may-alias");
  expectSame("!memref");
  expectSame("$isolated");
}

TEST(KindPatternTest, OpsOfADialectShareABit) {
  EXPECT_EQ(KindPattern("bufferization.to_tensor").getDialectBits(),
            KindPattern("bufferization.*").getDialectBits());
  EXPECT_EQ(KindPattern("scf.for?static").getDialectBits(),
            KindPattern("scf.if").getDialectBits());
  EXPECT_EQ(KindPattern("bufferization.*").getDialectBits(),
            KindPattern::getDialectBit("bufferization"));
  EXPECT_EQ(KindPattern("*").getDialectBits(), ~uint64_t(0));
  EXPECT_EQ(KindPattern("$loop").getDialectBits(), ~uint64_t(0));
}
} // namespace
