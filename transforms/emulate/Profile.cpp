//===- Profile.cpp - What a launch costs, counted -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Profile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <tuple>

namespace formwork::transforms::emulate {

static constexpr unsigned sectorBytes = 32, wordBytes = 4, numBanks = 32;

llvm::StringRef getName(InstructionClass kind) {
  static constexpr llvm::StringLiteral names[] = {"tensor core",
                                                  "float",
                                                  "special function",
                                                  "integer",
                                                  "global load",
                                                  "global store",
                                                  "workgroup load",
                                                  "workgroup store",
                                                  "asynchronous copy",
                                                  "local memory",
                                                  "exchange in the warp",
                                                  "barrier",
                                                  "branch",
                                                  "other"};
  static_assert(std::size(names) == numInstructionClasses);
  return names[unsigned(kind)];
}

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

/// The units of `size` bytes that accesses of `bytes` touch, each once.
static llvm::SmallVector<uint64_t, 64>
getUnits(llvm::ArrayRef<uint64_t> addresses, unsigned bytes, unsigned size) {
  llvm::SmallVector<uint64_t, 64> units;
  for (uint64_t address : addresses)
    for (uint64_t unit = address / size; unit * size < address + bytes; ++unit)
      units.push_back(unit);
  llvm::sort(units);
  units.erase(llvm::unique(units), units.end());
  return units;
}

unsigned countSectors(llvm::ArrayRef<uint64_t> addresses, unsigned bytes) {
  return getUnits(addresses, bytes, sectorBytes).size();
}

Wavefronts countWavefronts(llvm::ArrayRef<uint64_t> offsets,
                           llvm::ArrayRef<unsigned> lanes, unsigned bytes) {
  unsigned lanesAtOnce = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  Wavefronts result;
  for (size_t begin = 0; begin != lanes.size();) {
    size_t end = begin;
    while (end != lanes.size() &&
           lanes[end] / lanesAtOnce == lanes[begin] / lanesAtOnce)
      ++end;
    auto words = getUnits(offsets.slice(begin, end - begin), bytes, wordBytes);
    std::array<unsigned, numBanks> perBank = {};
    for (uint64_t word : words)
      ++perBank[word % numBanks];
    result.taken += *llvm::max_element(perBank);
    result.least += llvm::divideCeil(words.size(), numBanks);
    begin = end;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

AccessCounters &AccessCounters::operator+=(const AccessCounters &other) {
  requests += other.requests;
  globalRequests += other.globalRequests;
  sectors += other.sectors;
  globalBytes += other.globalBytes;
  workgroupRequests += other.workgroupRequests;
  wavefronts += other.wavefronts;
  leastWavefronts += other.leastWavefronts;
  workgroupBytes += other.workgroupBytes;
  return *this;
}

uint64_t LaunchProfile::getNumWarpInstructions() const {
  return llvm::sum_of(warpInstructions);
}

LaunchProfile summarize(const ProfiledModule &module,
                        llvm::ArrayRef<BlockCounters> blocks,
                        llvm::ArrayRef<AccessCounters> accesses) {
  LaunchProfile profile;
  // Several instructions, even of several blocks, stand at one place.
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::string, std::string,
                      uint32_t, uint32_t>,
           SiteProfile>
      sites;
  auto getSite = [&](uint32_t index) -> SiteProfile & {
    const Place &place = module.sites[index];
    SiteProfile &site =
        sites[{place.file, place.line, place.column, place.function,
               place.stepFile, place.stepLine, place.stepColumn}];
    site.place = place;
    return site;
  };
  for (auto [block, counters] : llvm::zip_equal(module.blocks, blocks)) {
    if (counters.warps == 0)
      continue;
    for (const ProfiledBlock::Instruction &instruction : block.instructions) {
      SiteProfile &site = getSite(instruction.site);
      site.warpInstructions[unsigned(instruction.kind)] += counters.warps;
      site.laneInstructions += counters.lanes;
      profile.warpInstructions[unsigned(instruction.kind)] += counters.warps;
      profile.laneInstructions += counters.lanes;
    }
    if (!block.branchSite)
      continue;
    SiteProfile &site = getSite(*block.branchSite);
    site.branches += counters.warps;
    site.divergentBranches += counters.divergent;
    profile.branches += counters.warps;
    profile.divergentBranches += counters.divergent;
  }
  for (auto [access, counters] : llvm::zip_equal(module.accesses, accesses)) {
    if (counters.requests == 0)
      continue;
    getSite(access.site).memory += counters;
    // A generic address shows only at run time which memory it is in.
    AccessCounters global, workgroup;
    global.requests = global.globalRequests = counters.globalRequests;
    global.sectors = counters.sectors;
    global.globalBytes = counters.globalBytes;
    workgroup.requests = workgroup.workgroupRequests =
        counters.workgroupRequests;
    workgroup.wavefronts = counters.wavefronts;
    workgroup.leastWavefronts = counters.leastWavefronts;
    workgroup.workgroupBytes = counters.workgroupBytes;
    bool stores = access.kind == InstructionClass::GlobalStore ||
                  access.kind == InstructionClass::WorkgroupStore;
    if (access.kind == InstructionClass::AsyncCopy) {
      profile.asyncCopies += counters;
      continue;
    }
    (stores ? profile.globalStores : profile.globalLoads) += global;
    (stores ? profile.workgroupStores : profile.workgroupLoads) += workgroup;
  }
  for (auto &[key, site] : sites)
    profile.sites.push_back(std::move(site));
  return profile;
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

Occupancy computeOccupancy(uint64_t threads, uint64_t workgroupBytes,
                           std::optional<unsigned> registers) {
  constexpr uint64_t maxThreads = 2048, maxBlocks = 32, maxRegisters = 65536,
                     maxBytes = 228 << 10, reservedBytes = 1 << 10,
                     registerUnit = 256, byteUnit = 128;
  uint64_t warps = llvm::divideCeil(threads, 32);
  Occupancy result;
  result.blocks = maxBlocks;
  result.limit = "blocks";
  auto limit = [&](uint64_t blocks, llvm::StringRef what) {
    if (blocks >= result.blocks)
      return;
    result.blocks = blocks;
    result.limit = what;
  };
  limit(maxThreads / (warps * 32), "threads");
  if (registers)
    limit(maxRegisters /
              (warps * llvm::alignTo(uint64_t(*registers) * 32, registerUnit)),
          "registers");
  if (workgroupBytes != 0)
    limit(maxBytes / (llvm::alignTo(workgroupBytes, byteUnit) + reservedBytes),
          "workgroup memory");
  result.warps = result.blocks * warps;
  return result;
}

} // namespace formwork::transforms::emulate
