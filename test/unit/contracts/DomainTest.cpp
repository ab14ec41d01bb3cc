//===- DomainTest.cpp - Values of attributes and options --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which values are in a domain, word by word, and which attributes and options
// of a step are outside of those of its contract.
//
//===----------------------------------------------------------------------===//

#include "LanguageFixture.h"

#include "normalforms/Domain.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

class DomainTest : public test::LanguageTest {
protected:
  /// Why the attribute in `text` is outside of the domain of `words`, or "in".
  std::string why(StringRef text, ArrayRef<const char *> words = {},
                  bool isOption = false) {
    Domain domain;
    domain.isOption = isOption;
    for (const char *word : words)
      if (llvm::Error error = domain.add(word))
        return llvm::toString(std::move(error));
    Attribute value = parseAttribute(text, &context);
    EXPECT_TRUE(value) << text.str();
    return domain.getWhyOutside(value).value_or("in");
  }

  /// The values outside of domains in the steps, as "name why".
  std::vector<std::string> getOutside(StringRef steps) {
    OwningOpRef<ModuleOp> module =
        parse(("module attributes {transform.with_named_sequence} {\n"
               "transform.named_sequence @main(%m: !transform.any_op "
               "{transform.consumed}, %p: !transform.param<i64>) {\n" +
               steps + "\ntransform.yield\n}\n}")
                  .str());
    std::vector<std::string> found;
    if (!module)
      return found;
    module->walk([&](transform::TransformOpInterface op) {
      const Contract *contract =
          getBuiltin().lookup(op->getName().getStringRef());
      const Contract *pass = nullptr;
      if (auto name = op->getAttrOfType<StringAttr>("pass_name"))
        pass = getBuiltin().lookupPass(name);
      if (contract)
        for (const OutsideValue &value : getOutsideValues(
                 op, contract->domains,
                 pass ? ArrayRef(pass->domains) : ArrayRef<Domain>()))
          found.push_back((value.isOption ? "option " : "") + value.name + " " +
                          value.why);
    });
    return found;
  }
};

TEST_F(DomainTest, OrdinaryValues) {
  for (StringRef text :
       {"1", "2147483647 : i64", "[32, 8]", "array<i64: 4, 4>", "\"x\"",
        "[\"a\", \"b\"]", "true", "unit", "@f", "f32", "0.0 : f32", "{}",
        "affine_map<(i) -> (i)>", "array<i1: true>", "[8, 8]"})
    EXPECT_EQ(why(text), "in") << text.str();
}

TEST_F(DomainTest, EdgesAreOutside) {
  EXPECT_EQ(why("0"), "is 0, which is less than 1");
  EXPECT_EQ(why("-1"), "is -1, which is less than 1");
  EXPECT_EQ(why("2147483648 : i64"),
            "is 2147483648, which is more than 2147483647");
  EXPECT_EQ(why("-9223372036854775808 : i64"),
            "is MLIR's marker of a size that is not static");
  EXPECT_EQ(why("9223372036854775808 : ui64"), "does not fit into 64 bits");
  EXPECT_EQ(why("[]"), "is an empty list");
  EXPECT_EQ(why("array<i64>"), "is an empty list");
  EXPECT_EQ(why("\"\""), "is an empty text");
  EXPECT_EQ(why("[32, 0]"), "has an element that is 0, which is less than 1");
  EXPECT_EQ(why("[[1], [0]]"),
            "has an element that has an element that is 0, which is less than "
            "1");
  EXPECT_EQ(why("[\"a\", \"a\"]"), "has a twice");
}

TEST_F(DomainTest, Words) {
  EXPECT_EQ(why("0", {"at_least 0"}), "in");
  EXPECT_EQ(why("-1", {"at_least -1"}), "in");
  EXPECT_EQ(why("9", {"at_most 8"}), "is 9, which is more than 8");
  EXPECT_EQ(why("array<i64: 4, -9223372036854775808>", {"dynamic"}), "in");
  EXPECT_EQ(why("[]", {"empty"}), "in");
  EXPECT_EQ(why("\"\"", {"empty"}), "in");
  EXPECT_EQ(why("[1, 1]", {"distinct"}), "has 1 twice");
  EXPECT_EQ(why("[\"a\", \"a\"]", {"repeated"}), "in");
  EXPECT_EQ(why("0", {"is 0"}), "in");
  EXPECT_EQ(why("-1", {"is 0"}), "is -1, which is less than 1");
  EXPECT_EQ(why("\"c\"", {"only a", "only b"}), "is c, which is none of a, b");
  EXPECT_EQ(why("\"b\"", {"only a", "only b"}), "in");
  EXPECT_EQ(why("[-5, []]", {"any"}), "in");
}

TEST_F(DomainTest, WordsThatThereAreNot) {
  for (const char *word : {"", "some", "at_least", "at_least x", "is", "only",
                           "empty 1", "at_most 0"})
    EXPECT_EQ(why("1", {word}).substr(0, 31), "requires a word of a domain ('a")
        << word;
}

// Options are often texts that stand for numbers.
TEST_F(DomainTest, TextsOfOptions) {
  EXPECT_EQ(why("\"0\"", {}, /*isOption=*/true), "is 0, which is less than 1");
  EXPECT_EQ(why("\"4,0\"", {}, /*isOption=*/true),
            "has an element that is 0, which is less than 1");
  EXPECT_EQ(why("\"4,8\"", {}, /*isOption=*/true), "in");
  EXPECT_EQ(why("\"0\""), "in");
}

TEST_F(DomainTest, OrdinaryStepsAreInside) {
  EXPECT_THAT(getOutside(R"(
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [8, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2, %k = transform.structured.tile_using_for %1 tile_sizes [%p] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %3 = transform.get_parent_op %2 : (!transform.any_op) -> !transform.any_op
    %4 = transform.get_producer_of_operand %2[0] : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %2 : !transform.any_op
    transform.apply_patterns to %m { transform.apply_patterns.canonicalization } : !transform.any_op
    %5 = transform.param.constant 0 : i64 -> !transform.param<i64>
    transform.annotate %3 "mark" = %5 : !transform.any_op, !transform.param<i64>)"),
              IsEmpty());
}

TEST_F(DomainTest, EdgesOfStepsAreOutside) {
  EXPECT_THAT(getOutside(R"(
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [-1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x:3 = transform.structured.multitile_sizes %1 {dimension = 0, target_size = 0} : (!transform.any_op) -> !transform.any_op)"),
              ElementsAre("static_sizes has an element that is -1, which is "
                          "less than 0",
                          "target_size is 0, which is less than 1"));
}

TEST_F(DomainTest, OptionsOfAStep) {
  EXPECT_THAT(getOutside(R"(
    %0 = transform.apply_registered_pass "scf-parallel-loop-tiling" with options = {"parallel-loop-tile-sizes" = [4, 0], "no-min-max-bounds" = true} to %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "scf-parallel-loop-tiling" with options = {"parallel-loop-tile-sizes" = [%p, 8]} to %0 : (!transform.any_op, !transform.param<i64>) -> !transform.any_op)"),
              ElementsAre("option parallel-loop-tile-sizes has an element that "
                          "is 0, which is less than 1"));
}

} // namespace
