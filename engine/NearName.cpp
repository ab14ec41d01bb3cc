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

std::optional<size_t>
engine::findNearName(llvm::StringRef name,
                     llvm::ArrayRef<llvm::StringRef> names) {
  // Up to half of the name may differ; beyond that a suggestion is noise.
  unsigned best = name.size() / 2 + 1;
  std::optional<size_t> found;
  for (auto [i, other] : llvm::enumerate(names)) {
    unsigned distance =
        name.edit_distance(other, /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      found = i;
    }
  }
  return found;
}
