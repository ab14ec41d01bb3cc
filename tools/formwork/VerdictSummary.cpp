//===- VerdictSummary.cpp - A check in a line -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/VerdictSummary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace formwork;
using transforms::LoweredRun;
using transforms::Settlement;
using verifier::CheckResult;
using verifier::Verdict;

std::string formwork::tools::plural(size_t count, StringRef noun) {
  return llvm::formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s").str();
}

/// How far the lowering came, for the line of the verdict.
static StringRef describeLowering(const Settlement &settlement,
                                  const Verdict &verdict, bool hasTarget) {
  if (verdict.kind == Verdict::Refuted)
    return "";
  // The steps have messages of their own.
  if (!settlement.lowering)
    return hasTarget && verdict.kind == Verdict::Proved ? ", lowering unproved"
                                                        : "";
  switch (*settlement.lowering) {
  case LoweredRun::Compiles:
    return ", lowering unproved, compiles on this payload";
  case LoweredRun::NoKernel:
    return ", leaves no kernel to lower";
  case LoweredRun::Stopped:
    return ", lowering unproved";
  case LoweredRun::Fails:
  case LoweredRun::Crashes:
    return "";
  }
  llvm_unreachable("a lowering ends in one of five ways");
}

/// In the order of the enumerators of LoweredRun::End and ObservedRun::End.
static constexpr StringRef kLoweredEnds[] = {"compiles", "no-kernel", "fails",
                                             "crashes", "stopped"};
static constexpr StringRef kRunEnds[] = {"succeeds", "fails", "crashes",
                                         "stopped"};

void formwork::tools::printVerdict(const CheckResult &result,
                                   const Settlement &settlement,
                                   bool hasPayload, bool hasTarget,
                                   WarningCounts counts, StringRef name,
                                   llvm::raw_ostream &os) {
  os << name << ": " << result.verdict.getName();
  if (settlement.runs() && result.verdict.kind == Verdict::Unknown)
    os << (settlement.needsForms ? ", runs on this payload once normalized"
                                 : ", runs on this payload");
  os << describeLowering(settlement, result.verdict, hasTarget);
  os << ": "
     << plural(result.findings.count(DiagnosticSeverity::Error) + counts.errors,
               "error")
     << ", "
     << plural(result.findings.count(DiagnosticSeverity::Warning) -
                   counts.errors,
               "warning");
  if (counts.silenced != 0)
    os << " (" << counts.silenced << " silenced)";
  os << "; " << plural(result.numOps, "step") << ", " << result.numUnproved
     << " unproved";
  if (settlement.numDecisions != 0)
    os << ", " << settlement.numEffective << " of " << settlement.numDecisions
       << " with effect";
  else if (hasPayload && !settlement.end &&
           result.verdict.kind != Verdict::Refuted && result.numDecisions != 0)
    os << ", effect of " << result.effective.size() << " of "
       << result.numDecisions << " proved";
  os << " (LLVM " LLVM_VERSION_STRING << ", Formwork's own contracts"
     << (hasPayload ? "" : ", any ordinary payload") << ")\n";
  if (result.withoutContract.empty())
    return;
  os << name
     << ": without a contract: " << llvm::join(result.withoutContract, ", ")
     << "\n";
}

llvm::json::Object
formwork::tools::summarizeVerdict(const CheckResult &result,
                                  const Settlement &settlement) {
  llvm::json::Object summary{
      {"verdict", result.verdict.getName()},
      {"steps", result.numOps},
      {"unproved", result.numUnproved},
      {"withoutContract", llvm::json::Array(result.withoutContract)},
      {"decisions", result.numDecisions},
      {"effective", result.effective.size()}};
  if (settlement.end) {
    summary["run"] = settlement.needsForms ? "succeeds-normalized"
                                           : kRunEnds[*settlement.end];
    summary["disproved"] = settlement.numDisproved;
    if (settlement.runs()) {
      summary["decisions"] = settlement.numDecisions;
      summary["effective"] = settlement.numEffective;
    }
  }
  if (settlement.lowering)
    summary["lowering"] = kLoweredEnds[*settlement.lowering];
  return summary;
}
