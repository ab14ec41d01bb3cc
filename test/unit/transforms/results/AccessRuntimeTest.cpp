//===- AccessRuntimeTest.cpp - Tests of checked memory ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/AccessRuntime.h"

#include "gtest/gtest.h"

using namespace formwork::transforms;

TEST(AccessRuntimeTest, NewMemoryHoldsWhatWasAskedFor) {
  AccessRuntime runtime;
  runtime.setFresh(0x5a);
  char *buffer = runtime.addBuffer(16, "a");
  ASSERT_NE(buffer, nullptr);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(buffer[i], 0x5a);
}

TEST(AccessRuntimeTest, BuffersDoNotTouch) {
  AccessRuntime runtime;
  char *a = runtime.addBuffer(16, "a");
  char *b = runtime.addBuffer(16, "b");
  ASSERT_TRUE(a && b);
  EXPECT_GT(std::abs(a - b), 16);
}

TEST(AccessRuntimeTest, CodeWithoutAccessesHasNoFault) {
  AccessRuntime runtime;
  bool isRun = false;
  EXPECT_FALSE(runtime.run([&] { isRun = true; }));
  EXPECT_TRUE(isRun);
}
