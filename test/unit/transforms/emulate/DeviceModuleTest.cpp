//===- DeviceModuleTest.cpp - Loading and launching -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "transforms/emulate/DeviceSupport.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace formwork::transforms::emulate;
using testing::HasSubstr;

namespace {

/// Every thread of the grid writes the registers that tell where it is, in a
/// row of 16 numbers.
TEST(DeviceModule, RegistersOfThreeDimensionalGrids) {
  std::string text = R"(
    define internal i32 @linear(i32 %x, i32 %y, i32 %z, i32 %nx, i32 %ny) {
      %a = mul i32 %z, %ny
      %b = add i32 %a, %y
      %c = mul i32 %b, %nx
      %d = add i32 %c, %x
      ret i32 %d
    }
    define ptx_kernel void @k(ptr %out) {
)";
  const std::vector<std::string> registers = {
      "tid.x",   "tid.y",   "tid.z",   "ntid.x",   "ntid.y",   "ntid.z",
      "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
      "laneid",  "warpid",  "nwarpid", "warpsize"};
  for (auto [i, name] : llvm::enumerate(registers))
    text += llvm::formatv("%r{0} = call i32 @llvm.nvvm.read.ptx.sreg.{1}()\n",
                          i, name);
  text += R"(
      %block = call i32 @linear(i32 %r6, i32 %r7, i32 %r8, i32 %r9, i32 %r10)
      %thread = call i32 @linear(i32 %r0, i32 %r1, i32 %r2, i32 %r3, i32 %r4)
      %p = mul i32 %r3, %r4
      %q = mul i32 %p, %r5
      %s = mul i32 %q, %block
      %t = add i32 %s, %thread
      %u = mul i32 %t, 16
)";
  for (unsigned i = 0; i != registers.size(); ++i)
    text += llvm::formatv(R"(
      %i{0} = add i32 %u, {0}
      %p{0} = getelementptr i32, ptr %out, i32 %i{0}
      store i32 %r{0}, ptr %p{0}
)",
                          i);
  text += "ret void }\n";
  std::unique_ptr<DeviceModule> module = load(text);
  ASSERT_TRUE(module);

  const uint32_t grid[] = {2, 3, 4}, block[] = {5, 7, 3};
  std::vector<uint32_t> out(24 * 105 * 16, ~0u);
  EXPECT_TRUE(launch(*module, {2, 3, 4}, {5, 7, 3}, {out.data()}).ok());
  size_t row = 0;
  for (uint32_t b = 0; b != 24; ++b) {
    for (uint32_t t = 0; t != 105; ++t, row += 16) {
      const std::vector<uint32_t> expected = {
          t % 5,  t / 5 % 7, t / 35, block[0], block[1], block[2],
          b % 2,  b / 2 % 3, b / 6,  grid[0],  grid[1],  grid[2],
          t % 32, t / 32,    4,      32};
      ASSERT_EQ(std::vector<uint32_t>(&out[row], &out[row] + 16), expected)
          << "block " << b << ", thread " << t;
    }
  }
}

TEST(DeviceModule, ArgumentsOfEveryKind) {
  auto module = load(R"(
    %pair = type { i8, double }
    define ptx_kernel void @k(ptr addrspace(1) %out, i8 %a, double %b,
                              <4 x float> %c, [2 x i16] %d,
                              ptr byval(%pair) %e) {
      %a32 = zext i8 %a to i32
      %af = uitofp i32 %a32 to double
      store double %af, ptr addrspace(1) %out
      %p1 = getelementptr double, ptr addrspace(1) %out, i32 1
      store double %b, ptr addrspace(1) %p1
      %c2 = extractelement <4 x float> %c, i32 2
      %cf = fpext float %c2 to double
      %p2 = getelementptr double, ptr addrspace(1) %out, i32 2
      store double %cf, ptr addrspace(1) %p2
      %d1 = extractvalue [2 x i16] %d, 1
      %df = uitofp i16 %d1 to double
      %p3 = getelementptr double, ptr addrspace(1) %out, i32 3
      store double %df, ptr addrspace(1) %p3
      %ep = getelementptr %pair, ptr %e, i32 0, i32 1
      %ef = load double, ptr %ep
      %p4 = getelementptr double, ptr addrspace(1) %out, i32 4
      store double %ef, ptr addrspace(1) %p4
      ret void
    })");
  ASSERT_TRUE(module);
  std::vector<double> out(5);
  void *pointer = out.data();
  uint8_t a = 200;
  double b = 2.5;
  float c[] = {0, 1, 42, 3};
  uint16_t d[] = {7, 9};
  struct {
    uint8_t first = 1;
    double second = -3.5;
  } e;
  auto report = module->launch({"k", {}, {}}, {&pointer, &a, &b, c, d, &e});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(out, (std::vector<double>{200, 2.5, 42, 9, -3.5}));
}

