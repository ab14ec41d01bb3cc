//===- Matrix.cpp - Claims against the truth, counted ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/Matrix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace formwork::testing;

bool formwork::testing::isAdvice(llvm::StringRef id) {
  return llvm::is_contained(
      {"fw-missing-form",        "fw-missing-goal",     "fw-empty-match",
       "fw-parallel-reduction",  "fw-unmapped-loop",    "fw-workgroup-memory",
       "fw-too-many-tile-sizes", "fw-dynamic-shape",    "fw-hidden-failure",
       "fw-huge-vector",         "fw-unread-producer",  "fw-step-idle",
       "fw-step-partial",        "fw-step-miscompiles", "fw-fused-again",
       "fw-copy-width",          "fw-predicated-copy",  "fw-pipeline-depth",
       "fw-too-many-lanes",      "fw-readonly-consumed"},
      id);
}

void Matrix::add(const Trial &trial) {
  unsigned claim = static_cast<unsigned>(trial.claim);
  unsigned truth = static_cast<unsigned>(trial.truth);
  bool runs = trial.truth == Truth::Runs;
  ++counts[claim][truth];
  ++uses[trial.usesCrashed ? 2 : trial.usesWarns ? 1 : 0][truth];
  checkCrashes += trial.checkCrashed;
  falseProofs += trial.claim == Claim::Proved && !runs;
  falseRefusals += trial.claim == Claim::Refuted && runs;
  bool isAlarmed = llvm::any_of(
      trial.warnings, [](const std::string &id) { return !isAdvice(id); });
  if (runs) {
    alarms += isAlarmed;
    advised += !isAlarmed && !trial.warnings.empty();
    for (const std::string &reason : trial.reasons) {
      auto &[all, alone] = reasons[reason];
      ++all;
      alone += trial.reasons.size() == 1;
    }
  }
  if (trial.claim == Claim::Unproved) {
    alarmed[truth] += isAlarmed;
    onlyUnproved[truth] += !isAlarmed;
  }
}

static std::string share(unsigned part, unsigned whole) {
  if (whole == 0)
    return "none";
  return llvm::formatv("{0} of {1} ({2:f1} %)", part, whole,
                       100.0 * part / whole)
      .str();
}

void Matrix::print(llvm::raw_ostream &os) const {
  auto row = [&](llvm::StringRef name, const unsigned (&of)[4]) {
    os << llvm::formatv("| {0} | {1} | {2} | {3} | {4} |\n", name, of[0], of[1],
                        of[2], of[3]);
  };
  os << "| `formwork check` | runs | invalidation | other failure | crash |\n"
        "|---|---|---|---|---|\n";
  row("proved", counts[0]);
  row("unproved", counts[1]);
  row("refuted", counts[2]);
  os << "\n| `transform-dialect-check-uses` | runs | invalidation | other "
        "failure | crash |\n|---|---|---|---|---|\n";
  row("silent", uses[0]);
  row("warns", uses[1]);
  row("crashes itself", uses[2]);

  unsigned total[4];
  for (unsigned i = 0; i < 4; ++i)
    total[i] = counts[0][i] + counts[1][i] + counts[2][i];
  unsigned failing = total[1] + total[2] + total[3];
  os << "\n| share | goal | |\n|---|---|---|\n";
  auto line = [&](llvm::StringRef what, llvm::StringRef goal,
                  const std::string &value) {
    os << "| " << what << " | " << goal << " | " << value << " |\n";
  };
  line("failing, but proved", "0", share(falseProofs, failing));
  line("running, proved", ">= 80 %", share(counts[0][0], total[0]));
  line("running, refused", "<= 1 %", share(counts[2][0], total[0]));
  line("running, with a warning that something may fail", "<= 5 %",
       share(alarms, total[0]));
  line("running, with advice only", "", share(advised, total[0]));
  line("invalidations as errors", ">= 85 %", share(counts[2][1], total[1]));
  line("invalidations as errors or as warnings that something may fail",
       ">= 99 %", share(counts[2][1] + alarmed[1], total[1]));
  line("invalidations that are not proved", "100 %",
       share(counts[2][1] + counts[1][1], total[1]));
  line("other failures as errors", "most", share(counts[2][2], total[2]));
  line("other failures as errors or such warnings", "",
       share(counts[2][2] + alarmed[2], total[2]));
  line("crashes of the interpreter as errors", "",
       share(counts[2][3], total[3]));
  line("upstream: invalidations", "", share(uses[1][1], total[1]));
  line("upstream: other failures", "", share(uses[1][2], total[2]));
  line("upstream: running, warned", "", share(uses[1][0], total[0]));
  if (checkCrashes != 0)
    line("crashes of the check", "0", std::to_string(checkCrashes));
}

void Matrix::printTruth(llvm::StringRef name, llvm::raw_ostream &os) const {
  unsigned total[4], all = 0;
  for (unsigned i = 0; i < 4; ++i)
    all += total[i] = counts[0][i] + counts[1][i] + counts[2][i];
  os << llvm::formatv("| {0} | {1} | {2} | {3} | {4} |\n", name,
                      share(total[0], all), total[1], total[2], total[3]);
}

void Matrix::printReasons(llvm::raw_ostream &os) const {
  std::vector<std::pair<std::string, std::pair<unsigned, unsigned>>> sorted(
      reasons.begin(), reasons.end());
  llvm::stable_sort(
      sorted, [](const auto &a, const auto &b) { return a.second > b.second; });
  os << "schedules  alone  why running schedules are unproved\n";
  for (const auto &[reason, number] : sorted)
    os << llvm::formatv("{0,9} {1,6}  {2}\n", number.first, number.second,
                        reason);
}
