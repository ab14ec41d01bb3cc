//===- SynchronizationTest.cpp - Barriers, warps, copies ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <numeric>

using namespace formwork::transforms::emulate;

namespace {

const std::string declarations = R"(
  @w = internal addrspace(3) global [256 x i32] poison, align 16
  declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
  declare void @llvm.nvvm.barrier0()
  declare void @llvm.nvvm.barrier.cta.sync.all(i32)
)";

/// A kernel that stores an i32 of each thread, computed from its index %t and
/// its lane %l.
std::string compute(const std::string &body) {
  return declarations + R"(
    define ptx_kernel void @k(ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
      )" +
         body + R"(
      %p = getelementptr i32, ptr %out, i32 %t
      store i32 %r, ptr %p
      ret void
    })";
}

/// The values that the kernel stores for each of `threads` threads.
std::vector<uint32_t> run(const std::string &body, uint32_t threads) {
  std::unique_ptr<DeviceModule> module = load(compute(body));
  if (!module)
    return {};
  std::vector<uint32_t> first;
  for (std::optional<uint64_t> seed : threadOrders()) {
    std::vector<uint32_t> out(threads, 0xABABABAB);
    EXPECT_TRUE(
        launch(*module, {1, 1, 1}, {threads, 1, 1}, {out.data()}, seed).ok());
    if (first.empty())
      first = out;
    EXPECT_EQ(out, first) << "depends on the order of threads";
  }
  return first;
}

template <typename F> std::vector<uint32_t> expect(uint32_t threads, F f) {
  std::vector<uint32_t> result;
  for (uint32_t t = 0; t != threads; ++t)
    result.push_back(f(t));
  return result;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

std::string shuffle(const std::string &mode, const std::string &operands) {
  return "%v = mul i32 %t, 10\n%r = call i32 @llvm.nvvm.shfl.sync." + mode +
         ".i32(i32 -1, i32 %v, " + operands + ")\n";
}

TEST(Warp, ShuffleModes) {
  EXPECT_EQ(run(shuffle("idx", "i32 3, i32 31"), 64),
            expect(64, [](uint32_t t) { return (t / 32 * 32 + 3) * 10; }));
  EXPECT_EQ(run(shuffle("up", "i32 2, i32 0"), 64), expect(64, [](uint32_t t) {
              return (t % 32 < 2 ? t : t - 2) * 10;
            }));
  EXPECT_EQ(run(shuffle("down", "i32 5, i32 31"), 64),
            expect(64, [](uint32_t t) {
              return (t % 32 + 5 > 31 ? t : t + 5) * 10;
            }));
  EXPECT_EQ(run(shuffle("bfly", "i32 7, i32 31"), 64),
            expect(64, [](uint32_t t) { return (t ^ 7) * 10; }));
}

TEST(Warp, ShuffleSegments) {
  // Width 8: the segment mask 0b11000 in bits 8 to 12, and for all modes but
  // `up` the clamp 31.
  EXPECT_EQ(run(shuffle("idx", "i32 10, i32 6175"), 32),
            expect(32, [](uint32_t t) { return (t / 8 * 8 + 2) * 10; }));
  EXPECT_EQ(
      run(shuffle("down", "i32 3, i32 6175"), 32),
      expect(32, [](uint32_t t) { return (t % 8 + 3 > 7 ? t : t + 3) * 10; }));
  EXPECT_EQ(
      run(shuffle("up", "i32 3, i32 6144"), 32),
      expect(32, [](uint32_t t) { return (t % 8 < 3 ? t : t - 3) * 10; }));
}

TEST(Warp, ShufflePredicateAndFloats) {
  EXPECT_EQ(run(R"(
      %f = uitofp i32 %t to float
      %pair = call { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32 -1, float %f, i32 30, i32 31)
      %v = extractvalue { float, i1 } %pair, 0
      %in = extractvalue { float, i1 } %pair, 1
      %vi = fptoui float %v to i32
      %p32 = zext i1 %in to i32
      %s = mul i32 %p32, 1000
      %r = add i32 %vi, %s
)",
                32),
            expect(32, [](uint32_t t) { return t < 2 ? t + 1030 : t; }));
}

