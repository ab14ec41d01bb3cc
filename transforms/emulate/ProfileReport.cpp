//===- ProfileReport.cpp - Profiles as text and JSON ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/ProfileReport.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace formwork::transforms::emulate {

namespace json = llvm::json;

static std::optional<unsigned> findRegisters(const EmulatedLaunch &launch,
                                             const RegisterCounts &registers) {
  auto found = registers.find(launch.config.kernel);
  if (found == registers.end())
    return std::nullopt;
  return found->second;
}

static Occupancy getOccupancy(const EmulatedLaunch &launch,
                              const RegisterCounts &registers) {
  return computeOccupancy(launch.config.block.count(),
                          launch.report.workgroupBytes,
                          findRegisters(launch, registers));
}

static double divide(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : double(a) / double(b);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string print(const Dim3 &extent) {
  return llvm::formatv("{0} x {1} x {2}", extent.x, extent.y, extent.z);
}

/// "1024 requests, 16.0 sectors each, 524288 bytes for 524288 asked; …"
static std::string print(const AccessCounters &counters) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (counters.globalRequests != 0)
    os << counters.globalRequests << " requests of global memory"
       << llvm::format(", %.1f sectors each, ",
                       divide(counters.sectors, counters.globalRequests))
       << counters.sectors * 32 << " bytes moved for " << counters.globalBytes;
  if (counters.workgroupRequests != 0)
    os << (text.empty() ? "" : "; ") << counters.workgroupRequests
       << " requests of workgroup memory, " << counters.wavefronts
       << " wavefronts for at least " << counters.leastWavefronts;
  return text;
}

static void printLaunch(const EmulatedLaunch &launch,
                        const RegisterCounts &registers,
                        llvm::raw_ostream &os) {
  const LaunchProfile &profile = *launch.report.profile;
  os << "kernel '" << launch.config.kernel << "': grid "
     << print(launch.config.grid) << ", block " << print(launch.config.block)
     << ", " << launch.report.numBlocks << " blocks counted\n";
  Occupancy occupancy = getOccupancy(launch, registers);
  std::optional<unsigned> known = findRegisters(launch, registers);
  os << "  occupancy on sm_90: " << occupancy.warps << " of "
     << occupancy.maxWarps << " warps, limited by " << occupancy.limit << "; "
     << launch.report.workgroupBytes << " bytes of workgroup memory, ";
  if (known)
    os << *known << " registers a thread\n";
  else
    os << "registers unknown without ptxas\n";
  uint64_t total = profile.getNumWarpInstructions();
  os << "  " << total << " instructions executed by warps"
     << llvm::format(", %.1f of 32 lanes active, ",
                     divide(profile.laneInstructions, total))
     << profile.branches << " branches of which " << profile.divergentBranches
     << " diverge\n";
  for (auto [kind, count] : llvm::enumerate(profile.warpInstructions))
    if (count != 0)
      os << llvm::formatv("    {0,-22}{1,12}\n",
                          getName(InstructionClass(kind)), count);
  auto printSum = [&](llvm::StringRef name, const AccessCounters &counters) {
    if (counters.requests != 0)
      os << "  " << name << ": " << print(counters) << "\n";
  };
  printSum("global loads", profile.globalLoads);
  printSum("global stores", profile.globalStores);
  printSum("workgroup loads", profile.workgroupLoads);
  printSum("workgroup stores", profile.workgroupStores);
  printSum("asynchronous copies", profile.asyncCopies);
  for (const SiteProfile &site : profile.sites) {
    uint64_t instructions = llvm::sum_of(site.warpInstructions);
    os << "  " << site.place.str();
    if (site.place.stepLine != 0)
      os << ", made at " << site.place.stepFile << ":" << site.place.stepLine
         << ":" << site.place.stepColumn;
    os << ": " << instructions << " instructions";
    if (site.divergentBranches != 0)
      os << ", " << site.divergentBranches << " of " << site.branches
         << " branches diverge";
    if (site.memory.requests != 0)
      os << "; " << print(site.memory);
    os << "\n";
  }
}

void printProfiles(const EmulatedDevice &device,
                   const RegisterCounts &registers, llvm::raw_ostream &os) {
  for (const EmulatedLaunch &launch : device.getLaunches())
    if (launch.report.profile)
      printLaunch(launch, registers, os);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value describe(const Dim3 &extent) {
  return json::Array{extent.x, extent.y, extent.z};
}

static json::Value describe(const AccessCounters &counters) {
  return json::Object{{"requests", counters.requests},
                      {"globalRequests", counters.globalRequests},
                      {"sectors", counters.sectors},
                      {"globalBytes", counters.globalBytes},
                      {"workgroupRequests", counters.workgroupRequests},
                      {"wavefronts", counters.wavefronts},
                      {"leastWavefronts", counters.leastWavefronts},
                      {"workgroupBytes", counters.workgroupBytes}};
}

static json::Value
describe(const std::array<uint64_t, numInstructionClasses> &counts) {
  json::Object object;
  for (auto [kind, count] : llvm::enumerate(counts))
    if (count != 0)
      object[getName(InstructionClass(kind))] = count;
  return object;
}

static json::Value describe(const SiteProfile &site) {
  json::Object object{{"function", site.place.function},
                      {"instructions", describe(site.warpInstructions)},
                      {"laneInstructions", site.laneInstructions},
                      {"branches", site.branches},
                      {"divergentBranches", site.divergentBranches}};
  if (site.place.line != 0) {
    object["file"] = site.place.file;
    object["line"] = site.place.line;
    object["column"] = site.place.column;
  }
  if (site.place.stepLine != 0)
    object["step"] = json::Object{{"file", site.place.stepFile},
                                  {"line", site.place.stepLine},
                                  {"column", site.place.stepColumn}};
  if (site.memory.requests != 0)
    object["memory"] = describe(site.memory);
  return object;
}

json::Value describeProfiles(const EmulatedDevice &device,
                             const RegisterCounts &registers) {
  json::Array launches;
  for (const EmulatedLaunch &launch : device.getLaunches()) {
    if (!launch.report.profile)
      continue;
    const LaunchProfile &profile = *launch.report.profile;
    Occupancy occupancy = getOccupancy(launch, registers);
    std::optional<unsigned> known = findRegisters(launch, registers);
    json::Array sites;
    for (const SiteProfile &site : profile.sites)
      sites.push_back(describe(site));
    launches.push_back(json::Object{
        {"kernel", launch.config.kernel},
        {"grid", describe(launch.config.grid)},
        {"block", describe(launch.config.block)},
        {"blocksCounted", launch.report.numBlocks},
        {"workgroupBytes", launch.report.workgroupBytes},
        {"registers", known ? json::Value(*known) : json::Value(nullptr)},
        {"occupancy", json::Object{{"architecture", "sm_90"},
                                   {"blocks", occupancy.blocks},
                                   {"warps", occupancy.warps},
                                   {"maxWarps", occupancy.maxWarps},
                                   {"limit", occupancy.limit}}},
        {"instructions", describe(profile.warpInstructions)},
        {"laneInstructions", profile.laneInstructions},
        {"branches", profile.branches},
        {"divergentBranches", profile.divergentBranches},
        {"globalLoads", describe(profile.globalLoads)},
        {"globalStores", describe(profile.globalStores)},
        {"workgroupLoads", describe(profile.workgroupLoads)},
        {"workgroupStores", describe(profile.workgroupStores)},
        {"asyncCopies", describe(profile.asyncCopies)},
        {"sites", std::move(sites)}});
  }
  return launches;
}

} // namespace formwork::transforms::emulate
