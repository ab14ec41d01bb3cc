//===- ExactnessTest.cpp - Tests of which results are exact -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/Exactness.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace formwork::transforms;

namespace {
class ExactnessTest : public ::testing::Test {
protected:
  ExactnessTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        memref::MemRefDialect, tensor::TensorDialect>();
  }

  /// A module with one function of this body.
  OwningOpRef<ModuleOp> parse(StringRef arguments, StringRef body) {
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  MLIRContext context;
};
} // namespace

TEST_F(ExactnessTest, SumsAndProductsKeepIntegers) {
  auto module = parse("%a: f32, %b: f32", R"mlir(
%two = arith.constant 2.0 : f32
%s = arith.addf %a, %b : f32
%p = arith.mulf %s, %two : f32
%m = arith.maximumf %p, %a : f32
)mlir");
  EXPECT_TRUE(keepsIntegers(*module));
}

TEST_F(ExactnessTest, WhatRoundsIsNamed) {
  std::string why;
  auto divided = parse("%a: f32, %b: f32", "%q = arith.divf %a, %b : f32");
  EXPECT_FALSE(keepsIntegers(*divided, &why));
  EXPECT_EQ(why, "arith.divf");
  auto constant = parse("%a: f32", "%h = arith.constant 0.5 : f32");
  EXPECT_FALSE(keepsIntegers(*constant, &why));
  EXPECT_EQ(why, "arith.constant");
  auto exponential = parse("%a: f32", "%e = math.exp %a : f32");
  EXPECT_FALSE(keepsIntegers(*exponential, &why));
  EXPECT_EQ(why, "math.exp");
}

TEST_F(ExactnessTest, TheNarrowestFloatLimits) {
  EXPECT_TRUE(std::isinf(
      getExactLimit(*parse("%a: i32", "%s = arith.addi %a, %a : i32"))));
  EXPECT_EQ(getExactLimit(*parse("%a: f32", "%s = arith.addf %a, %a : f32")),
            double(1 << 24));
  EXPECT_EQ(getExactLimit(
                *parse("%a: f16, %b: f64", "%s = arith.extf %a : f16 to f64")),
            double(1 << 11));
}

TEST_F(ExactnessTest, IntegersThatBecomeIndices) {
  EXPECT_FALSE(computesIndices(*parse("%a: f32", "")));
  EXPECT_TRUE(
      computesIndices(*parse("%a: memref<4xf32>, %at: i32",
                             "%i = arith.index_cast %at : i32 to index\n"
                             "%x = memref.load %a[%i] : memref<4xf32>")));
}