TEST(Warp, ShuffleFromALaneThatTakesNoPart) {
  // Lanes 0 to 15 ask lane 20, which is not in their mask: undefined.
  auto module = load(declarations + R"(
    declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
    define ptx_kernel void @k(ptr %out) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %low = icmp ult i32 %t, 16
      br i1 %low, label %shuffle, label %done
    shuffle:
      %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 65535, i32 %t, i32 20, i32 31)
      %p = getelementptr i32, ptr %out, i32 %t
      store i32 %r, ptr %p
      br label %done
    done:
      ret void
    })");
  ASSERT_TRUE(module);
  std::vector<uint32_t> out(32, 7);
  EXPECT_TRUE(launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()}).ok());
  EXPECT_EQ(out, expect(32, [](uint32_t t) { return t < 16 ? ~0u : 7u; }));
}

TEST(Warp, Votes) {
  auto vote = [](const char *mode, const char *type, const char *condition) {
    std::string text = std::string("%odd = and i32 %l, 1\n%c = ") + condition +
                       "\n%x = call " + type + " @llvm.nvvm.vote." + mode +
                       ".sync(i32 -1, i1 %c)\n";
    return text + (std::string(type) == "i1" ? "%r = zext i1 %x to i32\n"
                                             : "%r = add i32 %x, 0\n");
  };
  const char *odd = "icmp eq i32 %odd, 1", *always = "icmp ult i32 %l, 32",
             *never = "icmp ugt i32 %l, 32";
  auto all = [](uint32_t value) {
    return expect(40, [=](uint32_t) { return value; });
  };
  EXPECT_EQ(run(vote("all", "i1", odd), 40), all(0));
  EXPECT_EQ(run(vote("all", "i1", always), 40), all(1));
  EXPECT_EQ(run(vote("any", "i1", odd), 40), all(1));
  EXPECT_EQ(run(vote("any", "i1", never), 40), all(0));
  EXPECT_EQ(run(vote("uni", "i1", odd), 40), all(0));
  EXPECT_EQ(run(vote("uni", "i1", never), 40), all(1));
  // The second warp has only eight threads.
  EXPECT_EQ(run(vote("ballot", "i32", odd), 40), expect(40, [](uint32_t t) {
              return t < 32 ? 0xAAAAAAAAu : 0xAAu;
            }));
}

TEST(Warp, Reductions) {
  auto reduce = [](const std::string &op) {
    return "%v = sub i32 %t, 5\n%r = call i32 @llvm.nvvm.redux.sync." + op +
           "(i32 %v, i32 -1)\n";
  };
  auto all = [](int32_t value) {
    return expect(32, [=](uint32_t) { return uint32_t(value); });
  };
  EXPECT_EQ(run(reduce("add"), 32), all(31 * 16 - 160));
  EXPECT_EQ(run(reduce("min"), 32), all(-5));
  EXPECT_EQ(run(reduce("max"), 32), all(26));
  EXPECT_EQ(run(reduce("umin"), 32), all(0));
  EXPECT_EQ(run(reduce("umax"), 32), all(-1));
  EXPECT_EQ(run(reduce("or"), 32), all(-1));
  EXPECT_EQ(run(reduce("and"), 32), all(0));
  int32_t x = 0;
  for (int32_t t = 0; t != 32; ++t)
    x ^= t - 5;
  EXPECT_EQ(run(reduce("xor"), 32), all(x));
}

TEST(Warp, Matches) {
  const std::string any =
      "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)\n"
      "declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64)\n";
  auto matches = [&](const std::string &body) {
    auto module = load(any + compute(body));
    std::vector<uint32_t> out(32);
    if (module)
      EXPECT_TRUE(launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()}).ok());
    return out;
  };
  EXPECT_EQ(matches("%v = and i32 %t, 3\n%r = call i32 "
                    "@llvm.nvvm.match.any.sync.i32(i32 -1, i32 %v)"),
            expect(32, [](uint32_t t) { return 0x11111111u << t % 4; }));
  // Values that differ in their high words only do not match.
  const std::string all =
      "%x = zext i32 %t to i64\n%v = SHIFT\n%b = call { i32, i1 } "
      "@llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %v)\n%m = extractvalue { "
      "i32, i1 } %b, 0\n%p1 = extractvalue { i32, i1 } %b, 1\n%r = select i1 "
      "%p1, i32 %m, i32 7";
  auto withShift = [&](std::string shift) {
    std::string text = all;
    return text.replace(text.find("SHIFT"), 5, shift);
  };
  EXPECT_EQ(matches(withShift("shl i64 %x, 32")), std::vector<uint32_t>(32, 7));
  EXPECT_EQ(matches(withShift("lshr i64 %x, 32")),
            std::vector<uint32_t>(32, ~0u));
}

