//===- Compare.h - Results held against the reference -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verdict on one result of a run, in numbers and in words. The arithmetic
// is that of runtime/FormworkComparison.h, which emitted programs use too.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_COMPARE_H
#define FORMWORK_TRANSFORMS_PROGRAM_COMPARE_H

#include "runtime/FormworkComparison.h"
#include "transforms/program/ArgumentBuffer.h"

namespace llvm {
class raw_ostream;
}

#include <functional>
#include <optional>

namespace formwork::transforms {

struct ResultComparison {
  EntryParameter parameter;
  FwComparison errors;
  /// How many elements were compared, if not all.
  std::optional<uint64_t> numCompared = std::nullopt;

  bool passed() const { return errors.mismatches == 0; }

  /// The indices of the element with the largest relative error.
  llvm::SmallVector<int64_t> getWorstIndices() const;

  /// One line with the largest errors and the verdict; a second one, when it
  /// failed, with the worst element.
  void print(llvm::raw_ostream &os) const;
};

/// Compares two buffers of one shape and element type; see `fwCompare` for what
/// an error is and when a result passes. A negative `tolerance` means the
/// element type's own. With `isWritten`, only the elements of `actual` count at
/// whose addresses it holds; the others get their expected values.
ResultComparison
compareBuffers(ArgumentBuffer &expected, ArgumentBuffer &actual,
               double tolerance,
               const std::function<bool(const char *)> &isWritten = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_COMPARE_H
