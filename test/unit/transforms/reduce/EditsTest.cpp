//===- EditsTest.cpp - Tests of single edits of a pair ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reduce/Edits.h"
#include "transforms/reduce/Reduce.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::transforms;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {
class EditsTest : public ::testing::Test {
protected:
  EditsTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, tensor::TensorDialect>();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module;
  }

  /// The text of the module, after a check that it verifies.
  static std::string print(ModuleOp module) {
    EXPECT_TRUE(succeeded(verify(module)));
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  /// The numbers of the operations called `name`.
  static SmallVector<unsigned> find(ModuleOp module, StringRef name) {
    SmallVector<unsigned> numbers;
    for (auto [number, op] : llvm::enumerate(listReducible(module, "f")))
      if (op->getName().getStringRef() == name)
        numbers.push_back(number);
    return numbers;
  }

  MLIRContext context;
};
} // namespace

static constexpr llvm::StringLiteral kSums = R"mlir(
func.func @f(%a: f32, %b: f32) -> f32 {
  %c = arith.addf %a, %b {mine} : f32
  %d = arith.mulf %c, %b : f32
  %e = arith.negf %d : f32
  return %e : f32
})mlir";

TEST_F(EditsTest, CountsWhatCanGo) {
  auto module = parse(kSums);
  SmallVector<StringRef> names;
  for (Operation *op : listReducible(*module, "f"))
    names.push_back(op->getName().getStringRef());
  EXPECT_THAT(names, ElementsAre("arith.addf", "arith.mulf", "arith.negf"));
  EXPECT_EQ(listReducible(*module, "other").size(), 4u)
      << "a function that is no entry counts";
}

TEST_F(EditsTest, ErasesWithUsers) {
  auto module = parse(R"mlir(
func.func @f(%a: f32) -> f32 {
  %c = arith.addf %a, %a : f32
  %d = arith.mulf %c, %a : f32
  return %a : f32
})mlir");
  EXPECT_TRUE(eraseWithUsers(*module, "f", 0, 1));
  EXPECT_THAT(print(*module), Not(HasSubstr("arith.")));
}

TEST_F(EditsTest, LeavesWhatATerminatorUses) {
  auto module = parse(kSums);
  EXPECT_FALSE(eraseWithUsers(*module, "f", 0, 1));
}

TEST_F(EditsTest, BypassesByAnOperandOfTheType) {
  auto module = parse(kSums);
  EXPECT_TRUE(bypass(*module, "f", 1));
  std::string text = print(*module);
  EXPECT_THAT(text, Not(HasSubstr("arith.mulf")));
  EXPECT_THAT(text, HasSubstr("arith.negf"));
  auto other = parse(R"mlir(
func.func @f(%a: f32) -> f64 {
  %c = arith.extf %a : f32 to f64
  return %c : f64
})mlir");
  EXPECT_FALSE(bypass(*other, "f", 0)) << "no operand is of its type";
}

TEST_F(EditsTest, MakesArguments) {
  auto module = parse(kSums);
  EXPECT_TRUE(makeArgument(*module, "f", 1));
  auto function = cast<func::FuncOp>(module->lookupSymbol("f"));
  EXPECT_EQ(function.getNumArguments(), 3u);
  EXPECT_THAT(print(*module), Not(HasSubstr("arith.mulf")));
}

TEST_F(EditsTest, DropsAttributes) {
  auto module = parse(kSums);
  bool isDropped = false;
  for (unsigned i = 0; i < 4 && !isDropped; ++i)
    isDropped = dropAttribute(*module, "f", 0, i) &&
                !StringRef(print(*module)).contains("mine");
  EXPECT_TRUE(isDropped);
  EXPECT_FALSE(dropAttribute(*module, "f", 2, 99)) << "there is none";
}

TEST_F(EditsTest, DropsArgumentsAndResults) {
  auto module = parse(R"mlir(
func.func @f(%a: f32, %b: f32) -> (f32, f32) {
  return %a, %a : f32, f32
})mlir");
  EXPECT_FALSE(dropArgument(*module, "f", 0)) << "it is used";
  EXPECT_TRUE(dropArgument(*module, "f", 1));
  EXPECT_TRUE(dropResult(*module, "f", 1));
  auto function = cast<func::FuncOp>(module->lookupSymbol("f"));
  EXPECT_EQ(function.getNumArguments(), 1u);
  EXPECT_EQ(function.getNumResults(), 1u);
  (void)print(*module);
}

TEST_F(EditsTest, KeepsTheResultsThatCallersTake) {
  auto module = parse(R"mlir(
func.func @f(%a: f32) -> f32 {
  return %a : f32
}
func.func @g(%a: f32) -> f32 {
  %r = call @f(%a) : (f32) -> f32
  return %r : f32
})mlir");
  EXPECT_FALSE(dropResult(*module, "f", 0));
}

TEST_F(EditsTest, ShrinksExtentsEverywhere) {
  auto module = parse(R"mlir(
func.func @f(%a: tensor<64x32xf32>) -> tensor<64x8xf32> {
  %s = tensor.extract_slice %a[0, 8] [64, 8] [1, 1] : tensor<64x32xf32> to tensor<64x8xf32>
  return %s : tensor<64x8xf32>
})mlir");
  EXPECT_THAT(listExtents(*module), ElementsAre(64, 32, 8));
  EXPECT_TRUE(shrinkExtent(*module, 64, 4));
  EXPECT_THAT(listExtents(*module), ElementsAre(32, 8, 4));
  EXPECT_THAT(print(*module), HasSubstr("[4, 8] [1, 1]"));
  std::string before = print(*module);
  (void)shrinkExtent(*module, 77, 4);
  EXPECT_EQ(print(*module), before) << "nothing has that extent";
}

TEST_F(EditsTest, PrintsAPairThatIsReadAgain) {
  auto payload = parse(kSums);
  auto schedule = parse(R"mlir(
module attributes {test.schedule} {
})mlir");
  std::string text = printPair(*payload, *schedule);
  auto again = parse(text);
  EXPECT_TRUE(again->lookupSymbol("f"));
  EXPECT_THAT(text, HasSubstr("arith.mulf"));
}
