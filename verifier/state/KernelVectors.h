//===- KernelVectors.h - The vectors of a kernel ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration spaces of structured ops that a step has computed with vectors:
// the sizes that later steps on the kernel meet. They follow these ops through
// no rewrite, so nothing is proved of them: they say which values of open knobs
// are worth a try. Layer: verifier; plain values.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_KERNELVECTORS_H
#define FORMWORK_VERIFIER_STATE_KERNELVECTORS_H

#include "verifier/state/Facts.h"

namespace formwork::verifier {

/// The vectors that the steps of one path have made.
struct KernelVectors {
  using Spaces = llvm::SmallVector<std::shared_ptr<const IterationSpace>, 1>;

  /// Sums of products, and all other ops except fills.
  Spaces products, others;
  /// How often the innermost loop around the last product runs its body; none
  /// if it is not known.
  std::optional<solver::IntTerm> iterations;
  /// The threads that the tensor cores of a block take, and the bytes that go
  /// through workgroup memory, once a step has decided on them.
  std::optional<solver::IntTerm> tensorThreads, stagedBytes;
  /// The bytes in each row of staged matrices that instructions can load as
  /// such.
  llvm::SmallVector<solver::IntTerm, 2> matrixRows;

  /// Keeps what both paths have.
  void join(const KernelVectors &other) {
    if (products != other.products || others != other.others)
      *this = {};
    if (matrixRows != other.matrixRows)
      matrixRows.clear();
    if (iterations != other.iterations)
      iterations.reset();
    if (tensorThreads != other.tensorThreads)
      tensorThreads.reset();
    if (stagedBytes != other.stagedBytes)
      stagedBytes.reset();
  }
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_KERNELVECTORS_H
