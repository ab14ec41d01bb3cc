//===- BankConflicts.cpp - Findings about counted conflicts -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/BankConflicts.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms::emulate;
using engine::Finding;
using engine::NoteKind;

/// Half as many wavefronts more than the bytes need are too many, if what is
/// too many is a twentieth of the cycles in which instructions are issued.
static constexpr uint64_t kExcessShare = 2, kCycleShare = 20;
/// Warp instructions that a multiprocessor issues in a cycle.
static constexpr uint64_t kIssued = 4;

static bool isWorthAWord(const AccessCounters &counters,
                         uint64_t instructions) {
  uint64_t excess = counters.wavefronts - counters.leastWavefronts;
  return excess * kExcessShare >= counters.leastWavefronts &&
         excess * kCycleShare * kIssued >= instructions && excess != 0;
}

void formwork::transforms::emulate::findBankConflicts(
    const EmulatedDevice &device, Location fallback,
    engine::Findings &findings) {
  for (const EmulatedLaunch &launch : device.getLaunches()) {
    if (!launch.report.profile)
      continue;
    const LaunchProfile &profile = *launch.report.profile;
    uint64_t instructions = profile.getNumWarpInstructions();
    AccessCounters writes = profile.workgroupStores;
    writes += profile.asyncCopies;
    for (auto [counters, what] : {std::pair(profile.workgroupLoads, "reads"),
                                  std::pair(writes, "writes")}) {
      if (!isWorthAWord(counters, instructions))
        continue;
      // The place with the most wavefronts too many.
      auto getExcess = [](const SiteProfile &site) {
        return site.memory.wavefronts - site.memory.leastWavefronts;
      };
      auto worst = llvm::max_element(
          profile.sites, [&](const SiteProfile &a, const SiteProfile &b) {
            return getExcess(a) < getExcess(b);
          });
      Location loc = getLocation(worst->place, fallback);
      Finding finding(
          loc, "fw-slow-bank-conflicts",
          llvm::formatv("{0} workgroup memory in {1} wavefronts in '{2}' but "
                        "{3} would do for as many bytes",
                        what, counters.wavefronts, launch.config.kernel,
                        counters.leastWavefronts),
          DiagnosticSeverity::Warning);
      finding.note(
          NoteKind::Evidence, loc,
          llvm::formatv(
              "{0} of {1} warp instructions access the buffer; lanes of a "
              "request that access words 128 bytes apart, or a "
              "multiple of that, wait for each other",
              counters.workgroupRequests, instructions));
      finding.note(NoteKind::FixIt, loc,
                   "make the rows of the buffer longer by what a lane accesses "
                   "at a time, or let neighbours in a warp access neighbours "
                   "in a row");
      findings.add(std::move(finding));
    }
  }
}
