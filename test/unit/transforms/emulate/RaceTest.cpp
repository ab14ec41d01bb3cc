//===- RaceTest.cpp - Data races on workgroup memory ----------------------===//
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
  @w = internal addrspace(3) global [64 x float] poison
  @count = internal addrspace(3) global i32 poison
  declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)";
const std::string barrier =
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";

/// Sums 64 numbers as a tree: log2(64) steps with a barrier before each.
std::string treeReduction(const std::string &barrierInLoop) {
  return declarations + R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %p = getelementptr float, ptr %in, i32 %t
      %v = load float, ptr %p
      %mine = getelementptr float, ptr addrspace(3) @w, i32 %t
      store float %v, ptr addrspace(3) %mine
      br label %loop
    loop:
      %n = phi i32 [ 32, %entry ], [ %half, %next ]
      )" +
         barrierInLoop + R"(
      %active = icmp ult i32 %t, %n
      br i1 %active, label %add, label %next
    add:
      %o = add i32 %t, %n
      %other = getelementptr float, ptr addrspace(3) @w, i32 %o
      %a = load float, ptr addrspace(3) %mine
      %b = load float, ptr addrspace(3) %other
      %c = fadd float %a, %b
      store float %c, ptr addrspace(3) %mine
      br label %next
    next:
      %half = lshr i32 %n, 1
      %again = icmp ne i32 %half, 0
      br i1 %again, label %loop, label %exit
    exit:
      %first = icmp eq i32 %t, 0
      br i1 %first, label %store, label %done
    store:
      %sum = load float, ptr addrspace(3) @w
      store float %sum, ptr %out
      br label %done
    done:
      ret void
    })";
}

TEST(Race, TreeReductionWithBarriersIsRightAndClean) {
  auto module = load(treeReduction(barrier));
  ASSERT_TRUE(module);
  std::vector<float> in(64);
  std::iota(in.begin(), in.end(), 1.0f);
  for (std::optional<uint64_t> seed : threadOrders()) {
    float out = 0;
    LaunchReport report =
        launch(*module, {3, 1, 1}, {64, 1, 1}, {in.data(), &out}, seed);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(out, 64 * 65 / 2);
  }
}

TEST(Race, TreeReductionWithoutBarriersIsFoundInEveryOrder) {
  auto module = load(treeReduction(""));
  ASSERT_TRUE(module);
  std::vector<float> in(64, 1.0f);
  float out = 0;
  for (std::optional<uint64_t> seed : threadOrders()) {
    LaunchReport report =
        launch(*module, {1, 1, 1}, {64, 1, 1}, {in.data(), &out}, seed);
    ASSERT_FALSE(report.races.empty());
    const Race &race = report.races.front();
    EXPECT_NE(race.first.thread, race.second.thread);
    EXPECT_TRUE(race.first.kind == AccessKind::Write ||
                race.second.kind == AccessKind::Write);
    EXPECT_EQ(race.kernel, "k");
    EXPECT_EQ(race.where.buffer, "w");
    EXPECT_EQ(race.first.bytes, 4u);
  }
}

/// Each thread writes its element, then reads its neighbour's.
std::string neighbour(const std::string &between) {
  return declarations + R"(
    define ptx_kernel void @k(ptr %out) !dbg !4 {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %f = uitofp i32 %t to float
      %mine = getelementptr float, ptr addrspace(3) @w, i32 %t
      store float %f, ptr addrspace(3) %mine, !dbg !5
      )" +
         between + R"(
      %t1 = add i32 %t, 1
      %o = and i32 %t1, 63
      %other = getelementptr float, ptr addrspace(3) @w, i32 %o
      %v = load float, ptr addrspace(3) %other, !dbg !6
      %p = getelementptr float, ptr %out, i32 %t
      store float %v, ptr %p
      ret void
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!7}
    !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
    !1 = !DIFile(filename: "neighbour.mlir", directory: "")
    !2 = !DISubroutineType(types: !3)
    !3 = !{null}
    !4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
    !5 = !DILocation(line: 5, column: 7, scope: !4)
    !6 = !DILocation(line: 9, column: 12, scope: !4)
    !7 = !{i32 2, !"Debug Info Version", i32 3}
)";
}

