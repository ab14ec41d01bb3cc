//===- NearName.h - What a name may have meant ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nearest of the names that there are, for "did you mean". Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_NEARNAME_H
#define FORMWORK_ENGINE_NEARNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace formwork::engine {

/// The index of the first of `names` that is nearest to `name` in edit
/// distance; none when more than half of `name` differs from each of them.
std::optional<size_t> findNearName(llvm::StringRef name,
                                   llvm::ArrayRef<llvm::StringRef> names);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_NEARNAME_H
