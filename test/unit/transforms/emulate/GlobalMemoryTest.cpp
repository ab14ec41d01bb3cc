//===- GlobalMemoryTest.cpp - Checked accesses of global memory -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "transforms/emulate/EmulatedDevice.h"
#include "transforms/emulate/EmulationFindings.h"
#include "transforms/emulate/GlobalShadow.h"

#include "mlir/IR/MLIRContext.h"

#include <random>

using namespace formwork;
using namespace formwork::transforms::emulate;

namespace {

//===----------------------------------------------------------------------===//
// The shadow
//===----------------------------------------------------------------------===//

/// The definition in the header, without any memory.
bool race(const GlobalEvent &a, const GlobalEvent &b) {
  bool sameThread = a.block == b.block && a.thread == b.thread;
  return !sameThread && (a.write || b.write) && !(a.atomic && b.atomic) &&
         (a.block != b.block || a.epoch == b.epoch);
}

bool reports(const std::vector<GlobalEvent> &events) {
  GlobalShadow shadow(4, 4, /*warpsInStep=*/false);
  EXPECT_TRUE(shadow.isAllocated());
  bool found = false;
  for (const GlobalEvent &event : events) {
    // As the emulator does: such a read is not even shown to the shadow.
    if (!event.write && shadow.isSettled(0, 4))
      continue;
    shadow.access(0, 4, event, [&](const GlobalEvent &earlier, uint64_t at) {
      EXPECT_TRUE(race(earlier, event));
      EXPECT_EQ(at, 0u);
      found = true;
    });
  }
  return found;
}

bool anyPairRaces(const std::vector<GlobalEvent> &events) {
  for (size_t i = 0; i != events.size(); ++i)
    for (size_t j = 0; j != i; ++j)
      if (race(events[i], events[j]))
        return true;
  return false;
}

GlobalEvent makeEvent(uint32_t block, uint32_t thread, uint32_t epoch,
                      bool write, bool atomic = false) {
  GlobalEvent event;
  event.block = block;
  event.place = 1;
  event.epoch = epoch;
  event.thread = thread;
  event.atomic = atomic;
  event.write = write;
  return event;
}

/// All sequences of four accesses by three threads of two blocks, of which each
/// passes its barrier at any time.
TEST(GlobalShadow, AgreesWithTheDefinitionOnAllShortSequences) {
  constexpr int choices = 3 * 2 * 2;
  for (int code = 0; code != choices * choices * choices * choices; ++code) {
    std::vector<GlobalEvent> events;
    uint32_t epochs[2] = {};
    for (int i = 0, rest = code; i != 4; ++i, rest /= choices) {
      int thread = rest % 3;
      uint32_t block = thread == 2;
      epochs[block] += rest / 3 % 2;
      events.push_back(
          makeEvent(block, thread, epochs[block], rest / 6 % 2 == 1));
    }
    ASSERT_EQ(reports(events), anyPairRaces(events)) << code;
  }
}

TEST(GlobalShadow, AgreesWithTheDefinitionOnRandomSequences) {
  const uint64_t seed = 20261121;
  std::mt19937_64 random(seed);
  auto pick = [&](uint32_t n) { return uint32_t(random() % n); };
  unsigned races = 0, total = 50000;
  for (unsigned run = 0; run != total; ++run) {
    uint32_t epochs[3] = {};
    uint32_t writes = 1 + pick(12);
    std::vector<GlobalEvent> events;
    for (uint32_t i = 0, n = 2 + pick(10); i != n; ++i) {
      uint32_t block = pick(1 + pick(3));
      epochs[block] += pick(3) == 0;
      events.push_back(
          makeEvent(block, pick(3), epochs[block], pick(writes) == 0));
    }
    bool expected = anyPairRaces(events);
    races += expected;
    ASSERT_EQ(reports(events), expected) << "seed " << seed << ", run " << run;
  }
  EXPECT_GT(races, total / 4);
  EXPECT_LT(races, total);
}

TEST(GlobalShadow, AtomicsRaceWithPlainAccessesOnly) {
  EXPECT_FALSE(reports({makeEvent(0, 0, 0, true, /*atomic=*/true),
                        makeEvent(1, 0, 0, true, /*atomic=*/true)}));
  EXPECT_TRUE(reports(
      {makeEvent(0, 0, 0, true, /*atomic=*/true), makeEvent(1, 0, 0, false)}));
}

TEST(GlobalShadow, LeavesWarpsInStepAlone) {
  GlobalShadow shadow(4, 4, /*warpsInStep=*/true);
  unsigned found = 0;
  auto access = [&](uint32_t thread, bool write) {
    shadow.access(0, 4, makeEvent(0, thread, 0, write),
                  [&](const GlobalEvent &, uint64_t) { ++found; });
  };
  access(0, true);
  access(31, false);
  EXPECT_EQ(found, 0u);
  access(32, false);
  EXPECT_EQ(found, 1u);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const std::string declarations = R"(
  declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)";

/// Launches kernel "k" on two buffers of 16 floats.
LaunchReport launchOnBuffers(const std::string &body, Dim3 grid, Dim3 block) {
  auto module =
      load(declarations + "define ptx_kernel void @k(ptr %in, ptr %out) {\n" +
           "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
           "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n" +
           body + "ret void\n}\n");
  if (!module)
    return {};
  alignas(16) float in[16] = {}, out[16] = {};
  GlobalMemory memory;
  memory.add(in, sizeof in, "in");
  memory.add(out, sizeof out, "out");
  void *pointers[] = {in, out};
  void *arguments[] = {&pointers[0], &pointers[1]};
  LaunchConfig config{"k", grid, block};
  config.memory = &memory;
  auto report = module->launch(config, arguments);
  if (report)
    return std::move(*report);
  ADD_FAILURE() << llvm::toString(report.takeError());
  return {};
}

/// "error: …" and "warning: …", a line each.
std::string print(const LaunchReport &report) {
  mlir::MLIRContext context;
  engine::Findings findings;
  addFindings(report, mlir::UnknownLoc::get(&context), findings);
  std::string text;
  for (const engine::Finding &finding : findings.get())
    text +=
        (finding.severity == mlir::DiagnosticSeverity::Error ? "error: "
                                                             : "warning: ") +
        finding.message + " [" + finding.id + "]\n";
  return text;
}

TEST(GlobalMemory, FindsTheBufferOfAnAddress) {
  char memory[64];
  GlobalMemory buffers;
  buffers.add(memory + 8, 16, "a");
  buffers.add(memory + 24, 8, "b");
  auto find = [&](int at) {
    const GlobalBuffer *buffer =
        buffers.find(reinterpret_cast<std::byte *>(memory + at));
    return buffer ? buffer->name : "";
  };
  EXPECT_EQ(find(7), "");
  EXPECT_EQ(find(8), "a");
  EXPECT_EQ(find(23), "a");
  EXPECT_EQ(find(24), "b");
  EXPECT_EQ(find(32), "");
  buffers.remove(memory + 8);
  EXPECT_EQ(find(8), "");
}

TEST(GlobalMemory, ThreadsThatKeepApartAreFine) {
  LaunchReport report = launchOnBuffers(R"(
    %block = mul i32 %b, 4
    %i = add i32 %block, %t
    %p = getelementptr float, ptr %in, i32 %i
    %v = load float, ptr %p
    %q = getelementptr float, ptr %out, i32 %i
    store float %v, ptr %q
  )",
                                        {4, 1, 1}, {4, 1, 1});
  EXPECT_EQ(print(report), "");
}

