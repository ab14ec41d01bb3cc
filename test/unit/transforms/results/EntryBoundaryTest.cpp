//===- EntryBoundaryTest.cpp - Tests of what an entry is given --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/EntryBoundary.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/DebugStringHelper.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::transforms;

namespace {
class EntryBoundaryTest : public ::testing::Test {
protected:
  EntryBoundaryTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect, tensor::TensorDialect,
                        vector::VectorDialect>();
  }

  /// The type of a function `signature` afterwards, which returns its first
  /// arguments.
  std::string getType(StringRef signature, StringRef returned = "",
                      std::optional<int64_t> dynamicSize = std::nullopt) {
    std::string text =
        ("func.func @f" + signature + " {\nreturn " + returned + "\n}").str();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    auto entry = module->lookupSymbol<func::FuncOp>("f");
    passElements(entry, dynamicSize);
    EXPECT_TRUE(succeeded(verify(*module))) << debugString(*module);
    return debugString(entry.getFunctionType());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(EntryBoundaryTest, WhatAnEntryPointHasStays) {
  EXPECT_EQ(getType("(%a: tensor<4x?xf32>, %b: memref<4xi32>, %c: index) -> "
                    "tensor<4x?xf32>",
                    "%a : tensor<4x?xf32>", 37),
            "(tensor<4x?xf32>, memref<4xi32>, index) -> tensor<4x?xf32>");
  EXPECT_EQ(getType("(%a: memref<?x?xf16, strided<[?, ?], offset: ?>>)", "", 5),
            "(memref<?x?xf16, strided<[?, ?], offset: ?>>) -> ()");
}

TEST_F(EntryBoundaryTest, ScalarsAndVectorsAreTensors) {
  EXPECT_EQ(getType("(%a: f32, %b: i1) -> (f32, i1)", "%a, %b : f32, i1"),
            "(f32, i1) -> (tensor<f32>, tensor<i1>)");
  EXPECT_EQ(getType("(%a: vector<2x3xf16>) -> vector<2x3xf16>",
                    "%a : vector<2x3xf16>"),
            "(tensor<2x3xf16>) -> tensor<2x3xf16>");
  EXPECT_EQ(getType("(%a: vector<i8>) -> vector<i8>", "%a : vector<i8>"),
            "(tensor<i8>) -> tensor<i8>");
}

TEST_F(EntryBoundaryTest, BuffersOfAnyLayoutLieInMemory) {
  EXPECT_EQ(getType("(%a: memref<4x6xf32, strided<[8, 1], offset: 2>>)"),
            "(memref<32xf32>) -> ()");
  EXPECT_EQ(getType("(%a: memref<4x6xf32, strided<[1, 4]>>)"),
            "(memref<24xf32>) -> ()");
  EXPECT_EQ(getType("(%a: memref<0x6xf32, strided<[8, 1]>>)"),
            "(memref<0xf32>) -> ()");
  // Open sizes are given, and an open stride is that of a row-major layout.
  EXPECT_EQ(
      getType("(%a: memref<?x3xf32, strided<[?, 2], offset: ?>, 1>)", "", 5),
      "(memref<29xf32, 1>) -> ()");
}

TEST_F(EntryBoundaryTest, WhatHasNoElementsOfAKnownTypeStays) {
  for (StringRef type :
       {"vector<4xi7>", "vector<[4]xf32>", "tensor<4xcomplex<f32>>", "i7",
        "memref<4x4xf32, strided<[-4, 1], offset: 12>>",
        "memref<4x?xf32, strided<[1, 4]>>",
        "memref<4x6xf32, affine_map<(i, j) -> (j, i)>>",
        "memref<2x9223372036854775807xf32, strided<[1, 2]>>"})
    EXPECT_EQ(
        getType(("(%a: " + type + ")").str()),
        debugString(FunctionType::get(&context, parseType(type, &context), {})))
        << type.str();
}

TEST_F(EntryBoundaryTest, CallersCallACopy) {
  module = parseSourceString<ModuleOp>(R"mlir(
func.func @f(%a: f32) -> f32 {
  return %a : f32
}
func.func @g(%a: f32) -> f32 {
  %r = func.call @f(%a) : (f32) -> f32
  return %r : f32
}
)mlir",
                                       &context);
  passElements(module->lookupSymbol<func::FuncOp>("f"), std::nullopt);
  EXPECT_TRUE(succeeded(verify(*module)));
  func::CallOp call;
  module->walk([&](func::CallOp op) { call = op; });
  EXPECT_NE(call.getCallee(), "f");
  auto copy = module->lookupSymbol<func::FuncOp>(call.getCallee());
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy.isPrivate());
  EXPECT_EQ(debugString(copy.getFunctionType()), "(f32) -> f32");
}
