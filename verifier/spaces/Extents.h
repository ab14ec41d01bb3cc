//===- Extents.h - Sizes of loops as terms ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size is a term; a number is a constant one. An extent is the size of a loop
// with the condition under which it is static. Layer: verifier; knows terms, no
// payload and no schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_EXTENTS_H
#define FORMWORK_VERIFIER_SPACES_EXTENTS_H

#include "verifier/payload/Facts.h"

namespace formwork::verifier {

/// The size as a term, unless it is unknown.
std::optional<solver::IntTerm> toTerm(solver::TermContext &context,
                                      const Size &size);

/// The extent of size `term` where `condition` holds, and of an unknown size
/// for the reason `otherwise` where it does not. Example: with a condition that
/// folds to true, the extent of size 4 is the number 4.
Extent makeExtent(solver::IntTerm term, StaticCondition condition,
                  const DynamicReason &otherwise);

/// Says that the tile sizes of `condition` divide what they must, in words that
/// follow "requires that".
std::string describeStatic(const StaticCondition &condition);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_EXTENTS_H