TEST(Warp, ActiveLanesAreThoseOfTheSamePath) {
  auto module = load("declare i32 @llvm.nvvm.activemask()\n" + declarations +
                     R"(
    define ptx_kernel void @k(ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %low = icmp ult i32 %t, 5
      br i1 %low, label %one, label %two
    one:
      %a = call i32 @llvm.nvvm.activemask()
      br label %join
    two:
      %b = call i32 @llvm.nvvm.activemask()
      br label %join
    join:
      %r = phi i32 [ %a, %one ], [ %b, %two ]
      call void @llvm.nvvm.barrier0()
      %p = getelementptr i32, ptr %out, i32 %t
      store i32 %r, ptr %p
      ret void
    })");
  ASSERT_TRUE(module);
  for (std::optional<uint64_t> seed : threadOrders()) {
    std::vector<uint32_t> out(40);
    EXPECT_TRUE(
        launch(*module, {1, 1, 1}, {40, 1, 1}, {out.data()}, seed).ok());
    EXPECT_EQ(out, expect(40, [](uint32_t t) -> uint32_t {
                return t < 5 ? 31 : t < 32 ? ~31u : 255;
              }));
  }
}

TEST(Warp, LaneMasks) {
  for (auto [name, f] :
       std::vector<std::pair<std::string, uint32_t (*)(uint32_t)>>{
           {"eq", [](uint32_t l) { return 1u << l; }},
           {"lt", [](uint32_t l) { return (1u << l) - 1; }},
           {"le", [](uint32_t l) { return (1u << l) | ((1u << l) - 1); }},
           {"gt", [](uint32_t l) { return ~((1u << l) | ((1u << l) - 1)); }},
           {"ge", [](uint32_t l) { return ~((1u << l) - 1); }}})
    EXPECT_EQ(
        run("%r = call i32 @llvm.nvvm.read.ptx.sreg.lanemask." + name + "()\n",
            32),
        expect(32, f))
        << name;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

TEST(Barrier, Reductions) {
  auto reduce = [](const char *op, const char *type, const char *condition) {
    std::string text = std::string("%c = ") + condition + "\n%x = call " +
                       type + " @llvm.nvvm.barrier.cta.red." + op +
                       ".aligned.all(i32 0, i1 %c)\n";
    return text + (std::string(type) == "i1" ? "%r = zext i1 %x to i32\n"
                                             : "%r = add i32 %x, 0\n");
  };
  auto all = [](uint32_t value) {
    return expect(80, [=](uint32_t) { return value; });
  };
  EXPECT_EQ(run(reduce("popc", "i32", "icmp ult i32 %t, 33"), 80), all(33));
  EXPECT_EQ(run(reduce("and", "i1", "icmp ult i32 %t, 79"), 80), all(0));
  EXPECT_EQ(run(reduce("and", "i1", "icmp ult i32 %t, 80"), 80), all(1));
  EXPECT_EQ(run(reduce("or", "i1", "icmp eq i32 %t, 79"), 80), all(1));
  EXPECT_EQ(run(reduce("or", "i1", "icmp eq i32 %t, 80"), 80), all(0));
}

/// Threads below `bound` go to block %then, others to %else.
std::string branch(int bound, const std::string &thenBody,
                   const std::string &elseBody) {
  return declarations + R"(
    declare void @llvm.nvvm.bar.warp.sync(i32)
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    define ptx_kernel void @k() !dbg !4 {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %c = icmp ult i32 %t, )" +
         std::to_string(bound) + R"(
      br i1 %c, label %then, label %else
    then:
      )" +
         thenBody + R"(
      ret void, !dbg !6
    else:
      )" +
         elseBody + R"(
      ret void, !dbg !8
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!9}
    !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
    !1 = !DIFile(filename: "branch.mlir", directory: "dir")
    !2 = !DISubroutineType(types: !3)
    !3 = !{null}
    !4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
    !5 = !DILocation(line: 5, column: 1, scope: !4)
    !6 = !DILocation(line: 6, column: 1, scope: !4)
    !7 = !DILocation(line: 7, column: 1, scope: !4)
    !8 = !DILocation(line: 8, column: 1, scope: !4)
    !9 = !{i32 2, !"Debug Info Version", i32 3}
)";
}