TEST(Race, MissingBarrierIsReportedWithBothPlacesInEveryOrder) {
  auto module = load(neighbour(""));
  ASSERT_TRUE(module);
  for (std::optional<uint64_t> seed : threadOrders()) {
    std::vector<float> out(64);
    LaunchReport report =
        launch(*module, {1, 1, 1}, {64, 1, 1}, {out.data()}, seed);
    ASSERT_EQ(report.races.size(), 1u);
    const Race &race = report.races.front();
    std::vector<std::string> places = {race.first.place.str(),
                                       race.second.place.str()};
    llvm::sort(places);
    EXPECT_EQ(places, (std::vector<std::string>{"neighbour.mlir:5:7",
                                                "neighbour.mlir:9:12"}));
    const Access &write =
        race.first.kind == AccessKind::Write ? race.first : race.second;
    const Access &read =
        race.first.kind == AccessKind::Write ? race.second : race.first;
    EXPECT_EQ(read.kind, AccessKind::Read);
    EXPECT_EQ((read.thread.x + 1) % 64, write.thread.x);
    EXPECT_EQ(race.where.offset, write.thread.x * 4);
    EXPECT_EQ(write.epoch, 0u);
  }
}

TEST(Race, BarrierOrders) {
  auto module = load(neighbour(barrier));
  ASSERT_TRUE(module);
  for (std::optional<uint64_t> seed : threadOrders()) {
    std::vector<float> out(64);
    EXPECT_TRUE(
        launch(*module, {1, 1, 1}, {64, 1, 1}, {out.data()}, seed).ok());
    for (int i = 0; i != 64; ++i)
      EXPECT_EQ(out[i], (i + 1) % 64);
  }
}

TEST(Race, FencesAndShufflesOrderNothing) {
  auto module = load(neighbour(R"(
      fence syncscope("block") acq_rel
      call void @llvm.nvvm.membar.cta()
      %dummy = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 0, i32 31)
)") + R"(
    declare void @llvm.nvvm.membar.cta()
    declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
)");
  ASSERT_TRUE(module);
  std::vector<float> out(64);
  EXPECT_FALSE(
      launch(*module, {1, 1, 1}, {64, 1, 1}, {out.data()}).races.empty());
}

TEST(Race, WarpSyncOrdersWithinItsWarpOnly) {
  auto module = load(neighbour("call void @llvm.nvvm.bar.warp.sync(i32 -1)\n") +
                     "declare void @llvm.nvvm.bar.warp.sync(i32)\n");
  ASSERT_TRUE(module);
  for (std::optional<uint64_t> seed : threadOrders()) {
    std::vector<float> out(64);
    // One warp: lane 31 reads element 32, which nobody writes.
    EXPECT_TRUE(
        launch(*module, {1, 1, 1}, {32, 1, 1}, {out.data()}, seed).ok());
    EXPECT_EQ(out[30], 31);
    // Two warps: thread 31 reads what thread 32 writes.
    LaunchReport report =
        launch(*module, {1, 1, 1}, {64, 1, 1}, {out.data()}, seed);
    ASSERT_EQ(report.races.size(), 1u);
    EXPECT_NE(report.races.front().first.thread.x / 32,
              report.races.front().second.thread.x / 32);
  }
}

/// A loop that stages one element per thread into one of two buffers, while
/// reading the other; one barrier per iteration.
std::string doubleBuffered(const std::string &selector) {
  return declarations + R"(
    define ptx_kernel void @k(ptr %in, ptr %out) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %rev = sub i32 31, %t
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
      %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
      %at = mul i32 %i, 32
      %at1 = add i32 %at, %t
      %p = getelementptr float, ptr %in, i32 %at1
      %v = load float, ptr %p
      %stage = )" +
         selector + R"(
      %offset = mul i32 %stage, 32
      %mine = add i32 %offset, %t
      %q = getelementptr [64 x float], ptr addrspace(3) @w, i32 0, i32 %mine
      store float %v, ptr addrspace(3) %q
      )" +
         barrier + R"(
      %theirs = add i32 %offset, %rev
      %r = getelementptr [64 x float], ptr addrspace(3) @w, i32 0, i32 %theirs
      %x = load float, ptr addrspace(3) %r
      %sum1 = fadd float %sum, %x
      %i1 = add i32 %i, 1
      %again = icmp ult i32 %i1, 8
      br i1 %again, label %loop, label %exit
    exit:
      %s = getelementptr float, ptr %out, i32 %t
      store float %sum1, ptr %s
      ret void
    })";
}

