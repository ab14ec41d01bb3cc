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

TEST(Target, ArchitectureIsTheNumberOfTheName) {
  EXPECT_EQ(lookupTarget("sm_70")->getArchitecture(), 70u);
  EXPECT_EQ(lookupTarget("sm_90a")->getArchitecture(), 90u);
  EXPECT_EQ(lookupTarget("sm_121")->getArchitecture(), 121u);
}

/// PTX ISA, mma: what came with Volta, Turing, Ampere, Ada and Hopper.
TEST(Target, MmaShapesCameWithAnArchitecture) {
  auto isOn = [](llvm::ArrayRef<int64_t> shape, llvm::StringRef element,
                 llvm::StringRef accumulator, llvm::StringRef target) {
    const MmaShape *row = lookupMmaShape(shape, element, accumulator);
    return row && row->isOn(*lookupTarget(target));
  };
  EXPECT_TRUE(isOn({8, 8, 4}, "f16", "f32", "sm_70"));
  EXPECT_FALSE(isOn({16, 8, 8}, "f16", "f16", "sm_72"));
  EXPECT_TRUE(isOn({16, 8, 8}, "f16", "f16", "sm_75"));
  EXPECT_FALSE(isOn({16, 8, 16}, "f16", "f16", "sm_75"));
  EXPECT_TRUE(isOn({16, 8, 16}, "f16", "f16", "sm_120"));
  EXPECT_FALSE(isOn({16, 8, 4}, "tf32", "f32", "sm_75"));
  EXPECT_FALSE(isOn({16, 8, 16}, "f64", "f64", "sm_80"));
  EXPECT_TRUE(isOn({16, 8, 16}, "f64", "f64", "sm_90a"));
  EXPECT_FALSE(isOn({16, 8, 32}, "e4m3", "f32", "sm_87"));
  EXPECT_TRUE(isOn({16, 8, 32}, "e4m3", "f32", "sm_89"));
  // No architecture has these.
  EXPECT_EQ(lookupMmaShape({16, 16, 16}, "f16", "f16"), nullptr);
  EXPECT_EQ(lookupMmaShape({16, 8, 16}, "bf16", "f16"), nullptr);
  EXPECT_EQ(lookupMmaShape({16, 8}, "f16", "f16"), nullptr);
}

TEST(Target, InstructionsCameWithAnArchitecture) {
  EXPECT_EQ(lookupInstruction("nvvm.barrier0"), nullptr);
  // The longer of two starts counts.
  EXPECT_EQ(
      lookupInstruction("nvvm.cp.async.bulk.commit.group")->firstArchitecture,
      90u);
  EXPECT_EQ(lookupInstruction("nvvm.cp.async.wait.group")->firstArchitecture,
            80u);
  const Instruction *wgmma = lookupInstruction("nvvm.wgmma.mma_async");
  EXPECT_TRUE(wgmma->isOn(*lookupTarget("sm_90a")));
  EXPECT_FALSE(wgmma->isOn(*lookupTarget("sm_90")));
  EXPECT_FALSE(wgmma->isOn(*lookupTarget("sm_100a")));
}
