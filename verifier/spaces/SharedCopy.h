//===- SharedCopy.h - A copy that threads share -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How `structured.gpu.map_copy_to_threads` divides a copy: how many threads
// take a part along each dimension, and how many elements each. A pure function
// of sizes, without handles. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_SHAREDCOPY_H
#define FORMWORK_VERIFIER_SPACES_SHAREDCOPY_H

#include "verifier/solver/Term.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace formwork::verifier {

/// The parameters that decide how a copy is shared, besides its shape.
struct CopyRequest {
  int64_t numThreads;
  int64_t elementBits;
  /// The most elements that one thread may take, as alignment has it; a power
  /// of two.
  int64_t maxVector;
};

/// The request for elements of `elementBits`, with pieces of `alignment` bits;
/// none for numbers that upstream does not take.
std::optional<CopyRequest>
makeCopyRequest(int64_t numThreads, int64_t elementBits, int64_t alignment);

struct SharedCopy {
  /// There are threads enough.
  solver::BoolTerm fits;
  /// All threads have work; otherwise each asks whether it has.
  solver::BoolTerm isFull;
  /// The elements that a thread takes along the innermost dimension.
  solver::IntTerm vector;
  /// The threads along each dimension, and the part of each; empty where sizes
  /// are open, and where `fits` is false.
  llvm::SmallVector<int64_t, 3> threads, parts;
};

/// How a copy of `sizes`, outermost first, is shared. None where upstream
/// fails, and for three dimensions of which one is open. Example: 128 threads
/// share a copy of 64 x 32 elements of 32 bits, at most 4 at once, as 16 x 8
/// threads of 4 x 4 elements.
std::optional<SharedCopy> shareCopy(solver::TermContext &terms,
                                    mlir::MLIRContext *context,
                                    const CopyRequest &request,
                                    llvm::ArrayRef<solver::IntTerm> sizes);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_SHAREDCOPY_H
