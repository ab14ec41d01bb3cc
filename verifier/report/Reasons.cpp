//===- Reasons.cpp - What is not proved, as findings ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/report/Reasons.h"

using namespace mlir;

void formwork::verifier::addReasons(CheckResult &result) {
  for (const Unproved &unproved : result.verdict.reasons) {
    engine::Finding &finding = result.findings.add(engine::Finding(
        unproved.op->getLoc(), "fw-unproved",
        "cannot prove that '" + unproved.op->getName().getStringRef() +
            "' succeeds: " + unproved.reason,
        DiagnosticSeverity::Warning));
    if (unproved.part)
      finding.note(engine::NoteKind::Evidence, unproved.part->getLoc(),
                   "it stands here");
  }
}
