//===- PipelineTest.cpp - An asynchronous pipeline of copies --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <random>

using namespace formwork::transforms::emulate;
using llvm::APFloat;

namespace {

/// Four warps copy tiles of 64 × 16 f16 in stages and multiply each tile by
/// ones: element (row, column) of the 64 × 8 result is the sum of a row of
/// the 64 × (16 * steps) matrix %in, which lies tile by tile.
struct Pipeline {
  unsigned depth = 3, buffers = 3, steps = 8, pending = 1;
  bool waits = true, barrier = true;

  std::string getText() const {
    std::string text = llvm::formatv(R"(
    @w = internal addrspace(3) global [{0} x half] poison, align 16
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier0()
    declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
    declare void @llvm.nvvm.cp.async.commit.group()
    declare void @llvm.nvvm.cp.async.wait.group(i32)
    declare {{ i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
    declare {{ float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
    define ptx_kernel void @k(ptr addrspace(1) %in, ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %offset = mul i32 %t, 8
      %warp = lshr i32 %t, 5
      %lane = and i32 %t, 31
      %warpstart = mul i32 %warp, 256
      %lanerow = and i32 %lane, 15
      %lanestart = mul i32 %lanerow, 16
      %half = lshr i32 %lane, 4
      %halfstart = mul i32 %half, 8
      %row0 = add i32 %warpstart, %lanestart
      %row = add i32 %row0, %halfstart
)",
                                     buffers * 1024);
    // Tile `step` to its buffer, and the group's end.
    auto copy = [&](unsigned step) {
      if (step < steps)
        text += llvm::formatv(
            "%s{0} = add i32 %offset, {1}\n"
            "%g{0} = getelementptr half, ptr addrspace(1) %in, i32 %s{0}\n"
            "%b{0} = add i32 %offset, {2}\n"
            "%q{0} = getelementptr half, ptr addrspace(3) @w, i32 %b{0}\n"
            "call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr "
            "addrspace(3) %q{0}, ptr addrspace(1) %g{0})\n",
            step, step * 1024, step % buffers * 1024);
      text += "call void @llvm.nvvm.cp.async.commit.group()\n";
    };
    for (unsigned step = 0; step + 1 < depth; ++step)
      copy(step);
    std::string c[4] = {"0.0", "0.0", "0.0", "0.0"};
    for (unsigned step = 0; step != steps; ++step) {
      if (waits)
        text += llvm::formatv("call void @llvm.nvvm.cp.async.wait.group(i32 "
                              "{0})\n",
                              pending);
      if (barrier)
        text += "call void @llvm.nvvm.barrier0()\n";
      copy(step + depth - 1);
      text += llvm::formatv(
          "%m{0} = add i32 %row, {1}\n"
          "%n{0} = getelementptr half, ptr addrspace(3) @w, i32 %m{0}\n"
          "%f{0} = call {{ i32, i32, i32, i32 } "
          "@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) "
          "%n{0})\n",
          step, step % buffers * 1024);
      for (unsigned i = 0; i != 4; ++i)
        text += llvm::formatv(
            "%x{0}.{1} = extractvalue {{ i32, i32, i32, i32 } %f{0}, {1}\n"
            "%a{0}.{1} = bitcast i32 %x{0}.{1} to <2 x half>\n",
            step, i);
      text += llvm::formatv(
          "%d{0} = call {{ float, float, float, float } "
          "@llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a{0}.0, <2 x "
          "half> %a{0}.1, <2 x half> %a{0}.2, <2 x half> %a{0}.3, <2 x half> "
          "splat (half 1.0), <2 x half> splat (half 1.0), float {1}, float "
          "{2}, float {3}, float {4})\n",
          step, c[0], c[1], c[2], c[3]);
      for (unsigned i = 0; i != 4; ++i) {
        text += llvm::formatv("%c{0}.{1} = extractvalue {{ float, float, "
                              "float, float } %d{0}, {1}\n",
                              step, i);
        c[i] = llvm::formatv("%c{0}.{1}", step, i);
      }
    }
    // Rows lane / 4 and lane / 4 + 8, all of whose columns are equal.
    return text + llvm::formatv(R"(
      %group = lshr i32 %lane, 2
      %r0 = mul i32 %warp, 16
      %r1 = add i32 %r0, %group
      %r2 = add i32 %r1, 8
      %member = and i32 %lane, 3
      %first = icmp eq i32 %member, 0
      br i1 %first, label %store, label %end
    store:
      %o1 = getelementptr float, ptr %out, i32 %r1
      %o2 = getelementptr float, ptr %out, i32 %r2
      store float {0}, ptr %o1
      store float {1}, ptr %o2
      br label %end
    end:
      ret void
    })",
                                c[0], c[2])
                      .str();
  }

  struct Outcome {
    LaunchReport report;
    bool right;
  };
  Outcome run(bool earlyCopies = false) const {
    auto module = load(getText());
    if (!module)
      return {};
    std::vector<uint16_t> in(steps * 1024);
    std::vector<float> out(64), expected(64);
    for (unsigned i = 0; i != in.size(); ++i) {
      float value = i % 7;
      in[i] = toBits(APFloat::IEEEhalf(), value);
      expected[i % 1024 / 16] += value;
    }
    void *pointers[] = {in.data(), out.data()};
    LaunchConfig config{"k", {1, 1, 1}, {128, 1, 1}};
    config.options.earlyCopies = earlyCopies;
    auto report = module->launch(config, {&pointers[0], &pointers[1]});
    if (!report) {
      ADD_FAILURE() << llvm::toString(report.takeError());
      return {};
    }
    return {std::move(*report), out == expected};
  }
};

TEST(Pipeline, IsRightAndClean) {
  for (unsigned depth : {2, 3, 4})
    for (bool early : {false, true}) {
      Pipeline::Outcome outcome =
          Pipeline{.depth = depth, .buffers = depth, .pending = depth - 2}.run(
              early);
      EXPECT_TRUE(outcome.report.ok()) << depth;
      EXPECT_TRUE(outcome.right) << depth;
    }
}

TEST(Pipeline, MutationsAreFound) {
  auto isFound = [](const Pipeline &pipeline) {
    return !pipeline.run().report.races.empty();
  };
  EXPECT_TRUE(isFound({.waits = false}));
  EXPECT_TRUE(isFound({.barrier = false}));
  EXPECT_TRUE(isFound({.buffers = 2}));
  EXPECT_TRUE(isFound({.buffers = 1}));
  EXPECT_TRUE(isFound({.pending = 2}));
  EXPECT_TRUE(isFound({.depth = 4, .buffers = 4, .pending = 3}));
}

TEST(Pipeline, CopiesThatArriveEarlyOrLateShowOppositeMistakes) {
  // Late copies: who does not wait reads what was there before.
  EXPECT_FALSE(Pipeline{.waits = false}.run().right);
  EXPECT_TRUE(Pipeline{.waits = false}.run(true).right);
  // Early ones: who has too few buffers loses what is still to be read.
  EXPECT_FALSE((Pipeline{.buffers = 2}.run(true).right));
}

TEST(Pipeline, SourcesAreCheckedLikeAnyOtherRead) {
  auto module = load(Pipeline{}.getText());
  ASSERT_TRUE(module);
  std::vector<uint16_t> in(8 * 1024);
  std::vector<float> out(64);
  GlobalMemory memory;
  memory.add(in.data(), in.size() * 2 - 512, "in");
  memory.add(out.data(), out.size() * 4, "out");
  void *pointers[] = {in.data(), out.data()};
  LaunchConfig config{"k", {1, 1, 1}, {128, 1, 1}};
  config.memory = &memory;
  auto report = module->launch(config, {&pointers[0], &pointers[1]});
  ASSERT_TRUE(bool(report));
  ASSERT_EQ(report->globalOutOfBounds.size(), 1u);
  EXPECT_EQ(report->globalOutOfBounds.front().where.buffer, "in");
}

} // namespace