TEST(GlobalMemory, AnAccessBeyondTheBufferIsReportedAndLeftOut) {
  LaunchReport report = launchOnBuffers(R"(
    %i = add i32 %t, 1000000
    %p = getelementptr float, ptr %out, i32 %i
    store float 1.0, ptr %p
    %q = getelementptr float, ptr %in, i32 -1
    %v = load float, ptr %q
    %r = getelementptr float, ptr %out, i32 %t
    store float %v, ptr %r
  )",
                                        {1, 1, 1}, {2, 1, 1});
  EXPECT_EQ(print(report),
            "error: write requires an address within the 64 bytes of 'out' but "
            "has bytes 4000000 to 4000003 [fw-global-out-of-bounds]\n"
            "error: read requires an address within the 64 bytes of 'in' but "
            "has bytes -4 to -1 [fw-global-out-of-bounds]\n");
}

TEST(GlobalMemory, BlocksThatShareRace) {
  LaunchReport report = launchOnBuffers(R"(
    %v = load float, ptr %out
    %w = fadd float %v, 1.0
    store float %w, ptr %out
  )",
                                        {2, 1, 1}, {1, 1, 1});
  std::string text = print(report);
  EXPECT_NE(text.find("error: read requires an order between it and the write "
                      "of the same global memory by another thread but has "
                      "none [fw-global-race]"),
            std::string::npos)
      << text;
}

TEST(GlobalMemory, ABarrierOrdersTheThreadsOfABlock) {
  auto body = [](const std::string &between) {
    return R"(
      %p = getelementptr float, ptr %out, i32 %t
      store float 1.0, ptr %p
      )" + between +
           R"(
      %o = xor i32 %t, 1
      %q = getelementptr float, ptr %out, i32 %o
      %v = load float, ptr %q
      %r = getelementptr float, ptr %in, i32 %t
      store float %v, ptr %r
    )";
  };
  std::string barrier =
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  EXPECT_EQ(print(launchOnBuffers(body(barrier), {1, 1, 1}, {2, 1, 1})), "");
  EXPECT_NE(print(launchOnBuffers(body(""), {1, 1, 1}, {2, 1, 1})), "");
}

TEST(GlobalMemory, ThreadsThatAllWriteAreAWarning) {
  LaunchReport report =
      launchOnBuffers("store float 1.0, ptr %out\n", {1, 1, 1}, {4, 1, 1});
  EXPECT_EQ(print(report),
            "warning: write requires an order between it and the write of the "
            "same global memory by another thread but has none "
            "[fw-global-race]\n");
}

} // namespace
