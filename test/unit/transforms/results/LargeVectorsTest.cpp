//===- LargeVectorsTest.cpp - Tests of loops for large vectors --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/LargeVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::transforms;

namespace {
class LargeVectorsTest : public ::testing::Test {
protected:
  LargeVectorsTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, memref::MemRefDialect,
                        scf::SCFDialect, vector::VectorDialect>();
  }

  /// The number of loops that take the place of `body`, in a function with
  /// `arguments`.
  unsigned countLoops(StringRef arguments, StringRef body) {
    std::string text = ("#mk = affine_map<(m, n, k) -> (m, k)>\n"
                        "#nk = affine_map<(m, n, k) -> (n, k)>\n"
                        "#mn = affine_map<(m, n, k) -> (m, n)>\n"
                        "func.func @f(" +
                        arguments + ") {\n" + body + "\nreturn\n}")
                           .str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    lowerLargeVectors(*module);
    EXPECT_TRUE(succeeded(verify(*module)));
    unsigned loops = 0;
    module->walk([&](scf::ForOp) { ++loops; });
    return loops;
  }

  /// Loops for a product of `rows` x 16 elements of `factor`, combined by
  /// `kind`.
  unsigned countProduct(int64_t rows, StringRef factor, StringRef sum,
                        StringRef kind = "add") {
    std::string lhs = ("vector<" + Twine(rows) + "x16x" + factor + ">").str();
    std::string rhs = ("vector<16x16x" + factor + ">").str();
    std::string result = ("vector<" + Twine(rows) + "x16x" + sum + ">").str();
    return countLoops(
        ("%a: " + Twine(lhs) + ", %b: " + rhs + ", %c: " + result).str(),
        ("%r = vector.contract {indexing_maps = [#mk, #nk, #mn], "
         "iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = "
         "#vector.kind<" +
         Twine(kind) + ">} %a, %b, %c : " + lhs + ", " + rhs + " into " +
         result)
            .str());
  }

  MLIRContext context;
};
} // namespace

TEST_F(LargeVectorsTest, LargeProductsBecomeLoops) {
  EXPECT_EQ(countProduct(16, "f32", "f32"), 3u);
  EXPECT_EQ(countProduct(16, "f16", "f32"), 3u);
  EXPECT_EQ(countProduct(16, "i8", "i32"), 3u);
}

TEST_F(LargeVectorsTest, OtherProductsStay) {
  // Few elements.
  EXPECT_EQ(countProduct(8, "f32", "f32"), 0u);
  // The unrolled code rounds elsewhere.
  EXPECT_EQ(countProduct(16, "f16", "f16"), 0u);
  EXPECT_EQ(countProduct(16, "f32", "f32", "maximumf"), 0u);
  // Bits lie packed in memory.
  EXPECT_EQ(countProduct(16, "i1", "i1"), 0u);
}

TEST_F(LargeVectorsTest, LargeFunctionsBecomeLoops) {
  EXPECT_EQ(countLoops("%a: vector<20x20xf32>",
                       "%r = math.exp %a : vector<20x20xf32>"),
            2u);
  EXPECT_EQ(
      countLoops("%a: vector<8x8xf32>", "%r = math.exp %a : vector<8x8xf32>"),
      0u);
  EXPECT_EQ(countLoops("%a: vector<20x[20]xf32>",
                       "%r = math.exp %a : vector<20x[20]xf32>"),
            0u);
  // Arithmetic is no call for each element.
  EXPECT_EQ(countLoops("%a: vector<20x20xf32>",
                       "%r = arith.addf %a, %a : vector<20x20xf32>"),
            0u);
}

TEST_F(LargeVectorsTest, LargeTranspositionsAndReductionsBecomeLoops) {
  EXPECT_EQ(countLoops("%a: vector<20x20xf32>",
                       "%r = vector.transpose %a, [1, 0] : vector<20x20xf32> "
                       "to vector<20x20xf32>"),
            2u);
  EXPECT_EQ(countLoops("%a: vector<20x20xi1>",
                       "%r = vector.transpose %a, [1, 0] : vector<20x20xi1> "
                       "to vector<20x20xi1>"),
            0u);
  EXPECT_EQ(countLoops("%a: vector<4x20x20xf32>, %b: vector<4x20xf32>",
                       "%r = vector.multi_reduction <maxnumf>, %a, %b [1] : "
                       "vector<4x20x20xf32> to vector<4x20xf32>"),
            3u);
  EXPECT_EQ(countLoops("%a: vector<20x20xf32>, %b: f32",
                       "%r = vector.multi_reduction <add>, %a, %b [0, 1] : "
                       "vector<20x20xf32> to f32"),
            2u);
}