TEST(Race, DoubleBufferingNeedsBothBuffers) {
  auto good = load(doubleBuffered("and i32 %i, 1"));
  auto bad = load(doubleBuffered("and i32 %i, 0"));
  ASSERT_TRUE(good && bad);
  std::vector<float> in(256);
  std::iota(in.begin(), in.end(), 0.0f);
  for (std::optional<uint64_t> seed : threadOrders()) {
    std::vector<float> out(32);
    EXPECT_TRUE(
        launch(*good, {2, 1, 1}, {32, 1, 1}, {in.data(), out.data()}, seed)
            .ok());
    for (int t = 0; t != 32; ++t)
      EXPECT_EQ(out[t], 8 * (31 - t) + 32 * 28);
    EXPECT_FALSE(
        launch(*bad, {2, 1, 1}, {32, 1, 1}, {in.data(), out.data()}, seed)
            .races.empty());
  }
}

TEST(Race, BroadcastsAndRewritesByOneThreadAreClean) {
  auto module = load(declarations + R"(
    define ptx_kernel void @k(ptr %out) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %first = icmp eq i32 %t, 7
      br i1 %first, label %write, label %join
    write:
      store float 1.0, ptr addrspace(3) @w
      %a = load float, ptr addrspace(3) @w
      %b = fadd float %a, 2.0
      store float %b, ptr addrspace(3) @w
      br label %join
    join:
      )" + barrier + R"(
      %c = load float, ptr addrspace(3) @w
      %d = load float, ptr addrspace(3) @w
      %e = fadd float %c, %d
      %p = getelementptr float, ptr %out, i32 %t
      store float %e, ptr %p
      ret void
    })");
  ASSERT_TRUE(module);
  for (std::optional<uint64_t> seed : threadOrders()) {
    std::vector<float> out(64);
    EXPECT_TRUE(
        launch(*module, {1, 1, 1}, {64, 1, 1}, {out.data()}, seed).ok());
    EXPECT_EQ(out, std::vector<float>(64, 6.0f));
  }
}

/// Thread 0 clears a counter, all threads access it, thread 0 reads it.
std::string counter(const std::string &access) {
  return declarations + R"(
    define ptx_kernel void @k(ptr %out) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %first = icmp eq i32 %t, 0
      br i1 %first, label %clear, label %work
    clear:
      store i32 0, ptr addrspace(3) @count
      br label %work
    work:
      )" +
         barrier + access + barrier + R"(
      br i1 %first, label %read, label %done
    read:
      %v = load i32, ptr addrspace(3) @count
      store i32 %v, ptr %out
      br label %done
    done:
      ret void
    })";
}

