//===- TargetTest.cpp - What a GPU architecture allows ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/target/Target.h"

#include "gtest/gtest.h"

using namespace formwork::verifier;

TEST(Target, IsFoundByItsExactName) {
  const Target *target = lookupTarget("sm_90");
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->staticWorkgroupBytes, 48 * 1024);
  EXPECT_EQ(target->optInWorkgroupBytes, 227 * 1024);
  EXPECT_EQ(lookupTarget("sm_9"), nullptr);
  EXPECT_EQ(lookupTarget(""), nullptr);
}

TEST(Target, OptInIsNeverLessThanStatic) {
  for (const Target &target : getTargets()) {
    EXPECT_GE(target.optInWorkgroupBytes, target.staticWorkgroupBytes)
        << target.name.str();
    EXPECT_EQ(lookupTarget(target.name), &target);
  }
}