std::string barrier(int line, int number = 0, const char *aligned = "") {
  return llvm::formatv("call void @llvm.nvvm.barrier.cta.sync.{0}all(i32 {1}), "
                       "!dbg !{2}\n",
                       aligned, number, line);
}

LaunchReport launchBranch(const std::string &text, uint32_t threads) {
  auto module = load(text);
  return module ? launch(*module, {2, 1, 1}, {threads, 1, 1}, {})
                : LaunchReport();
}

TEST(Barrier, ThreadsThatLeaveAreReportedWithBothPlaces) {
  auto module = load(branch(10, barrier(5), ""));
  ASSERT_TRUE(module);
  for (std::optional<uint64_t> seed : threadOrders()) {
    LaunchReport report = launch(*module, {3, 1, 1}, {64, 1, 1}, {}, seed);
    ASSERT_EQ(report.divergences.size(), 1u);
    const BarrierDivergence &divergence = report.divergences.front();
    EXPECT_EQ(divergence.kind, BarrierDivergence::Kind::Exited);
    EXPECT_EQ(divergence.waiting.str(), "dir/branch.mlir:5:1");
    EXPECT_EQ(divergence.other.str(), "dir/branch.mlir:8:1");
    EXPECT_LT(divergence.waitingThread.x, 10u);
    EXPECT_GE(divergence.otherThread.x, 10u);
    EXPECT_EQ(divergence.kernel, "k");
    EXPECT_EQ(divergence.block, (Dim3{0, 0, 0}));
  }
}

TEST(Barrier, DifferentNumbersNeverMeet) {
  LaunchReport report =
      launchBranch(branch(32, barrier(5, 1), barrier(7, 2)), 64);
  ASSERT_EQ(report.divergences.size(), 1u);
  EXPECT_EQ(report.divergences.front().kind,
            BarrierDivergence::Kind::DifferentBarrier);
  EXPECT_EQ(report.divergences.front().waiting.line, 5u);
  EXPECT_EQ(report.divergences.front().other.line, 7u);
}

TEST(Barrier, AlignedBarriersMeetByWarp) {
  // Different instructions of one number may meet, unless a warp diverges at
  // barriers that say it does not.
  EXPECT_TRUE(launchBranch(branch(32, barrier(5), barrier(7)), 64).ok());
  EXPECT_TRUE(launchBranch(branch(10, barrier(5), barrier(7)), 64).ok());
  EXPECT_TRUE(
      launchBranch(
          branch(32, barrier(5, 0, "aligned."), barrier(7, 0, "aligned.")), 64)
          .ok());
  LaunchReport report = launchBranch(
      branch(10, barrier(5, 0, "aligned."), barrier(7, 0, "aligned.")), 64);
  ASSERT_EQ(report.divergences.size(), 1u);
  EXPECT_EQ(report.divergences.front().waiting.line, 5u);
  EXPECT_EQ(report.divergences.front().other.line, 7u);
}

TEST(Barrier, WarpsThatWaitForLanesThatDoNotCome) {
  const std::string sync =
      "call void @llvm.nvvm.bar.warp.sync(i32 -1), !dbg !5\n";
  // The other lanes wait at the block's barrier: nobody can go on.
  LaunchReport report = launchBranch(branch(10, sync, barrier(7)), 32);
  ASSERT_EQ(report.divergences.size(), 1u);
  EXPECT_EQ(report.divergences.front().waiting.line, 5u);
  EXPECT_EQ(report.divergences.front().other.line, 7u);
  // Lanes that have left are not waited for.
  EXPECT_TRUE(launchBranch(branch(10, sync, ""), 32).ok());
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// Copies 16 bytes per thread to workgroup memory, then runs `body`, and stores
/// the i32 that thread 63 - %t has copied first.
std::string copy(const std::string &body,
                 const std::string &operands = "ca.shared.global.16(ptr "
                                               "addrspace(3) %q, ptr "
                                               "addrspace(1) %g)") {
  return declarations + R"(
    declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
    declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
    declare void @llvm.nvvm.cp.async.commit.group()
    declare void @llvm.nvvm.cp.async.wait.group(i32)
    declare void @llvm.nvvm.cp.async.wait.all()
    define ptx_kernel void @k(ptr %in, ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %t4 = mul i32 %t, 4
      %p = getelementptr i32, ptr %in, i32 %t4
      %g = addrspacecast ptr %p to ptr addrspace(1)
      %q = getelementptr i32, ptr addrspace(3) @w, i32 %t4
      call void @llvm.nvvm.cp.async.)" +
         operands + R"(
      )" +
         body + R"(
      %o = sub i32 63, %t
      %o4 = mul i32 %o, 4
      %s = getelementptr i32, ptr addrspace(3) @w, i32 %o4
      %v = load i32, ptr addrspace(3) %s
      %d = getelementptr i32, ptr %out, i32 %t
      store i32 %v, ptr %d
      ret void
    })";
}

