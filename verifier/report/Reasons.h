//===- Reasons.h - What is not proved, as findings --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_REPORT_REASONS_H
#define FORMWORK_VERIFIER_REPORT_REASONS_H

#include "verifier/Verifier.h"

namespace formwork::verifier {

/// Adds to the findings a warning (fw-unproved) for each step that keeps the
/// schedule from being proved.
void addReasons(CheckResult &result);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_REPORT_REASONS_H