TEST(Race, AtomicsDoNotRaceWithEachOther) {
  auto module = load(counter(R"(
      %old = atomicrmw add ptr addrspace(3) @count, i32 %t monotonic
      %now = load atomic i32, ptr addrspace(3) @count monotonic, align 4
      %x = cmpxchg ptr addrspace(3) @count, i32 -1, i32 0 monotonic monotonic
)"));
  ASSERT_TRUE(module);
  for (std::optional<uint64_t> seed : threadOrders()) {
    int32_t out = 0;
    EXPECT_TRUE(launch(*module, {1, 1, 1}, {64, 1, 1}, {&out}, seed).ok());
    EXPECT_EQ(out, 63 * 64 / 2);
  }
}

TEST(Race, AtomicsRaceWithPlainAccesses) {
  for (const char *access :
       {"%old = atomicrmw add ptr addrspace(3) @count, i32 %t monotonic\n"
        "%now = load i32, ptr addrspace(3) @count\n",
        "store i32 1, ptr addrspace(3) @count\n"
        "%now = load atomic i32, ptr addrspace(3) @count monotonic, align 4\n",
        "%old = load i32, ptr addrspace(3) @count\n"
        "%new = add i32 %old, 1\n"
        "store i32 %new, ptr addrspace(3) @count\n"}) {
    auto module = load(counter(access));
    ASSERT_TRUE(module);
    for (std::optional<uint64_t> seed : threadOrders()) {
      int32_t out = 0;
      EXPECT_FALSE(
          launch(*module, {1, 1, 1}, {64, 1, 1}, {&out}, seed).races.empty())
          << access;
    }
  }
}

TEST(Race, AccessesOfOneWordAreTrackedByByte) {
  // Each thread writes its own byte; with a stride of half a byte, two share.
  for (unsigned shift : {0, 1}) {
    auto module = load(declarations + llvm::formatv(R"(
      define ptx_kernel void @k() {
        %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %o = lshr i32 %t, {0}
        %p = getelementptr i8, ptr addrspace(3) @w, i32 %o
        store i8 1, ptr addrspace(3) %p
        ret void
      })",
                                                    shift)
                                          .str());
    ASSERT_TRUE(module);
    EXPECT_EQ(launch(*module, {1, 1, 1}, {64, 1, 1}, {}).ok(), shift == 0);
  }
}

TEST(Race, VectorsRaceWhereTheyOverlap) {
  auto module = load(declarations + R"(
    define ptx_kernel void @k() {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %o = mul i32 %t, 3
      %p = getelementptr float, ptr addrspace(3) @w, i32 %o
      store <4 x float> zeroinitializer, ptr addrspace(3) %p, align 4
      ret void
    })");
  ASSERT_TRUE(module);
  LaunchReport report = launch(*module, {1, 1, 1}, {2, 1, 1}, {});
  ASSERT_EQ(report.races.size(), 1u);
  EXPECT_EQ(report.races.front().where.offset, 12);
  EXPECT_EQ(report.races.front().first.bytes, 16u);
}

TEST(Race, AddressesThroughGenericPointersAreFollowed) {
  // The address is hidden in memory, so the function cannot show where it
  // points to; accesses of global memory through the same code stay unchecked.
  auto module = load(declarations + R"(
    define internal void @set(ptr %p) noinline {
      store float 1.0, ptr %p
      ret void
    }
    define ptx_kernel void @k(ptr %out) {
      %slot = alloca ptr
      %generic = addrspacecast ptr addrspace(3) @w to ptr
      store volatile ptr %generic, ptr %slot
      %p = load volatile ptr, ptr %slot
      call void @set(ptr %p)
      call void @set(ptr %out)
      ret void
    })");
  ASSERT_TRUE(module);
  float out = 0;
  LaunchReport report = launch(*module, {1, 1, 1}, {2, 1, 1}, {&out});
  ASSERT_EQ(report.races.size(), 1u);
  EXPECT_EQ(report.races.front().first.place.function, "set");
  EXPECT_EQ(report.races.front().where.buffer, "w");
  EXPECT_EQ(out, 1.0f);
}

TEST(Race, BlockOperationsAreAccesses) {
  auto module = load(declarations + R"(
    define ptx_kernel void @k(ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %o = mul i32 %t, 16
      %p = getelementptr i8, ptr addrspace(3) @w, i32 %o
      call void @llvm.memset.p3.i64(ptr addrspace(3) align 4 %p, i8 5, i64 16, i1 false)
      %q = getelementptr i8, ptr %out, i32 %o
      call void @llvm.memcpy.p0.p3.i64(ptr align 4 %q, ptr addrspace(3) align 4 @w, i64 16, i1 false)
      ret void
    })");
  ASSERT_TRUE(module);
  std::vector<uint8_t> out(32);
  EXPECT_TRUE(launch(*module, {1, 1, 1}, {1, 1, 1}, {out.data()}).ok());
  EXPECT_EQ(out[15], 5);
  EXPECT_EQ(out[16], 0);
  LaunchReport report = launch(*module, {1, 1, 1}, {2, 1, 1}, {out.data()});
  ASSERT_EQ(report.races.size(), 1u);
  EXPECT_EQ(report.races.front().first.bytes, 16u);
}

