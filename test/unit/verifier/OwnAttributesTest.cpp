//===- OwnAttributesTest.cpp - What ops have without being given it -------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/OwnAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::normalforms;

namespace {

class OwnAttributesTest : public ::testing::Test {
protected:
  OwnAttributesTest() {
    context.loadDialect<arith::ArithDialect>();
    context.allowUnregisteredDialects();
  }

  bool mayHaveAll(ArrayRef<KindPattern> kinds, ArrayRef<StringRef> names) {
    auto attrs = llvm::map_to_vector(
        names, [&](StringRef name) { return StringAttr::get(&context, name); });
    return attributes.mayHaveAll(&context, kinds, attrs);
  }

  MLIRContext context;
  OwnAttributes attributes;
};

TEST_F(OwnAttributesTest, AnOpHasThoseOfItsDefinition) {
  EXPECT_TRUE(mayHaveAll({"arith.constant"}, {"value"}));
  EXPECT_FALSE(mayHaveAll({"arith.constant"}, {"predicate"}));
  EXPECT_FALSE(mayHaveAll({"arith.constant"}, {"value", "mark"}));
  EXPECT_TRUE(mayHaveAll({"arith.addi", "arith.constant"}, {"value"}));
  EXPECT_TRUE(mayHaveAll({"arith.constant?static"}, {"value"}));
}

TEST_F(OwnAttributesTest, OneOpOfADialectHasThemAll) {
  EXPECT_TRUE(mayHaveAll({"arith.*"}, {"value"}));
  EXPECT_TRUE(mayHaveAll({"arith.*"}, {"predicate", "fastmath"}));
  // Two ops have one of them each.
  EXPECT_FALSE(mayHaveAll({"arith.*"}, {"value", "predicate"}));
  EXPECT_FALSE(mayHaveAll({"arith.*"}, {"mark"}));
}

TEST_F(OwnAttributesTest, AnyOpIsARegisteredOne) {
  for (KindPattern kind : {KindPattern("*"), KindPattern("$loop")}) {
    EXPECT_TRUE(mayHaveAll(kind, {"value"}));
    EXPECT_FALSE(mayHaveAll(kind, {"mark"}));
  }
}

TEST_F(OwnAttributesTest, WhatIsLoadedLaterCounts) {
  EXPECT_TRUE(mayHaveAll({"unknown.op"}, {"mark"}));
  EXPECT_TRUE(mayHaveAll({"memref.*"}, {"mark"}));
  EXPECT_TRUE(mayHaveAll({"memref.load"}, {"mark"}));
  context.loadDialect<memref::MemRefDialect>();
  EXPECT_FALSE(mayHaveAll({"memref.*"}, {"mark"}));
  EXPECT_TRUE(mayHaveAll({"memref.*"}, {"alignment"}));
  EXPECT_TRUE(mayHaveAll({"memref.load"}, {"alignment"}));
}

} // namespace