const std::string commit = "call void @llvm.nvvm.cp.async.commit.group()\n";
const std::string wait = "call void @llvm.nvvm.cp.async.wait.group(i32 0)\n";
const std::string waitOne = "call void @llvm.nvvm.cp.async.wait.group(i32 1)\n";
const std::string sync = "call void @llvm.nvvm.barrier0()\n";

/// The report, and in `out` what the kernel has stored.
LaunchReport launchCopy(const std::string &text, std::vector<int32_t> &out,
                        std::optional<uint64_t> seed = std::nullopt) {
  std::vector<int32_t> in(256);
  std::iota(in.begin(), in.end(), 1000);
  out.assign(64, -7);
  auto module = load(text);
  return module ? launch(*module, {1, 1, 1}, {64, 1, 1},
                         {in.data(), out.data()}, seed)
                : LaunchReport();
}

TEST(AsyncCopy, ArrivesAfterWaitAndBarrier) {
  for (const std::string &wait :
       {commit + wait,
        std::string("call void @llvm.nvvm.cp.async.wait.all()\n"),
        commit + commit + waitOne}) {
    for (std::optional<uint64_t> seed : threadOrders()) {
      std::vector<int32_t> out;
      EXPECT_TRUE(launchCopy(copy(wait + sync), out, seed).ok());
      for (int t = 0; t != 64; ++t)
        EXPECT_EQ(out[t], 1000 + (63 - t) * 4);
    }
  }
}

TEST(AsyncCopy, MissingWaitsAndBarriersAreFoundInEveryOrder) {
  for (const std::string &body :
       {std::string(), commit + sync, commit + sync + wait, commit + wait,
        commit + waitOne + sync, wait + commit + sync}) {
    for (std::optional<uint64_t> seed : threadOrders()) {
      std::vector<int32_t> out;
      LaunchReport report = launchCopy(copy(body), out, seed);
      ASSERT_FALSE(report.races.empty()) << body;
      const Race &race = report.races.front();
      EXPECT_TRUE(race.first.kind == AccessKind::AsyncWrite ||
                  race.second.kind == AccessKind::AsyncWrite);
    }
  }
}

TEST(AsyncCopy, OwnAccessBeforeTheWait) {
  std::vector<int32_t> out;
  const std::string read = "%own = load volatile i32, ptr addrspace(3) %q\n";
  EXPECT_TRUE(launchCopy(copy(commit + wait + read + sync), out).ok());
  LaunchReport report = launchCopy(copy(commit + read + wait + sync), out);
  ASSERT_EQ(report.races.size(), 1u);
  EXPECT_EQ(report.races.front().first.thread,
            report.races.front().second.thread);
}

TEST(AsyncCopy, ShortSourcesAreFilledWithZeros) {
  std::vector<int32_t> out;
  const std::string copySome =
      "cg.shared.global.16.s(ptr addrspace(3) %q, ptr addrspace(1) %g, i32 "
      "%bytes)";
  std::string text = copy(commit + wait + sync, copySome);
  // Threads 0, 2, … copy nothing, the others everything.
  size_t at = text.find("%g = addrspacecast");
  text.insert(at, "%odd = and i32 %t, 1\n%bytes = mul i32 %odd, 16\n");
  EXPECT_TRUE(launchCopy(text, out).ok());
  for (int t = 0; t != 64; ++t)
    EXPECT_EQ(out[t], t % 2 == 1 ? 0 : 1000 + (63 - t) * 4);
}

} // namespace
