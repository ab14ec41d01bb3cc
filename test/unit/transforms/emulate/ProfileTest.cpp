//===- ProfileTest.cpp - Counters against numbers by hand -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "transforms/emulate/EmulatedDevice.h"
#include "transforms/emulate/ProfileReport.h"

#include "gmock/gmock.h"

using namespace formwork::transforms::emulate;
using testing::ElementsAre;

namespace {

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

/// The addresses of 32 lanes, `stride` bytes apart.
std::vector<uint64_t> strided(uint64_t stride, uint64_t start = 0) {
  std::vector<uint64_t> addresses;
  for (uint64_t lane = 0; lane != 32; ++lane)
    addresses.push_back(start + lane * stride);
  return addresses;
}

TEST(Counters, SectorsOfARequest) {
  EXPECT_EQ(countSectors(strided(4), 4), 4u);     // 128 bytes in a row
  EXPECT_EQ(countSectors(strided(4, 16), 4), 5u); // the same, between sectors
  EXPECT_EQ(countSectors(strided(0), 4), 1u);     // one address
  EXPECT_EQ(countSectors(strided(8), 4), 8u);     // every other word
  EXPECT_EQ(countSectors(strided(32), 4), 32u);   // each its own sector
  EXPECT_EQ(countSectors(strided(4096), 4), 32u); // a column
  EXPECT_EQ(countSectors(strided(16), 16), 16u);  // 512 bytes in a row
  EXPECT_EQ(countSectors(strided(2), 2), 2u);
  EXPECT_EQ(countSectors({}, 4), 0u);
}

std::vector<unsigned> allLanes() {
  std::vector<unsigned> lanes(32);
  for (unsigned lane = 0; lane != 32; ++lane)
    lanes[lane] = lane;
  return lanes;
}

void expectWavefronts(const std::vector<uint64_t> &offsets, unsigned bytes,
                      unsigned taken, unsigned least) {
  Wavefronts wavefronts = countWavefronts(offsets, allLanes(), bytes);
  EXPECT_EQ(wavefronts.taken, taken);
  EXPECT_EQ(wavefronts.least, least);
}

TEST(Counters, WavefrontsOfOneWordEach) {
  expectWavefronts(strided(4), 4, 1, 1);
  expectWavefronts(strided(0), 4, 1, 1); // a broadcast
  expectWavefronts(strided(2), 2, 1, 1); // two lanes a word
  // Conflicts of 2 to 32 ways: strides of 2, 4, … 32 words.
  for (unsigned ways = 2; ways <= 32; ways *= 2)
    expectWavefronts(strided(4 * ways), 4, ways, 1);
  // A row of 33 words has none.
  expectWavefronts(strided(4 * 33), 4, 1, 1);
  // An odd stride has none; one of 6 words has two ways.
  expectWavefronts(strided(4 * 5), 4, 1, 1);
  expectWavefronts(strided(4 * 6), 4, 2, 1);
}

TEST(Counters, WavefrontsOfWiderAccesses) {
  expectWavefronts(strided(8), 8, 2, 2);   // two halves of the warp
  expectWavefronts(strided(16), 16, 4, 4); // four quarters
  // Each lane at the same bank: 8 lanes of a quarter, 4 quarters.
  expectWavefronts(strided(128), 16, 32, 4);
  // Rows of 32 f16, as ldmatrix reads them: 64 bytes apart, so four rows of a
  // quarter share their banks. Rows of 40 f16 do not.
  expectWavefronts(strided(64), 16, 16, 4);
  expectWavefronts(strided(80), 16, 4, 4);
  expectWavefronts(strided(0), 16, 4, 4);
}

TEST(Counters, LanesThatTakeNoPart) {
  Wavefronts quarter =
      countWavefronts(llvm::ArrayRef(strided(16)).take_front(8),
                      llvm::ArrayRef(allLanes()).take_front(8), 16);
  EXPECT_EQ(quarter.taken, 1u);
  Wavefronts none = countWavefronts({}, {}, 4);
  EXPECT_EQ(none.taken, 0u);
}

TEST(Counters, Occupancy) {
  auto expectOccupancy = [](const Occupancy &occupancy, unsigned blocks,
                            unsigned warps, llvm::StringRef limit) {
    EXPECT_EQ(occupancy.blocks, blocks);
    EXPECT_EQ(occupancy.warps, warps);
    EXPECT_EQ(occupancy.limit, limit);
  };
  // 65536 / (4 warps * 32 * 240) = 2.1; 222 registers are given out as 224.
  expectOccupancy(computeOccupancy(128, 0, 240), 2, 8, "registers");
  expectOccupancy(computeOccupancy(128, 0, 222), 2, 8, "registers");
  expectOccupancy(computeOccupancy(1024, 0, 32), 2, 64, "threads");
  expectOccupancy(computeOccupancy(1024, 0, 33), 1, 32, "registers");
  expectOccupancy(computeOccupancy(32, 0, 32), 32, 32, "blocks");
  // 228 / (48 + 1) = 4.6
  expectOccupancy(computeOccupancy(128, 48 << 10, 32), 4, 16,
                  "workgroup memory");
  expectOccupancy(computeOccupancy(128, 0, std::nullopt), 16, 64, "threads");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const std::string declarations = R"(
  @w = internal addrspace(3) global [1024 x float] poison, align 16
  declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)";

/// The counts of a launch of `blocks` blocks of `threads` threads; it passes
/// two buffers of 64 KiB.
LaunchProfile count(const std::string &text, uint32_t blocks, uint32_t threads,
                    std::optional<uint64_t> seed = std::nullopt) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto module =
      llvm::parseAssemblyString(declarations + text, diagnostic, *context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str();
    return {};
  }
  auto device = DeviceModule::load(std::move(context), std::move(module),
                                   /*profile=*/true);
  if (!device) {
    ADD_FAILURE() << llvm::toString(device.takeError());
    return {};
  }
  alignas(128) static float in[1 << 14], out[1 << 14];
  LaunchReport report =
      launch(**device, {blocks, 1, 1}, {threads, 1, 1}, {in, out}, seed);
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(report.profile.has_value());
  return report.profile.value_or(LaunchProfile());
}

