//===- EmulationFindings.cpp - Launch reports as diagnostics --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/EmulationFindings.h"

#include "transforms/emulate/DeviceSupport.h"

#include "mlir/IR/Location.h"

#include <map>
#include <tuple>

namespace formwork::transforms::emulate {

using engine::Finding;
using engine::NoteKind;

mlir::Location getLocation(const Place &place, mlir::Location fallback) {
  if (place.line == 0)
    return fallback;
  return mlir::FileLineColLoc::get(fallback.getContext(), place.file,
                                   place.line, place.column);
}

static std::string print(const Dim3 &position) {
  return llvm::formatv("({0}, {1}, {2})", position.x, position.y, position.z);
}

/// "byte 4 of 'w'"
static std::string print(const MemoryLocation &where) {
  if (where.buffer.empty())
    return llvm::formatv("byte {0} of workgroup memory", where.offset);
  return llvm::formatv("byte {0} of '{1}'", where.offset, where.buffer);
}

/// "read of 4 bytes by thread (1, 0, 0), after 2 barriers"
static std::string print(const Access &access) {
  std::string bytes;
  if (access.bytes != 0)
    bytes = llvm::formatv(" of {0} bytes", access.bytes);
  return llvm::formatv("{0}{1} by thread {2}, after {3} barrier{4}",
                       getName(access.kind), bytes, print(access.thread),
                       access.epoch, access.epoch == 1 ? "" : "s");
}

/// " in kernel 'k', block (0, 0, 0)"
static std::string printLaunch(llvm::StringRef kernel, const Dim3 &block) {
  return llvm::formatv(" in kernel '{0}', block {1}", kernel, print(block));
}

/// The access at which a race is reported, and the other one: the reader is the
/// one who gets a wrong value, so the error stands there.
template <typename RaceT>
static std::pair<const Access &, const Access &> getUse(const RaceT &race) {
  if (race.first.kind == AccessKind::Read)
    return {race.first, race.second};
  return {race.second, race.first};
}

static Finding makeFinding(const Race &race, mlir::Location fallback) {
  auto [use, other] = getUse(race);
  mlir::Location loc = getLocation(use.place, fallback);
  Finding finding(
      loc, "fw-workgroup-race",
      llvm::formatv("{0} requires a barrier between it and the {1} of the same "
                    "workgroup memory by another thread but has none",
                    getName(use.kind), getName(other.kind)));
  finding.note(NoteKind::Established, getLocation(other.place, fallback),
               llvm::formatv("{0} here", getName(other.kind)));
  finding.note(NoteKind::Evidence, loc,
               print(use) + printLaunch(race.kernel, race.block));
  finding.note(NoteKind::Evidence, getLocation(other.place, fallback),
               print(other));
  finding.note(NoteKind::Evidence, loc, "both at " + print(race.where));
  if (race.first.thread == race.second.thread)
    finding.note(NoteKind::FixIt, loc,
                 "wait for the asynchronous copy (cp.async.wait_group) before "
                 "the access");
  else
    finding.note(NoteKind::FixIt, loc,
                 "put a barrier of the block (gpu.barrier) between the two");
  return finding;
}

static Finding makeFinding(const GlobalRace &race, mlir::Location fallback) {
  auto [use, other] = getUse(race);
  bool usesFirst = &use == &race.first;
  mlir::Location loc = getLocation(use.place, fallback);
  // Threads that all write the same do no harm, and no value is known here.
  bool bothWrite =
      use.kind != AccessKind::Read && other.kind != AccessKind::Read;
  Finding finding(
      loc, "fw-global-race",
      llvm::formatv("{0} requires an order between it and the {1} of the same "
                    "global memory by another thread but has none",
                    getName(use.kind), getName(other.kind)),
      bothWrite ? mlir::DiagnosticSeverity::Warning
                : mlir::DiagnosticSeverity::Error);
  finding.note(NoteKind::Established, getLocation(other.place, fallback),
               llvm::formatv("{0} here", getName(other.kind)));
  finding.note(NoteKind::Evidence, loc,
               print(use) + printLaunch(race.kernel, usesFirst
                                                         ? race.firstBlock
                                                         : race.secondBlock));
  finding.note(NoteKind::Evidence, getLocation(other.place, fallback),
               print(other) + printLaunch(race.kernel, usesFirst
                                                           ? race.secondBlock
                                                           : race.firstBlock));
  finding.note(NoteKind::Evidence, loc, "both at " + print(race.where));
  finding.note(
      NoteKind::FixIt, loc,
      race.firstBlock == race.secondBlock
          ? "put a barrier of the block (gpu.barrier) between the two"
          : "keep what the two share in one block, or in two launches: "
            "blocks of one launch have no order");
  return finding;
}

/// One missing barrier makes every pair of unrolled accesses race, so races of
/// the same kind on one buffer are one finding: the first in source order.
template <typename RaceT>
static void addRaces(const Witnesses<RaceT> &races, mlir::Location fallback,
                     engine::Findings &findings) {
  struct Group {
    const RaceT *first = nullptr;
    uint64_t size = 0;
  };
  auto getOrder = [](const RaceT &race) {
    auto [use, other] = getUse(race);
    return std::tuple(use.place.file, use.place.line, use.place.column,
                      other.place.file, other.place.line, other.place.column);
  };
  std::map<std::tuple<std::string, AccessKind, AccessKind>, Group> groups;
  for (const RaceT &race : races) {
    auto [use, other] = getUse(race);
    Group &group = groups[{race.where.buffer, use.kind, other.kind}];
    if (!group.first || getOrder(race) < getOrder(*group.first))
      group.first = &race;
    ++group.size;
  }
  for (const auto &[key, group] : groups) {
    Finding &finding = findings.add(makeFinding(*group.first, fallback));
    if (group.size > 1)
      finding.note(
          NoteKind::Evidence, finding.loc,
          llvm::formatv("{0}{1} more pairs of accesses of the same memory race",
                        races.getNumOmitted() == 0 ? "" : "at least ",
                        group.size - 1));
  }
}

static Finding makeFinding(const BarrierDivergence &divergence,
                           mlir::Location fallback) {
  if (divergence.kind == BarrierDivergence::Kind::PartialWarp) {
    mlir::Location loc = getLocation(divergence.waiting, fallback);
    Finding finding(loc, "fw-barrier-divergence",
                    "matrix instruction requires a warp of 32 threads but has "
                    "one of fewer");
    finding.note(NoteKind::Evidence, loc,
                 "thread " + print(divergence.waitingThread) + " waits" +
                     printLaunch(divergence.kernel, divergence.block));
    return finding;
  }
  bool exited = divergence.kind == BarrierDivergence::Kind::Exited;
  mlir::Location other = getLocation(divergence.other, fallback);
  Finding finding(
      getLocation(divergence.waiting, fallback), "fw-barrier-divergence",
      llvm::formatv(
          "synchronization requires all of its threads but has thread "
          "{0} waiting and thread {1} {2}",
          print(divergence.waitingThread), print(divergence.otherThread),
          exited ? "past the end of the kernel" : "waiting elsewhere"));
  finding.note(NoteKind::Evidence, other,
               llvm::formatv("thread {0} {1}{2}", print(divergence.otherThread),
                             exited ? "leaves here" : "waits here",
                             printLaunch(divergence.kernel, divergence.block)));
  return finding;
}

static Finding makeBoundsFinding(const OutOfBounds &defect, llvm::StringRef id,
                                 mlir::Location fallback) {
  mlir::Location loc = getLocation(defect.access.place, fallback);
  std::string buffer = defect.where.buffer.empty()
                           ? "workgroup memory"
                           : "'" + defect.where.buffer + "'";
  int64_t end = defect.where.offset + int64_t(defect.access.bytes);
  Finding finding(
      loc, id,
      llvm::formatv(
          "{0} requires an address within the {1} bytes of {2} but has "
          "bytes {3} to {4}",
          getName(defect.access.kind), defect.bufferBytes, buffer,
          defect.where.offset, end - 1));
  finding.note(NoteKind::Evidence, loc,
               print(defect.access) + printLaunch(defect.kernel, defect.block));
  return finding;
}

static Finding makeFinding(const Misaligned &defect, mlir::Location fallback) {
  mlir::Location loc = getLocation(defect.access.place, fallback);
  Finding finding(
      loc, "fw-misaligned-access",
      llvm::formatv("{0} requires an address aligned to {1} bytes "
                    "but has {2}",
                    getName(defect.access.kind), defect.alignment,
                    defect.where ? print(*defect.where) : "one that is not"));
  finding.note(NoteKind::Evidence, loc,
               print(defect.access) + printLaunch(defect.kernel, defect.block));
  return finding;
}

static Finding makeFinding(const FailedAssertion &failed,
                           mlir::Location fallback) {
  mlir::Location loc = getLocation(failed.place, fallback);
  Finding finding(loc, "fw-assertion-failed",
                  "assertion of the payload fails: " + failed.message);
  finding.note(NoteKind::Evidence, loc,
               "thread " + print(failed.thread) +
                   printLaunch(failed.kernel, failed.block));
  return finding;
}

template <typename T, typename MakeT>
static void addAll(const Witnesses<T> &witnesses, MakeT make,
                   engine::Findings &findings) {
  engine::Finding *last = nullptr;
  for (const T &defect : witnesses)
    last = &findings.add(make(defect));
  if (last && witnesses.getNumOmitted() != 0)
    last->note(NoteKind::Approximation, last->loc,
               llvm::formatv("{0} more of the kind at other places are not "
                             "listed",
                             witnesses.getNumOmitted()));
}

void addFindings(const LaunchReport &report, mlir::Location fallback,
                 engine::Findings &findings) {
  auto make = [&](const auto &defect) { return makeFinding(defect, fallback); };
  auto makeBounds = [&](llvm::StringRef id) {
    return [=](const OutOfBounds &defect) {
      return makeBoundsFinding(defect, id, fallback);
    };
  };
  addAll(report.failedAssertions, make, findings);
  addRaces(report.races, fallback, findings);
  addRaces(report.globalRaces, fallback, findings);
  addAll(report.divergences, make, findings);
  addAll(report.outOfBounds, makeBounds("fw-workgroup-out-of-bounds"),
         findings);
  addAll(report.globalOutOfBounds, makeBounds("fw-global-out-of-bounds"),
         findings);
  addAll(report.misaligned, make, findings);
}

void addFindings(const EmulatedDevice &device, mlir::Location fallback,
                 engine::Findings &findings) {
  for (const EmulatedLaunch &launch : device.getLaunches()) {
    if (!launch.error.empty())
      findings.add(Finding(fallback, "fw-launch-refused", launch.error));
    addFindings(launch.report, fallback, findings);
  }
}

void addFindings(llvm::Error error, mlir::Location fallback,
                 engine::Findings &findings) {
  llvm::handleAllErrors(
      std::move(error),
      [&](const UnsupportedError &unsupported) {
        for (const UnsupportedError::Feature &feature :
             unsupported.getFeatures())
          findings.add(Finding(getLocation(feature.place, fallback),
                               "fw-emulate-unsupported",
                               "emulation does not support " + feature.name));
      },
      [&](const llvm::ErrorInfoBase &other) {
        findings.add(Finding(fallback, "fw-emulate-failed",
                             "cannot emulate the module: " + other.message()));
      });
}

} // namespace formwork::transforms::emulate
