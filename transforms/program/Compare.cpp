//===- Compare.cpp - Results held against the reference ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Compare.h"

#include "engine/Check.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace formwork::transforms;

llvm::SmallVector<int64_t> ResultComparison::getWorstIndices() const {
  return mlir::delinearize(errors.worst, mlir::computeStrides(parameter.shape));
}

void ResultComparison::print(llvm::raw_ostream &os) const {
  os << parameter.name << ' ' << parameter.getTypeText()
     << llvm::format(": largest error %.3g absolute, %.3g relative "
                     "(allowed: %.3g",
                     errors.maxAbsolute, errors.maxRelative, errors.tolerance);
  if (!parameter.toleranceReason.empty() &&
      errors.tolerance == parameter.leastTolerance)
    os << " for " << parameter.toleranceReason;
  os << "): " << (passed() ? "ok" : "mismatch");
  if (numCompared)
    os << ", " << *numCompared << " of " << parameter.getElementCount()
       << " elements compared";
  os << '\n';
  if (passed())
    return;
  os << "  " << errors.mismatches << " of " << parameter.getElementCount()
     << " elements differ, most at [";
  llvm::interleaveComma(getWorstIndices(), os);
  os << llvm::format("]: %.9g instead of %.9g\n", errors.actual,
                     errors.expected);
}

/// Gives the elements of `actual` that were not written the values that they
/// should have. Returns how many were written.
static uint64_t
completeElements(ArgumentBuffer &expected, ArgumentBuffer &actual,
                 const std::function<bool(const char *)> &isWritten) {
  llvm::MutableArrayRef<char> to = actual.getBytes(),
                              from = expected.getBytes();
  uint64_t count = actual.getParameter().getElementCount(), numWritten = 0;
  size_t bytes = count == 0 ? 0 : to.size() / count;
  for (uint64_t i = 0; i != count; ++i) {
    if (isWritten(&to[i * bytes]))
      ++numWritten;
    else
      std::memcpy(&to[i * bytes], &from[i * bytes], bytes);
  }
  return numWritten;
}

ResultComparison formwork::transforms::compareBuffers(
    ArgumentBuffer &expected, ArgumentBuffer &actual, double tolerance,
    const std::function<bool(const char *)> &isWritten) {
  const EntryParameter &parameter = actual.getParameter();
  FW_CHECK(expected.getBytes().size() == actual.getBytes().size(),
           "buffers of different sizes");
  std::optional<uint64_t> numCompared;
  if (isWritten)
    numCompared = completeElements(expected, actual, isWritten);
  return {parameter,
          fwCompare(parameter.type, parameter.getElementCount(),
                    expected.getBytes().data(), actual.getBytes().data(),
                    tolerance),
          numCompared};
}