TEST(DeviceModule, LibdeviceAndGenericIntrinsics) {
  auto module = load(R"(
    declare float @__nv_expf(float)
    declare double @__nv_pow(double, double)
    declare float @llvm.fma.f32(float, float, float)
    declare float @llvm.nvvm.rcp.approx.ftz.f(float)
    define ptx_kernel void @k(ptr %out) {
      %a = call float @__nv_expf(float 1.0)
      %b = call double @__nv_pow(double 2.0, double 10.0)
      %c = fptrunc double %b to float
      %d = call float @llvm.fma.f32(float %a, float 2.0, float %c)
      %e = call float @llvm.nvvm.rcp.approx.ftz.f(float 4.0)
      %f = fadd float %d, %e
      store float %f, ptr %out
      %g = fptrunc float %f to bfloat
      %p = getelementptr float, ptr %out, i32 1
      store bfloat %g, ptr %p
      ret void
    })");
  ASSERT_TRUE(module);
  std::vector<float> out(2, 0);
  EXPECT_TRUE(launch(*module, {}, {}, {out.data()}).ok());
  float expected = std::fma(std::exp(1.0f), 2.0f, 1024.0f) + 0.25f;
  EXPECT_FLOAT_EQ(out[0], expected);
  uint32_t bits = llvm::bit_cast<uint32_t>(expected);
  EXPECT_EQ(llvm::bit_cast<uint32_t>(out[1]),
            (bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

TEST(DeviceModule, GlobalVariablesAndConstantsOfTheDevice) {
  auto module = load(R"(
    @table = internal addrspace(4) constant [3 x i32] [i32 5, i32 6, i32 7]
    @alias = internal addrspace(1) global ptr addrspacecast (
      ptr addrspace(4) getelementptr ([3 x i32], ptr addrspace(4) @table,
                                      i32 0, i32 2) to ptr)
    define ptx_kernel void @k(ptr %out) {
      %p = load ptr, ptr addrspace(1) @alias
      %v = load i32, ptr %p
      store i32 %v, ptr %out
      ret void
    })");
  ASSERT_TRUE(module);
  int32_t out = 0;
  EXPECT_TRUE(launch(*module, {}, {}, {&out}).ok());
  EXPECT_EQ(out, 7);
}

TEST(DeviceModule, LocalMemoryIsPerThread) {
  auto module = load(R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier0()
    define ptx_kernel void @k(ptr %out) {
      %local = alloca [1000 x i32], addrspace(5)
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %p = getelementptr i32, ptr addrspace(5) %local, i32 %t
      store volatile i32 %t, ptr addrspace(5) %p
      call void @llvm.nvvm.barrier0()
      %v = load volatile i32, ptr addrspace(5) %p
      %q = getelementptr i32, ptr %out, i32 %t
      store i32 %v, ptr %q
      ret void
    })");
  ASSERT_TRUE(module);
  std::vector<int32_t> out(256, -1);
  EXPECT_TRUE(launch(*module, {}, {256, 1, 1}, {out.data()}).ok());
  for (int i = 0; i != 256; ++i)
    EXPECT_EQ(out[i], i);
}

TEST(DeviceModule, DynamicWorkgroupMemoryLiesBehindTheStaticOne) {
  auto module = load(R"(
    @fixed = internal addrspace(3) global [4 x i32] poison
    @dynamic = external addrspace(3) global [0 x i32]
    declare i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
    define ptx_kernel void @k(ptr %out) {
      store i32 11, ptr addrspace(3) @fixed
      store i32 22, ptr addrspace(3) @dynamic
      %last = getelementptr i32, ptr addrspace(3) @dynamic, i32 9
      store i32 33, ptr addrspace(3) %last
      %a = load i32, ptr addrspace(3) @fixed
      %b = load i32, ptr addrspace(3) @dynamic
      %c = load i32, ptr addrspace(3) %last
      %d = add i32 %a, %b
      %e = add i32 %c, %d
      %s = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
      %f = mul i32 %s, 1000
      %g = add i32 %e, %f
      store i32 %g, ptr %out
      ret void
    })");
  ASSERT_TRUE(module);
  int32_t out = 0;
  EXPECT_TRUE(
      launch(*module, {}, {}, {&out}, std::nullopt, /*dynamicBytes=*/40).ok());
  EXPECT_EQ(out, 40066);
  LaunchReport report =
      launch(*module, {}, {}, {&out}, std::nullopt, /*dynamicBytes=*/36);
  ASSERT_EQ(report.outOfBounds.size(), 2u);
  EXPECT_EQ(report.outOfBounds.front().where.buffer, "dynamic");
  EXPECT_EQ(report.outOfBounds.front().where.offset, 36);
  EXPECT_EQ(report.outOfBounds.front().bufferBytes, 36u);
}

TEST(DeviceModule, UnwrittenWorkgroupMemoryIsVisible) {
  auto module = load(R"(
    @w = internal addrspace(3) global [4 x float] poison
    define ptx_kernel void @k(ptr %out) {
      %v = load float, ptr addrspace(3) @w
      %x = fadd float %v, 1.0
      store float %x, ptr %out
      store float 0.0, ptr addrspace(3) @w
      ret void
    })");
  ASSERT_TRUE(module);
  // The second block must not see what the first one wrote.
  float out = 0;
  EXPECT_TRUE(launch(*module, {2, 1, 1}, {}, {&out}).ok());
  EXPECT_TRUE(std::isnan(out));
}

TEST(DeviceModule, LaunchesThatNoDeviceAccepts) {
  auto module = load(R"(
    define ptx_kernel void @k(ptr %out) "nvvm.maxntid"="16,4,1" { ret void })");
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->hasKernel("k"));
  EXPECT_FALSE(module->hasKernel("other"));
  int out = 0;
  void *pointer = &out;
  auto fails = [&](LaunchConfig config, std::vector<void *> arguments) {
    auto report = module->launch(config, arguments);
    return report ? std::string() : llvm::toString(report.takeError());
  };
  EXPECT_EQ(fails({"k", {}, {16, 4, 1}}, {&pointer}), "");
  EXPECT_EQ(fails({"other", {}, {}}, {&pointer}),
            "the module has no kernel 'other'");
  EXPECT_EQ(fails({"k", {}, {}}, {}),
            "launch of 'k' requires 1 arguments but has 0");
  EXPECT_THAT(fails({"k", {}, {2048, 1, 1}}, {&pointer}),
              HasSubstr("at most 1024 threads"));
  EXPECT_THAT(fails({"k", {}, {1, 1, 65}}, {&pointer}),
              HasSubstr("1024 x 1024 x 64"));
  EXPECT_THAT(fails({"k", {}, {65, 1, 1}}, {&pointer}),
              HasSubstr("at most 64 threads"));
  EXPECT_THAT(fails({"k", {1, 65536, 1}, {}}, {&pointer}), HasSubstr("65535"));
  EXPECT_THAT(fails({"k", {0, 1, 1}, {}}, {&pointer}),
              HasSubstr("at least one thread"));
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

std::vector<std::string> getUnsupported(const std::string &text) {
  auto module = tryLoad(text);
  if (module)
    return {};
  std::vector<std::string> names;
  llvm::handleAllErrors(
      module.takeError(),
      [&](const UnsupportedError &error) {
        for (const UnsupportedError::Feature &feature : error.getFeatures())
          names.push_back(feature.name);
      },
      [&](const llvm::ErrorInfoBase &error) {
        names.push_back("other error: " + error.message());
      });
  return names;
}

TEST(DeviceSupport, IntrinsicsByName) {
  EXPECT_THAT(getUnsupported(R"(
        declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
        declare i32 @llvm.nvvm.read.ptx.sreg.clock()
        @w = internal addrspace(3) global i64 poison
        define ptx_kernel void @k(ptr %out) {
          call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @w, i32 1)
          %a = call i32 @llvm.nvvm.read.ptx.sreg.clock()
          %b = call i32 @llvm.nvvm.read.ptx.sreg.clock()
          ret void
        })"),
              testing::ElementsAre("llvm.nvvm.mbarrier.init.shared",
                                   "llvm.nvvm.read.ptx.sreg.clock"));
}

TEST(DeviceSupport, TensorCoreInstruction) {
  EXPECT_THAT(
      getUnsupported(R"(
        declare { <2 x half>, <2 x half> }
          @llvm.nvvm.mma.m16n8k16.row.col.f16.e4m3.e4m3.f16(i32, i32, i32,
            <2 x half>, <2 x half>)
        define ptx_kernel void @k(i32 %a, <2 x half> %c) {
          %d = call { <2 x half>, <2 x half> }
            @llvm.nvvm.mma.m16n8k16.row.col.f16.e4m3.e4m3.f16(i32 %a, i32 %a,
              i32 %a, <2 x half> %c, <2 x half> %c)
          ret void
        })"),
      testing::ElementsAre("llvm.nvvm.mma.m16n8k16.row.col.f16.e4m3.e4m3.f16"));
}

TEST(DeviceSupport, InlineAssembly) {
  EXPECT_THAT(
      getUnsupported(R"(
        define ptx_kernel void @k() {
          call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
          ret void
        })"),
      testing::ElementsAre("inline assembly \"wgmma.fence.sync.aligned;\""));
}

TEST(DeviceSupport, FunctionsAndVariablesFromElsewhere) {
  EXPECT_THAT(getUnsupported(R"(
        @v = external addrspace(1) global i32
        declare i32 @vprintf(ptr, ptr)
        define ptx_kernel void @k(ptr %p) {
          %a = call i32 @vprintf(ptr %p, ptr %p)
          ret void
        })"),
              testing::ElementsAre("the external variable 'v'",
                                   "the function 'vprintf'"));
}

TEST(DeviceSupport, ControlFlowThatNeedsUnboundedStacks) {
  EXPECT_THAT(getUnsupported(R"(
        define i32 @f(i32 %x) {
          %y = call i32 @g(i32 %x)
          ret i32 %y
        }
        define i32 @g(i32 %x) {
          %y = call i32 @f(i32 %x)
          ret i32 %y
        }
        define ptx_kernel void @k(ptr %p, i32 %n) {
          %x = alloca i32, i32 %n
          %f = load ptr, ptr %p
          call void %f()
          call void @llvm.trap()
          ret void
        })"),
              testing::UnorderedElementsAre(
                  "a local array of computed size", "a call through a pointer",
                  "llvm.trap",
                  testing::StartsWith("recursion of the function '")));
}

TEST(DeviceSupport, OtherMemory) {
  EXPECT_THAT(getUnsupported(R"(
        @w = internal addrspace(3) global i32 poison
        @holder = internal addrspace(1) global ptr addrspace(3) @w
        define ptx_kernel void @k(ptr %p, i32 %n) {
          %x = ptrtoint ptr addrspace(3) @w to i32
          store i32 %x, ptr %p
          %q = inttoptr i32 %n to ptr addrspace(7)
          ret void
        })"),
              testing::ElementsAre(
                  "a variable that holds an address of workgroup memory",
                  "an address of workgroup memory as 32-bit integer",
                  "address space 7"));
}

} // namespace