TEST(Race, MaskedAccessesCountWhereTheMaskIsSet) {
  // Thread t writes elements t*2 and t*2+1 of a row of four, by mask.
  auto module = load(declarations + R"(
    define ptx_kernel void @k(ptr %out, ptr %maskPointer) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %q = getelementptr i8, ptr %maskPointer, i32 %t
      %m8 = load i8, ptr %q
      %m4 = trunc i8 %m8 to i4
      %m = bitcast i4 %m4 to <4 x i1>
      call void @llvm.masked.store.v4f32.p3(<4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr addrspace(3) align 4 @w, <4 x i1> %m)
      %v = call <4 x float> @llvm.masked.load.v4f32.p3(ptr addrspace(3) align 4 @w, <4 x i1> %m, <4 x float> zeroinitializer)
      %o = getelementptr <4 x float>, ptr %out, i32 %t
      store <4 x float> %v, ptr %o, align 4
      ret void
    })");
  ASSERT_TRUE(module);
  std::vector<float> out(8);
  uint8_t masks[] = {3, 12}, overlapping[] = {3, 6};
  EXPECT_TRUE(launch(*module, {1, 1, 1}, {2, 1, 1}, {out.data(), masks}).ok());
  EXPECT_EQ(out, (std::vector<float>{1, 2, 0, 0, 0, 0, 3, 4}));
  EXPECT_FALSE(
      launch(*module, {1, 1, 1}, {2, 1, 1}, {out.data(), overlapping}).ok());
}

TEST(Race, MaskedAccessesMayHaveMoreThan64Lanes) {
  // Each thread fills the bytes of the row that its mask selects.
  auto module = load(declarations + R"(
    declare void @llvm.masked.store.v128i8.p3(<128 x i8>, ptr addrspace(3), <128 x i1>)
    define ptx_kernel void @k(ptr %maskPointer) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %q = getelementptr i128, ptr %maskPointer, i32 %t
      %bits = load i128, ptr %q, align 8
      %m = bitcast i128 %bits to <128 x i1>
      call void @llvm.masked.store.v128i8.p3(<128 x i8> zeroinitializer, ptr addrspace(3) align 4 @w, <128 x i1> %m)
      ret void
    })");
  ASSERT_TRUE(module);
  uint64_t apart[] = {~0ull, 1, 0, ~1ull}, overlapping[] = {1, 4, 2, 4};
  EXPECT_TRUE(launch(*module, {1, 1, 1}, {2, 1, 1}, {apart}).ok());
  EXPECT_FALSE(launch(*module, {1, 1, 1}, {2, 1, 1}, {overlapping}).ok());
}

//===----------------------------------------------------------------------===//
// Bounds and alignment
//===----------------------------------------------------------------------===//

TEST(WorkgroupBounds, AccessesOutsideOfTheirBufferAreNotCarriedOut) {
  auto module = load(declarations + R"(
    define ptx_kernel void @k(ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      store i32 5, ptr addrspace(3) @count
      %o = sub i32 %t, 1
      %p = getelementptr float, ptr addrspace(3) @w, i32 %o
      %v = load float, ptr addrspace(3) %p
      store float %v, ptr %out
      %q = getelementptr float, ptr addrspace(3) @w, i32 65
      store float 7.0, ptr addrspace(3) %q
      %c = load i32, ptr addrspace(3) @count
      %r = getelementptr i32, ptr %out, i32 1
      store i32 %c, ptr %r
      ret void
    })");
  ASSERT_TRUE(module);
  uint32_t out[2] = {};
  LaunchReport report = launch(*module, {1, 1, 1}, {1, 1, 1}, {out});
  // The element before 'w', and the one behind that, where 'count' lies.
  ASSERT_EQ(report.outOfBounds.size(), 2u);
  std::vector<OutOfBounds> found(report.outOfBounds.begin(),
                                 report.outOfBounds.end());
  EXPECT_EQ(found[0].access.kind, AccessKind::Read);
  EXPECT_EQ(found[0].where.offset, -4);
  EXPECT_EQ(found[1].access.kind, AccessKind::Write);
  EXPECT_EQ(found[1].where.offset, 260);
  EXPECT_EQ(found[1].where.buffer, "w");
  EXPECT_EQ(found[1].bufferBytes, 256u);
  EXPECT_EQ(out[0], ~0u);
  EXPECT_EQ(out[1], 5u);
}

