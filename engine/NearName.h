//===- NearName.h - Suggestions for a misspelled name -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the existing name nearest to a misspelled one, for "did you mean".
// Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_NEARNAME_H
#define FORMWORK_ENGINE_NEARNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace formwork::engine {

/// The index of the first of `names` with the smallest edit distance to `name`;
/// none when every distance is more than half, rounded up, of the length of
/// `name` behind the parts, each with its dot, that both names begin with: that
/// two operations are of one dialect makes them no more alike.
std::optional<size_t> findNearName(llvm::StringRef name,
                                   llvm::ArrayRef<llvm::StringRef> names);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_NEARNAME_H
