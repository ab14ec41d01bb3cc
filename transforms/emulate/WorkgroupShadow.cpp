//===- WorkgroupShadow.cpp - Happens-before on workgroup memory -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/WorkgroupShadow.h"
#include "transforms/emulate/Warp.h"

#include "engine/Check.h"

#include "llvm/Support/MathExtras.h"

namespace formwork::transforms::emulate {

WorkgroupShadow::WorkgroupShadow(uint64_t bytes, uint32_t granule,
                                 bool warpEpochs)
    : granuleLog2(llvm::Log2_32(granule)), warpEpochs(warpEpochs) {
  FW_CHECK(llvm::isPowerOf2_32(granule), "a granule is a power of two");
  cells.resize(llvm::divideCeil(bytes, granule));
  settled.resize(cells.size());
}

static bool isPlainWrite(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::AsyncWrite;
}

bool WorkgroupShadow::isAlike(const ShadowEvent &a,
                              const ShadowEvent &b) const {
  return a.kind == b.kind &&
         (!warpEpochs || (a.thread / warpSize == b.thread / warpSize &&
                          a.warpEpoch == b.warpEpoch));
}

/// Whether two accesses of one byte in one epoch race.
static bool isRace(const ShadowEvent &a, const ShadowEvent &b) {
  if (a.thread == b.thread)
    return false;
  bool conflict =
      isPlainWrite(a.kind) || isPlainWrite(b.kind) ||
      (a.kind == AccessKind::Atomic) != (b.kind == AccessKind::Atomic);
  if (!conflict)
    return false;
  return a.thread / warpSize != b.thread / warpSize ||
         a.warpEpoch == b.warpEpoch;
}

void WorkgroupShadow::accessUnsettled(
    uint64_t offset, uint64_t bytes, const ShadowEvent &event,
    llvm::function_ref<void(const ShadowEvent &, uint64_t)> onRace) {
  FW_CHECK(((offset | bytes) & ((uint64_t(1) << granuleLog2) - 1)) == 0,
           "an access covers whole granules");
  bool reported = false;
  for (uint64_t i = offset >> granuleLog2,
                end = (offset + bytes) >> granuleLog2;
       i != end; ++i) {
    Cell &cell = cells[i];
    if (cell.epoch != epoch) {
      cell.epoch = epoch;
      cell.events.clear();
    }
    unsigned alike = 0;
    bool known = false;
    for (const ShadowEvent &earlier : cell.events) {
      if (isAlike(earlier, event)) {
        ++alike;
        known |= earlier.thread == event.thread;
      }
      if (!reported && isRace(earlier, event)) {
        onRace(earlier, i << granuleLog2);
        reported = true;
      }
    }
    if (known || alike == 2)
      continue;
    cell.events.push_back(event);
    bool twoReads =
        event.kind == AccessKind::Read && alike == 1 && cell.events.size() == 2;
    // With warp epochs, the next read need not be alike.
    settled[i] = twoReads && !warpEpochs ? epoch : 0;
  }
}

} // namespace formwork::transforms::emulate
