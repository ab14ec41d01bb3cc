//===- TagsTest.cpp - What is known of attributes ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Tags.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace formwork::verifier;

namespace {
class TagsTest : public ::testing::Test {
protected:
  StringAttr name(StringRef text) { return builder.getStringAttr(text); }
  DictionaryAttr read(StringRef text) {
    NamedAttrList list;
    for (StringRef rest = text; !rest.empty(); rest = rest.drop_front(2))
      list.append(rest.take_front(1), builder.getI64IntegerAttr(rest[1] - '0'));
    return list.getDictionary(&context);
  }
  Tags make(StringRef given, StringRef set) {
    Tags tags(read(given));
    for (; !set.empty(); set = set.drop_front(2))
      tags.set(name(set.take_front(1)),
               builder.getI64IntegerAttr(set[1] - '0'));
    return tags;
  }
  std::set<std::string> getNames(const Tags &tags) {
    std::set<std::string> names;
    tags.forEachName([&](StringAttr each) { names.insert(each.str()); });
    return names;
  }

  MLIRContext context;
  Builder builder{&context};
};
} // namespace

TEST_F(TagsTest, SetsInAnyOrder) {
  Tags tags = make("b1", "c2a3b4c5");
  EXPECT_EQ(tags.getKnown(), read("a3b4c5"));
  EXPECT_EQ(tags.get(name("c")), builder.getI64IntegerAttr(5));
  EXPECT_EQ(tags.get(name("d")), nullptr);
  EXPECT_TRUE(tags.mayBe(read("a3b4c5")));
  EXPECT_FALSE(tags.mayBe(read("a3b4")));
  EXPECT_FALSE(tags.mayBe(read("a3b4c2")));
  EXPECT_EQ(getNames(tags), (std::set<std::string>{"a", "b", "c"}));
  EXPECT_FALSE(make("", "a1").isEmpty());
  EXPECT_TRUE(make("", "").isEmpty());
}

TEST_F(TagsTest, JoinsWhatWasGivenWithWhatWasSet) {
  Tags same = make("a1b2", "");
  same.join(make("", "b2a1"));
  EXPECT_FALSE(same.isOpen(name("a")) || same.isOpen(name("b")));
  Tags differs = make("a1", "b2c3");
  differs.join(make("a1", "b4d5"));
  EXPECT_FALSE(differs.isOpen(name("a")) || differs.isOpen(name("e")));
  EXPECT_TRUE(differs.isOpen(name("b")) && differs.isOpen(name("c")) &&
              differs.isOpen(name("d")));
  differs.set(name("b"), builder.getI64IntegerAttr(6));
  EXPECT_FALSE(differs.isOpen(name("b")));
  EXPECT_EQ(differs.get(name("b")), builder.getI64IntegerAttr(6));
  Tags unknown = make("a1", "b2");
  unknown.join(Tags());
  EXPECT_FALSE(unknown.isKnown());
  EXPECT_TRUE(unknown.isOpen(name("b")));
}

TEST_F(TagsTest, FindsEachOfManyNames) {
  auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  auto many = [&](int64_t i) { return name("n" + std::to_string(i)); };
  Tags first = make("a1", "");
  for (int64_t i = 0; i < 40; ++i)
    first.set(many(i), number(i));
  // Each copy finds its own last one only.
  Tags second = first;
  first.set(name("x"), number(7));
  second.set(name("y"), number(8));
  second.makeOpen(many(3));
  for (int64_t i = 0; i < 40; ++i)
    EXPECT_EQ(first.get(many(i)), number(i));
  EXPECT_EQ(first.get(name("x")), number(7));
  EXPECT_EQ(first.get(name("y")), nullptr);
  EXPECT_EQ(second.get(name("x")), nullptr);
  EXPECT_EQ(second.get(name("y")), number(8));
  EXPECT_TRUE(second.isOpen(many(3)));
  EXPECT_EQ(first.getKnown().size(), 42u);
  EXPECT_EQ(second.getKnown().size(), 41u);
  first.join(second);
  for (int64_t i = 0; i < 40; ++i)
    EXPECT_EQ(first.isOpen(many(i)), i == 3);
  EXPECT_TRUE(first.isOpen(name("x")) && first.isOpen(name("y")));
}