uint64_t get(const LaunchProfile &profile, InstructionClass kind) {
  return profile.warpInstructions[unsigned(kind)];
}

/// Thread t reads float t * stride and writes float t.
std::string copyWithStride(unsigned stride) {
  return llvm::formatv(R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %i = mul i32 %t, {0}
      %p = getelementptr float, ptr %in, i32 %i
      %v = load float, ptr %p
      %q = getelementptr float, ptr %out, i32 %t
      store float %v, ptr %q
      ret void
    })",
                       stride);
}

TEST(Profile, GlobalSectors) {
  for (unsigned stride : {1, 2, 8, 32}) {
    LaunchProfile profile = count(copyWithStride(stride), 3, 64);
    // Three blocks of two warps.
    EXPECT_EQ(profile.globalLoads.globalRequests, 6u);
    EXPECT_EQ(profile.globalLoads.sectors, 6u * std::min(4 * stride, 32u));
    EXPECT_EQ(profile.globalLoads.globalBytes, 6u * 128);
    EXPECT_EQ(profile.globalStores.sectors, 6u * 4);
    EXPECT_EQ(get(profile, InstructionClass::GlobalLoad), 6u);
    EXPECT_EQ(get(profile, InstructionClass::GlobalStore), 6u);
    EXPECT_EQ(profile.workgroupLoads.requests, 0u);
  }
}

