//===- ResourceUsageTest.cpp - What a kernel takes of a GPU -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/ResourceUsage.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace formwork::transforms;
using testing::ElementsAre;
using testing::Pair;

static std::pair<int64_t, std::string> occupy(unsigned architecture,
                                              int64_t threads,
                                              int64_t registers,
                                              int64_t workgroupBytes) {
  Occupancy occupancy =
      computeOccupancy(architecture, threads, registers, workgroupBytes);
  return {occupancy.warps, occupancy.limitedBy};
}

TEST(ResourceUsage, NamesWhatLimitsTheOccupancy) {
  EXPECT_THAT(occupy(90, 1024, 32, 0), Pair(64, "warps"));
  EXPECT_THAT(occupy(90, 32, 32, 0), Pair(32, "blocks"));
  // 125 registers are 4096 of a warp: 16 warps, two blocks of 8.
  EXPECT_THAT(occupy(80, 256, 125, 16384), Pair(16, "registers"));
  // 48 KiB and 1 KiB of the system's: three times in 164 KiB.
  EXPECT_THAT(occupy(80, 128, 32, 49152), Pair(12, "workgroup memory"));
  EXPECT_THAT(occupy(86, 128, 32, 49152), Pair(8, "workgroup memory"));
  EXPECT_THAT(occupy(75, 1024, 32, 0), Pair(32, "warps"));
  EXPECT_EQ(computeOccupancy(1, 32, 32, 0).maxWarps, 0);
}

TEST(ResourceUsage, ReadsEachKernel) {
  auto kernels = readResourceUsage(R"(
.visible .entry first(
.maxntid 16, 8, 1
	ld.global.nc.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
	@%p1 ld.global.L1::no_allocate.v2.b64 {%rd2, %rd3}, [%rd1];
	st.global.b16 [%rd1], %rs1;
	ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
}
.visible .entry second(
	st.global.v2.f32 [%rd1], {%f1, %f2};
}
)",
                                   R"(
ptxas info    : Compiling entry function 'second' for 'sm_80'
ptxas info    : Function properties for second
    8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 520 bytes cmem[0]
ptxas info    : Compiling entry function 'first' for 'sm_80'
ptxas info    : Used 40 registers, used 1 barriers, 4096 bytes smem
)",
                                   "sm_80");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "first");
  EXPECT_EQ(kernels[0].threads, 128);
  EXPECT_EQ(kernels[0].registers, 40);
  EXPECT_EQ(kernels[0].workgroupBytes, 4096);
  EXPECT_THAT(kernels[0].loads, ElementsAre(Pair(16, 2)));
  EXPECT_THAT(kernels[0].stores, ElementsAre(Pair(2, 1)));
  EXPECT_EQ(kernels[0].occupancy.maxWarps, 64);
  EXPECT_EQ(kernels[1].spillBytes, 20);
  EXPECT_EQ(kernels[1].registers, 255);
  EXPECT_THAT(kernels[1].stores, ElementsAre(Pair(8, 1)));
  // It does not say how many threads it has.
  EXPECT_EQ(kernels[1].occupancy.maxWarps, 0);
}
