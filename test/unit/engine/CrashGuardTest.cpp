//===- CrashGuardTest.cpp - Tests of CrashGuard.h ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/CrashGuard.h"

#include <csignal>
#include <gtest/gtest.h>

using formwork::engine::survivesCall;

TEST(CrashGuardTest, aCallThatReturns) {
  bool isCalled = false;
  EXPECT_TRUE(survivesCall([&] { isCalled = true; }));
  EXPECT_TRUE(isCalled);
}

TEST(CrashGuardTest, aCallThatCrashesAndTheNextOne) {
  EXPECT_FALSE(survivesCall([] { ::raise(SIGSEGV); }));
  EXPECT_FALSE(survivesCall([] { ::raise(SIGABRT); }));
  EXPECT_TRUE(survivesCall([] {}));
}

TEST(CrashGuardTest, handlersOfSignalsAreAsBefore) {
  struct sigaction before, after;
  ASSERT_EQ(::sigaction(SIGSEGV, nullptr, &before), 0);
  EXPECT_FALSE(survivesCall([] { ::raise(SIGSEGV); }));
  ASSERT_EQ(::sigaction(SIGSEGV, nullptr, &after), 0);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}