TEST(Profile, NeighbouringAccessesAreJoinedAsForPTX) {
  LaunchProfile profile = count(R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %i = shl i32 %t, 2
      %i1 = or disjoint i32 %i, 1
      %p = getelementptr float, ptr %in, i32 %i
      %p1 = getelementptr i8, ptr %p, i64 4
      %p2 = getelementptr i8, ptr %p, i64 8
      %p3 = getelementptr i8, ptr %p, i64 12
      %a = load float, ptr %p, align 16
      %b = load float, ptr %p1, align 4
      %c = load float, ptr %p2, align 8
      %d = load float, ptr %p3, align 4
      %ab = fadd float %a, %b
      %cd = fadd float %c, %d
      %v = fadd float %ab, %cd
      %q = getelementptr float, ptr %out, i32 %t
      store float %v, ptr %q
      ret void
    })",
                                1, 32);
  EXPECT_EQ(profile.globalLoads.globalRequests, 1u);
  EXPECT_EQ(profile.globalLoads.sectors, 16u);
  EXPECT_EQ(get(profile, InstructionClass::Float), 3u);
}

TEST(Profile, VectorsAreSplitWhereTheirAlignmentIsTooLow) {
  for (unsigned alignment : {4, 8, 16}) {
    LaunchProfile profile = count(llvm::formatv(R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %p = getelementptr <4 x float>, ptr %in, i32 %t
      %v = load volatile <4 x float>, ptr %p, align {0}
      ret void
    })",
                                                alignment),
                                  1, 32);
    EXPECT_EQ(profile.globalLoads.globalRequests, 16u / alignment);
    // Each request touches every sector of the 512 bytes.
    EXPECT_EQ(profile.globalLoads.sectors, 16u / alignment * 16);
    EXPECT_EQ(profile.globalLoads.globalBytes, 512u);
  }
}

TEST(Profile, WorkgroupWavefrontsAndBarriers) {
  // Written by rows, read by columns of a 32 × 32 matrix, in one warp.
  auto transpose = [](unsigned stride) {
    return llvm::formatv(R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %f = uitofp i32 %t to float
      %q = getelementptr float, ptr addrspace(3) @w, i32 %t
      store float %f, ptr addrspace(3) %q
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %i = mul i32 %t, {0}
      %j = and i32 %i, 63
      %p = getelementptr float, ptr addrspace(3) @w, i32 %j
      %v = load float, ptr addrspace(3) %p
      %o = getelementptr float, ptr %out, i32 %t
      store float %v, ptr %o
      ret void
    })",
                         stride)
        .str();
  };
  LaunchProfile plain = count(transpose(1), 2, 64);
  EXPECT_EQ(plain.workgroupStores.workgroupRequests, 4u);
  EXPECT_EQ(plain.workgroupStores.wavefronts, 4u);
  EXPECT_EQ(plain.workgroupLoads.wavefronts, 4u);
  EXPECT_EQ(get(plain, InstructionClass::Barrier), 4u);
  EXPECT_EQ(plain.branches, 0u);
  // Lanes 0 to 31 at words 0, 2, … 62: two of each even bank.
  LaunchProfile conflicts = count(transpose(2), 2, 64);
  EXPECT_EQ(conflicts.workgroupLoads.wavefronts, 8u);
  EXPECT_EQ(conflicts.workgroupLoads.leastWavefronts, 4u);
}

/// Thread t adds up t % 4 + 1 numbers, then all go on together.
const std::string loopOfDifferentLengths = R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %n = and i32 %t, 3
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
      %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
      %o = mul i32 %i, 32
      %at = add i32 %o, %t
      %p = getelementptr float, ptr %in, i32 %at
      %v = load volatile float, ptr %p
      %s1 = fadd float %s, %v
      %i1 = add i32 %i, 1
      %again = icmp ule i32 %i1, %n
      br i1 %again, label %loop, label %exit
    exit:
      %q = getelementptr float, ptr %out, i32 %t
      store float %s1, ptr %q
      ret void
    })";