TEST(WorkgroupBounds, BlockOperationsOutsideDoNothing) {
  auto module = load(declarations + R"(
    define ptx_kernel void @k(ptr %out, ptr %n) {
      %p = getelementptr float, ptr addrspace(3) @w, i32 60
      %bytes = load i64, ptr %n
      call void @llvm.memcpy.p0.p3.i64(ptr %out, ptr addrspace(3) %p, i64 %bytes, i1 false)
      ret void
    })");
  ASSERT_TRUE(module);
  uint8_t out[32] = {};
  uint64_t bytes = 16;
  EXPECT_TRUE(launch(*module, {1, 1, 1}, {1, 1, 1}, {out, &bytes}).ok());
  EXPECT_EQ(out[15], 0xFF);
  out[0] = 1;
  bytes = 17;
  LaunchReport report = launch(*module, {1, 1, 1}, {1, 1, 1}, {out, &bytes});
  ASSERT_EQ(report.outOfBounds.size(), 1u);
  EXPECT_EQ(report.outOfBounds.front().access.bytes, 17u);
  EXPECT_EQ(out[0], 1);
}

TEST(WorkgroupBounds, MisalignedAccess) {
  auto module = load(declarations + R"(
    define ptx_kernel void @k(ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %p = getelementptr float, ptr addrspace(3) @w, i32 %t
      %v = load <4 x float>, ptr addrspace(3) %p, align 16
      store <4 x float> %v, ptr %out, align 4
      ret void
    })");
  ASSERT_TRUE(module);
  float out[4];
  EXPECT_TRUE(launch(*module, {1, 1, 1}, {1, 1, 1}, {out}).ok());
  LaunchReport report = launch(*module, {1, 1, 1}, {2, 1, 1}, {out});
  ASSERT_EQ(report.misaligned.size(), 1u);
  EXPECT_EQ(report.misaligned.front().alignment, 16u);
  EXPECT_EQ(report.misaligned.front().where->offset, 4);
  EXPECT_TRUE(report.races.empty());
}

TEST(WorkgroupBounds, BuffersAreNotBetterAlignedThanDeclared) {
  for (unsigned alignment : {4, 16}) {
    auto module = load("@w = internal addrspace(3) global [4 x float] poison, "
                       "align " +
                       std::to_string(alignment) + R"(
      define ptx_kernel void @k() {
        store <4 x float> zeroinitializer, ptr addrspace(3) @w, align 16
        ret void
      })");
    ASSERT_TRUE(module);
    EXPECT_EQ(launch(*module, {}, {}, {}).misaligned.empty(), alignment == 16);
  }
}

TEST(WorkgroupBounds, WrongAssumptionsOfAlignment) {
  auto module = load(R"(
    declare void @llvm.assume(i1)
    define ptx_kernel void @k(ptr %out) {
      call void @llvm.assume(i1 true) [ "align"(ptr %out, i64 16) ]
      store <4 x float> zeroinitializer, ptr %out, align 4
      ret void
    })");
  ASSERT_TRUE(module);
  alignas(16) float out[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_TRUE(launch(*module, {}, {}, {out}).ok());
  EXPECT_EQ(launch(*module, {}, {}, {out + 1}).misaligned.size(), 1u);
  EXPECT_EQ(out[4], 0);
}

TEST(WorkgroupBounds, MisalignedAccessOfGlobalMemory) {
  auto module = load(R"(
    define ptx_kernel void @k(ptr %out) {
      %local = alloca [4 x float], align 16
      %v = load <4 x float>, ptr %local, align 16
      store <4 x float> %v, ptr %out, align 16
      ret void
    })");
  ASSERT_TRUE(module);
  alignas(16) float out[8];
  EXPECT_TRUE(launch(*module, {}, {}, {out}).ok());
  LaunchReport report = launch(*module, {}, {}, {out + 1});
  ASSERT_EQ(report.misaligned.size(), 1u);
  EXPECT_FALSE(report.misaligned.front().where);
  EXPECT_EQ(report.misaligned.front().alignment, 16u);
}

} // namespace
