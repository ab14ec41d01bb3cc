//===- VerdictSummary.h - A check in a line ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verdict of `formwork check` on a schedule as a whole, as text and as
// JSON. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_VERDICTSUMMARY_H
#define FORMWORK_TOOLS_FORMWORK_VERDICTSUMMARY_H

#include "transforms/settle/Settle.h"

#include "llvm/Support/JSON.h"

namespace formwork::tools {

/// "1 error", "2 errors".
std::string plural(size_t count, llvm::StringRef noun);

/// How many warnings the user's options silence, or make errors of.
struct WarningCounts {
  unsigned silenced = 0, errors = 0;
};

/// Prints the line of the verdict on `name`, and which operations have no
/// contract. `settlement`: the run, if there was one. Without a payload, what
/// is said holds of ordinary ones.
void printVerdict(const verifier::CheckResult &result,
                  const transforms::Settlement &settlement, bool hasPayload,
                  bool hasTarget, WarningCounts counts, llvm::StringRef name,
                  llvm::raw_ostream &os);

/// The `summary` of docs/report.schema.json.
llvm::json::Object
summarizeVerdict(const verifier::CheckResult &result,
                 const transforms::Settlement &settlement = {});

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_VERDICTSUMMARY_H
