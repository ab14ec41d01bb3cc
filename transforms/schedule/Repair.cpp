//===- Repair.cpp - A schedule with its fix-its carried out -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/Repair.h"

#include "verifier/source/ApplyEdits.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using verifier::ByteFix;
using verifier::CheckResult;

static constexpr unsigned kMaxRounds = 16;

/// How bad a result is: errors, whether it is proved, then warnings, then what
/// is left to be proved.
static std::array<size_t, 4> getScore(const CheckResult &result) {
  size_t warnings =
      llvm::count_if(result.findings.get(), [](const engine::Finding &finding) {
        return finding.severity == DiagnosticSeverity::Warning &&
               finding.id != "fw-unproved";
      });
  return {result.findings.count(DiagnosticSeverity::Error),
          result.verdict.kind != verifier::Verdict::Proved, warnings,
          result.numUnproved};
}

namespace {
struct Attempt {
  std::string text;
  unsigned numFixes;
  CheckResult result;
};

/// The state that stays the same over the rounds.
class Repairer {
public:
  Repairer(const ScheduleInput &input, ScheduleCheck check)
      : input(input), check(check) {}

  /// The text with `fixes`, if it parses.
  std::optional<Attempt> attempt(StringRef text, ArrayRef<ByteFix> fixes);
  /// The result of `fixes` together, or else of one of them, if it is better
  /// than `result`.
  std::optional<Attempt> improve(StringRef text, ArrayRef<ByteFix> fixes,
                                 const CheckResult &result);

private:
  const ScheduleInput &input;
  ScheduleCheck check;
  /// Findings point into what was parsed.
  std::vector<ScheduleInput> parsed;
  unsigned attempts = 0;
};
} // namespace

std::optional<Attempt> Repairer::attempt(StringRef text,
                                         ArrayRef<ByteFix> fixes) {
  if (++attempts > kMaxRounds)
    return std::nullopt;
  std::string edited = verifier::applyFixes(text, fixes);
  // An edit that does not parse is no repair; its errors are not shown.
  ScopedDiagnosticHandler quiet(input.schedule.get()->getContext(),
                                [](Diagnostic &) {});
  FailureOr<ScheduleInput> again = reloadSchedule(input, edited);
  if (failed(again))
    return std::nullopt;
  ModuleOp payload = again->payload  ? *again->payload
                     : input.payload ? *input.payload
                                     : ModuleOp();
  FailureOr<CheckResult> result = check(*again, payload);
  parsed.push_back(std::move(*again));
  if (failed(result))
    return std::nullopt;
  return Attempt{std::move(edited), static_cast<unsigned>(fixes.size()),
                 std::move(*result)};
}

std::optional<Attempt> Repairer::improve(StringRef text,
                                         ArrayRef<ByteFix> fixes,
                                         const CheckResult &result) {
  SmallVector<ByteFix> together = verifier::dropConflicts(fixes);
  std::optional<Attempt> all = attempt(text, together);
  if (all && getScore(all->result) < getScore(result))
    return all;
  if (fixes.size() == 1)
    return std::nullopt;
  for (const ByteFix &fix : fixes) {
    std::optional<Attempt> one = attempt(text, fix);
    if (one && getScore(one->result) < getScore(result))
      return one;
  }
  return std::nullopt;
}

Repair formwork::transforms::repairSchedule(const ScheduleInput &input,
                                            CheckResult before,
                                            ScheduleCheck check) {
  Repair repair{input.getNames()->getText().str(), 0, std::move(before)};
  Repairer repairer(input, check);
  while (true) {
    SmallVector<ByteFix> fixes = verifier::collectFixes(
        repair.result.findings.get(), input.sourceName, repair.text);
    if (fixes.empty())
      break;
    std::optional<Attempt> better =
        repairer.improve(repair.text, fixes, repair.result);
    if (!better && repair.numFixes == 0)
      (void)emitFinding(engine::Finding(
          input.entry->getLoc(), "fw-fix-refused",
          "finds no fix-it that leads to a schedule that checks better among " +
              Twine(fixes.size()) + "; nothing is changed",
          DiagnosticSeverity::Warning));
    if (!better)
      break;
    repair.text = std::move(better->text);
    repair.numFixes += better->numFixes;
    repair.result = std::move(better->result);
  }
  return repair;
}
