//===- RandomKernelTest.cpp - Random kernels against an oracle ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small kernels made at random: in each epoch every thread performs some
// accesses of computed slots of workgroup memory. The oracle compares all pairs
// of accesses. Set FORMWORK_TEST_SEED to repeat a run or to try others.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <cstdlib>
#include <random>

using namespace formwork::transforms::emulate;

namespace {

constexpr uint32_t numSlots = 16;

/// Thread t of those with `first <= t < last` accesses slot
/// (t * factor + offset) % numSlots, an i32.
struct Step {
  AccessKind kind;
  uint32_t factor, offset, first, last;

  uint32_t slot(uint32_t t) const { return (t * factor + offset) % numSlots; }
};

/// The steps of each epoch, between which stands a barrier.
struct RandomKernel {
  uint32_t numThreads;
  std::vector<std::vector<Step>> epochs;

  static RandomKernel make(std::mt19937_64 &random) {
    auto pick = [&](uint32_t n) { return uint32_t(random() % n); };
    RandomKernel kernel;
    kernel.numThreads = 1 + pick(40);
    kernel.epochs.resize(1 + pick(3));
    for (std::vector<Step> &steps : kernel.epochs) {
      for (uint32_t i = 0, n = 1 + pick(3); i != n; ++i) {
        const AccessKind kinds[] = {AccessKind::Read, AccessKind::Write,
                                    AccessKind::Atomic};
        uint32_t first = pick(kernel.numThreads);
        steps.push_back({kinds[pick(3)], pick(4), pick(numSlots), first,
                         first + 1 + pick(6)});
      }
    }
    return kernel;
  }

  std::string print() const {
    std::string text = R"(
      @w = internal addrspace(3) global [16 x i32] poison
      declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      declare void @llvm.nvvm.barrier0()
      define ptx_kernel void @k() {
        %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        br label %step0
)";
    unsigned i = 0;
    for (const std::vector<Step> &steps : epochs) {
      for (const Step &step : steps) {
        const char *access =
            step.kind == AccessKind::Read
                ? "%v{0} = load volatile i32, ptr addrspace(3) %p{0}"
            : step.kind == AccessKind::Write
                ? "store i32 %t, ptr addrspace(3) %p{0}"
                : "%v{0} = atomicrmw add ptr addrspace(3) %p{0}, i32 1 "
                  "monotonic";
        text += llvm::formatv(R"(
      step{0}:
        %a{0} = sub i32 %t, {1}
        %c{0} = icmp ult i32 %a{0}, {2}
        br i1 %c{0}, label %access{0}, label %after{0}
      access{0}:
        %m{0} = mul i32 %t, {3}
        %n{0} = add i32 %m{0}, {4}
        %s{0} = urem i32 %n{0}, {5}
        %p{0} = getelementptr i32, ptr addrspace(3) @w, i32 %s{0}
)",
                              i, step.first, step.last - step.first,
                              step.factor, step.offset, numSlots);
        text += llvm::formatv(access, i).str() + "\n";
        text += llvm::formatv(
            R"(
        br label %after{0}
      after{0}:
        {1}
        br label %step{2}
)",
            i, &step == &steps.back() ? "call void @llvm.nvvm.barrier0()" : "",
            i + 1);
        ++i;
      }
    }
    return text + llvm::formatv("step{0}:\n ret void }\n", i).str();
  }

  /// Whether two accesses race, by the definition.
  bool races() const {
    for (const std::vector<Step> &steps : epochs)
      for (const Step &a : steps)
        for (const Step &b : steps)
          for (uint32_t t = a.first; t < std::min(a.last, numThreads); ++t)
            for (uint32_t u = b.first; u < std::min(b.last, numThreads); ++u)
              if (t != u && a.slot(t) == b.slot(u) &&
                  (a.kind == AccessKind::Write ||
                   (a.kind == AccessKind::Atomic &&
                    b.kind == AccessKind::Read)))
                return true;
    return false;
  }
};

TEST(RandomKernel, ReportsRaceExactlyWhenTheOracleDoes) {
  const char *variable = std::getenv("FORMWORK_TEST_SEED");
  uint64_t seed = variable ? std::strtoull(variable, nullptr, 10) : 4711;
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  unsigned racy = 0;
  const unsigned total = 150;
  for (unsigned run = 0; run != total; ++run) {
    RandomKernel kernel = RandomKernel::make(random);
    std::string text = kernel.print();
    std::unique_ptr<DeviceModule> module = load(text);
    ASSERT_TRUE(module) << text;
    racy += kernel.races();
    for (std::optional<uint64_t> order : threadOrders()) {
      LaunchReport report =
          launch(*module, {2, 1, 1}, {kernel.numThreads, 1, 1}, {}, order);
      EXPECT_TRUE(report.divergences.empty() && report.outOfBounds.empty());
      ASSERT_EQ(!report.races.empty(), kernel.races())
          << "FORMWORK_TEST_SEED=" << seed << ", run " << run << ", threads "
          << kernel.numThreads << text;
    }
  }
  // Neither answer is the only one.
  EXPECT_GT(racy, total / 10);
  EXPECT_LT(racy, total * 9 / 10);
}

} // namespace
