//===- Screen.h - Findings for a reader -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shortens what a check prints as text. Documents for programs have all
// findings. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_REPORT_SCREEN_H
#define FORMWORK_TOOLS_REPORT_SCREEN_H

#include "engine/Diagnostics.h"

namespace formwork::tools {

/// How many warnings of fw-unproved are printed one by one.
inline constexpr unsigned kMaxUnprovedShown = 10;

/// `findings`, which are sorted, with at most one fw-unproved a step, and one a
/// reason: a note counts the others. The warnings beyond kMaxUnprovedShown
/// become one. Other findings stay. Example: of the reasons a and b at step 1,
/// and a at step 2, one warning is left: a at step 1, with a note that counts
/// one more reason there, and a note at step 2.
engine::Findings shortenForScreen(const engine::Findings &findings);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_REPORT_SCREEN_H
