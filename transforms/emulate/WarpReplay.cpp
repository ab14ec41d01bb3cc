//===- WarpReplay.cpp - Threads put together as a warp --------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/WarpReplay.h"

#include "llvm/ADT/bit.h"

#include <map>

namespace formwork::transforms::emulate {

template <typename F> static void forEachLane(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1)
    f(unsigned(llvm::countr_zero(mask)));
}

void WarpReplay::start(unsigned numLanes) {
  uint32_t all = numLanes == 32 ? ~uint32_t(0) : (uint32_t(1) << numLanes) - 1;
  // The lanes stand before the first block, which they have yet to name.
  paths.assign({{none, none, all, true}});
  entered = false;
}

void WarpReplay::advance(llvm::ArrayRef<LaneTrace *> lanes,
                         AddressRange workgroup) {
  while (!paths.empty()) {
    Path &path = paths.back();
    if (path.mask == 0 || (entered && path.block == path.join)) {
      paths.pop_back();
      continue;
    }
    if (!path.executed) {
      execute(path.block, path.mask, lanes, workgroup);
      path.executed = true;
    }
    if (!leave(lanes))
      break;
    entered = true;
  }
  for (auto [i, lane] : llvm::enumerate(lanes)) {
    lane->blocks.erase(lane->blocks.begin(),
                       lane->blocks.begin() + blocksRead[i]);
    lane->addresses.erase(lane->addresses.begin(),
                          lane->addresses.begin() + addressesRead[i]);
    blocksRead[i] = addressesRead[i] = 0;
  }
}

bool WarpReplay::leave(llvm::ArrayRef<LaneTrace *> lanes) {
  Path path = paths.back();
  std::map<uint32_t, uint32_t> masks;
  uint32_t finished = 0;
  bool known = true;
  forEachLane(path.mask, [&](unsigned i) {
    if (blocksRead[i] != lanes[i]->blocks.size())
      masks[lanes[i]->blocks[blocksRead[i]]] |= uint32_t(1) << i;
    else if (lanes[i]->done)
      finished |= uint32_t(1) << i;
    else
      known = false;
  });
  if (!known)
    return false;
  for (Path &each : paths)
    each.mask &= ~finished;
  if (masks.empty())
    return true;
  if (masks.size() + (finished != 0) > 1 && path.block != none)
    ++blockCounters[path.block].divergent;
  if (masks.size() == 1) {
    paths.back().block = masks.begin()->first;
    paths.back().executed = false;
    return true;
  }
  uint32_t join = module.blocks[path.block].join.value_or(none);
  paths.back().block = join;
  paths.back().executed = false;
  for (auto [next, mask] : masks)
    if (next != join)
      paths.push_back({next, join, mask, false});
  return true;
}

void WarpReplay::execute(uint32_t block, uint32_t mask,
                         llvm::ArrayRef<LaneTrace *> lanes,
                         AddressRange workgroup) {
  BlockCounters &counters = blockCounters[block];
  ++counters.warps;
  counters.lanes += llvm::popcount(mask);
  for (uint32_t index : module.blocks[block].accesses) {
    const ProfiledAccess &access = module.accesses[index];
    llvm::SmallVector<uint64_t, 32> global, offsets;
    llvm::SmallVector<unsigned, 32> offsetLanes;
    forEachLane(mask, [&](unsigned i) {
      uint64_t address = lanes[i]->addresses[addressesRead[i]++];
      if (address == 0 || i >= access.numLanes)
        return;
      if (address - workgroup.begin >= workgroup.bytes) {
        global.push_back(address);
        return;
      }
      offsets.push_back(address - workgroup.begin);
      offsetLanes.push_back(i);
    });
    AccessCounters &sum = accessCounters[index];
    ++sum.requests;
    if (!global.empty()) {
      ++sum.globalRequests;
      sum.sectors += countSectors(global, access.bytes);
      sum.globalBytes += global.size() * access.bytes;
    }
    if (!offsets.empty()) {
      Wavefronts wavefronts =
          countWavefronts(offsets, offsetLanes, access.bytes);
      ++sum.workgroupRequests;
      sum.wavefronts += wavefronts.taken;
      sum.leastWavefronts += wavefronts.least;
      sum.workgroupBytes += offsets.size() * access.bytes;
    }
  }
  forEachLane(mask, [&](unsigned i) { ++blocksRead[i]; });
}

} // namespace formwork::transforms::emulate
