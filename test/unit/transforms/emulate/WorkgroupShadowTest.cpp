//===- WorkgroupShadowTest.cpp - The happens-before check -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/WorkgroupShadow.h"

#include "gtest/gtest.h"

#include <random>

using namespace formwork::transforms::emulate;

namespace {

/// The definition in the header, without any memory: whether two accesses of
/// one byte in one epoch race.
bool race(const ShadowEvent &a, const ShadowEvent &b) {
  bool aAtomic = a.kind == AccessKind::Atomic;
  bool bAtomic = b.kind == AccessKind::Atomic;
  bool aWrites = a.kind != AccessKind::Read,
       bWrites = b.kind != AccessKind::Read;
  return a.thread != b.thread && (aWrites || bWrites) &&
         !(aAtomic && bAtomic) &&
         (a.thread / 32 != b.thread / 32 || a.warpEpoch == b.warpEpoch);
}

/// Whether the shadow reports a race when `events` access one byte in a row.
bool reports(const std::vector<ShadowEvent> &events, bool warpEpochs) {
  WorkgroupShadow shadow(1, 1, warpEpochs);
  bool found = false;
  for (const ShadowEvent &event : events)
    shadow.access(0, 1, event, [&](const ShadowEvent &earlier, uint64_t at) {
      EXPECT_TRUE(race(earlier, event));
      EXPECT_EQ(at, 0u);
      found = true;
    });
  return found;
}

bool anyPairRaces(const std::vector<ShadowEvent> &events) {
  for (size_t i = 0; i != events.size(); ++i)
    for (size_t j = 0; j != i; ++j)
      if (race(events[i], events[j]))
        return true;
  return false;
}

/// All sequences of four accesses by three threads: the report is complete, and
/// the same for every order.
TEST(WorkgroupShadow, AgreesWithTheDefinitionOnAllShortSequences) {
  const AccessKind kinds[] = {AccessKind::Read, AccessKind::Write,
                              AccessKind::Atomic};
  for (int code = 0; code != 9 * 9 * 9 * 9; ++code) {
    std::vector<ShadowEvent> events;
    for (int i = 0, rest = code; i != 4; ++i, rest /= 9)
      events.push_back(
          {uint32_t(i), 0, uint16_t(rest % 3), kinds[rest % 9 / 3]});
    ASSERT_EQ(reports(events, false), anyPairRaces(events)) << code;
    ASSERT_EQ(reports(events, true), anyPairRaces(events)) << code;
  }
}

TEST(WorkgroupShadow, AgreesWithTheDefinitionOnRandomSequencesWithWarpSyncs) {
  const uint64_t seed = 20240607;
  std::mt19937_64 random(seed);
  auto pick = [&](uint32_t n) { return uint32_t(random() % n); };
  unsigned races = 0, total = 20000;
  for (unsigned run = 0; run != total; ++run) {
    const uint16_t threads[] = {0, 1, 2, 31, 32, 33, 64};
    uint32_t warpEpochs[3] = {};
    std::vector<ShadowEvent> events;
    for (uint32_t i = 0, n = 2 + pick(12); i != n; ++i) {
      // A warp's count only grows.
      warpEpochs[pick(3)] += pick(3) == 0;
      uint16_t thread = threads[pick(7)];
      AccessKind kind = pick(4) == 0   ? AccessKind::Write
                        : pick(3) == 0 ? AccessKind::Atomic
                                       : AccessKind::Read;
      events.push_back({i, warpEpochs[thread / 32], thread, kind});
    }
    bool expected = anyPairRaces(events);
    races += expected;
    ASSERT_EQ(reports(events, true), expected)
        << "seed " << seed << ", run " << run;
  }
  EXPECT_GT(races, total / 4);
  EXPECT_LT(races, total);
}

TEST(WorkgroupShadow, EpochsAndBytesAreApart) {
  WorkgroupShadow shadow(64, 4, false);
  unsigned found = 0;
  auto access = [&](uint64_t offset, uint64_t bytes, uint16_t thread,
                    AccessKind kind) {
    shadow.access(offset, bytes, {0, 0, thread, kind},
                  [&](const ShadowEvent &, uint64_t at) { found = 1000 + at; });
  };
  access(0, 16, 0, AccessKind::Write);
  access(16, 4, 1, AccessKind::Write);
  EXPECT_EQ(found, 0u);
  shadow.advanceEpoch();
  access(0, 20, 2, AccessKind::Read);
  access(0, 20, 3, AccessKind::Read);
  EXPECT_EQ(found, 0u);
  access(12, 8, 3, AccessKind::Write);
  EXPECT_EQ(found, 1012u);
}

} // namespace
