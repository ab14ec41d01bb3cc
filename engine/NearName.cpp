//===- NearName.cpp - Suggestions for a misspelled name ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/NearName.h"

#include "llvm/ADT/STLExtras.h"

using namespace formwork;

/// The length of the parts, each with its dot, with which both names begin.
static size_t countSharedParts(llvm::StringRef name, llvm::StringRef other) {
  size_t count = 0;
  for (size_t i = 0; i < name.size() && i < other.size(); ++i) {
    if (name[i] != other[i])
      break;
    if (name[i] == '.')
      count = i + 1;
  }
  return count;
}

std::optional<size_t>
engine::findNearName(llvm::StringRef name,
                     llvm::ArrayRef<llvm::StringRef> names) {
  // Beyond that, a suggestion is noise.
  unsigned best = name.size() / 2 + 1;
  std::optional<size_t> found;
  for (auto [i, other] : llvm::enumerate(names)) {
    unsigned distance =
        name.edit_distance(other, /*AllowReplacements=*/true, best);
    if (distance < best &&
        distance <= (name.size() - countSharedParts(name, other) + 1) / 2) {
      best = distance;
      found = i;
    }
  }
  return found;
}
