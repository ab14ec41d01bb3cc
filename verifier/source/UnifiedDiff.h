//===- UnifiedDiff.h - What changed in a text -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The difference of two texts as patch(1) reads it. Layer: verifier; text only.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOURCE_UNIFIEDDIFF_H
#define FORMWORK_VERIFIER_SOURCE_UNIFIEDDIFF_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace formwork::verifier {

/// The difference from `before` to `after`, two versions of the file `name`,
/// with three lines of context; empty if there is none. Before either text,
/// `linesBefore` other lines of the file stand. Cost: lines times changed
/// lines.
/// Source: E. Myers, An O(ND) difference algorithm, 1986.
std::string printUnifiedDiff(llvm::StringRef name, llvm::StringRef before,
                             llvm::StringRef after, unsigned linesBefore = 0);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_UNIFIEDDIFF_H