TEST(Profile, LanesThatLeaveALoopEarly) {
  for (std::optional<uint64_t> seed : threadOrders()) {
    LaunchProfile profile = count(loopOfDifferentLengths, 1, 32, seed);
    // The warp runs the loop four times, with 32, 24, 16 and 8 lanes.
    EXPECT_EQ(profile.globalLoads.globalRequests, 4u);
    EXPECT_EQ(profile.globalLoads.globalBytes, (32u + 24 + 16 + 8) * 4);
    EXPECT_EQ(profile.branches, 4u);
    EXPECT_EQ(profile.divergentBranches, 3u);
    // Behind the loop all lanes are together again.
    EXPECT_EQ(profile.globalStores.globalRequests, 1u);
    EXPECT_EQ(profile.globalStores.sectors, 4u);
  }
}

TEST(Profile, BothPathsOfABranchAreExecuted) {
  // The optimizer would make one store of two that are alike.
  const std::string text = R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %low = icmp ult i32 %t, LIMIT
      %q = getelementptr float, ptr %out, i32 %t
      br i1 %low, label %one, label %two
    one:
      store volatile float 1.0, ptr %q
      br label %join
    two:
      %d = getelementptr double, ptr %out, i32 %t
      store volatile double 2.0, ptr %d
      br label %join
    join:
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %v = load volatile float, ptr %in
      ret void
    })";
  auto withLimit = [&](std::string limit) {
    std::string result = text;
    return result.replace(result.find("LIMIT"), 5, limit);
  };
  // One of two warps diverges at 40, none at 32.
  LaunchProfile diverges = count(withLimit("40"), 1, 64);
  EXPECT_EQ(diverges.globalStores.globalRequests, 3u);
  EXPECT_EQ(diverges.divergentBranches, 1u);
  EXPECT_EQ(diverges.globalLoads.globalRequests, 2u);
  EXPECT_EQ(diverges.globalLoads.sectors, 2u);
  LaunchProfile together = count(withLimit("32"), 1, 64);
  EXPECT_EQ(together.globalStores.globalRequests, 2u);
  EXPECT_EQ(together.divergentBranches, 0u);
  EXPECT_EQ(together.branches, 2u);
}

//===----------------------------------------------------------------------===//
// Sampled blocks
//===----------------------------------------------------------------------===//

TEST(Sampling, CornersAreAlwaysAmongTheBlocks) {
  EXPECT_THAT(sampleBlocks({4, 3, 1}, 1), ElementsAre(0, 3, 8, 11));
  EXPECT_THAT(sampleBlocks({5, 1, 1}, 1), ElementsAre(0, 4));
  EXPECT_EQ(sampleBlocks({2, 2, 2}, 3).size(), 8u);
  std::vector<uint64_t> blocks = sampleBlocks({100, 100, 1}, 20);
  EXPECT_EQ(blocks.size(), 20u);
  EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end()));
  EXPECT_EQ(blocks, sampleBlocks({100, 100, 1}, 20));
  EXPECT_EQ(sampleBlocks({3, 3, 1}, 100).size(), 9u);
}

TEST(Sampling, OtherBlocksDoNotRun) {
  auto module = load(R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    define ptx_kernel void @k(ptr %out) {
      %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %q = getelementptr i32, ptr %out, i32 %b
      store i32 7, ptr %q
      ret void
    })");
  ASSERT_TRUE(module);
  std::vector<int32_t> out(1000);
  GlobalMemory memory;
  memory.add(out.data(), out.size() * 4, "out");
  void *pointer = out.data();
  LaunchConfig config{"k", {1000, 1, 1}, {1, 1, 1}};
  config.options.sampledBlocks = 10;
  config.options.sampledKernel = "k";
  config.memory = &memory;
  auto report = module->launch(config, {&pointer});
  ASSERT_TRUE(bool(report));
  EXPECT_EQ(report->numBlocks, 10u);
  unsigned written = 0;
  for (int32_t &value : out) {
    EXPECT_EQ(memory.wasWritten(reinterpret_cast<std::byte *>(&value)),
              value == 7);
    written += value == 7;
  }
  EXPECT_EQ(written, 10u);
  EXPECT_EQ(out.front(), 7);
  EXPECT_EQ(out.back(), 7);
}

} // namespace
