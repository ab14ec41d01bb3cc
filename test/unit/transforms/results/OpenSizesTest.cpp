//===- OpenSizesTest.cpp - Tests of sizes that fit each other ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/OpenSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::transforms;
using testing::ElementsAre;

namespace {
class OpenSizesTest : public ::testing::Test {
protected:
  OpenSizesTest() {
    context.loadDialect<func::FuncDialect, linalg::LinalgDialect,
                        memref::MemRefDialect, tensor::TensorDialect>();
  }

  OpenSizes choose(StringRef function, int64_t size) {
    module = parseSourceString<ModuleOp>(function, &context);
    EXPECT_TRUE(module) << function.str();
    return chooseOpenSizes(*module->getOps<func::FuncOp>().begin(), size);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(OpenSizesTest, NothingDemandsAnother) {
  OpenSizes sizes = choose(R"mlir(
func.func @f(%a: memref<?x4xf32>, %n: index, %b: tensor<?xf32>) -> tensor<?xf32> {
  return %b : tensor<?xf32>
})mlir",
                           37);
  EXPECT_THAT(sizes.arguments[0], ElementsAre(37, 4));
  EXPECT_TRUE(sizes.arguments[1].empty());
  EXPECT_THAT(sizes.results[0], ElementsAre(37));
  EXPECT_THAT(sizes.chosen, ElementsAre(37));
}

TEST_F(OpenSizesTest, FactorsFitThroughCasts) {
  OpenSizes sizes = choose(R"mlir(
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %d: tensor<5x64xf32>) -> tensor<?x?xf32> {
  %x = tensor.cast %d : tensor<5x64xf32> to tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.matmul ins(%0, %c : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
})mlir",
                           37);
  EXPECT_THAT(sizes.arguments[0], ElementsAre(37, 5));
  EXPECT_THAT(sizes.arguments[1], ElementsAre(37, 64));
  EXPECT_THAT(sizes.arguments[2], ElementsAre(64, 64));
  EXPECT_THAT(sizes.results[0], ElementsAre(37, 64));
  EXPECT_THAT(sizes.chosen, ElementsAre(5, 37, 64));
}

TEST_F(OpenSizesTest, WindowsFitImages) {
  // Two steps from window to window: 2 * (7 - 1) + 3 rows; 3 windows in 8
  // columns.
  OpenSizes sizes = choose(R"mlir(
func.func @f(%a: memref<1x?x8x4xf32>, %k: memref<3x3xf32>, %o: memref<1x?x?x4xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %k : memref<1x?x8x4xf32>, memref<3x3xf32>) outs(%o : memref<1x?x?x4xf32>)
  return
})mlir",
                           7);
  EXPECT_THAT(sizes.arguments[0], ElementsAre(1, 15, 8, 4));
  EXPECT_THAT(sizes.arguments[2], ElementsAre(1, 7, 3, 4));
}
