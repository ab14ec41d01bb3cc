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

#include "verifier/state/Node.h"

namespace formwork::verifier {

/// A sum of products.
struct KernelProduct {
  std::shared_ptr<const IterationSpace> space;
  /// The innermost scf.for around it, none (`topNode`) if that is not known,
  /// and how often it runs its body.
  NodeId loop = topNode;
  std::optional<solver::IntTerm> iterations;
  /// The dimension of the space of which each iteration has a piece; none if
  /// it is not known. Operands without that dimension are the same in all
  /// iterations.
  std::optional<unsigned> steppedDim = std::nullopt;

  bool operator==(const KernelProduct &) const = default;
};

/// The two products of a loop over pieces of a softmax: that of which the
/// softmax is taken, which `scores` makes, and that which weights values by it.
struct OnlineProducts {
  NodeId scores = topNode;
  KernelProduct first, second;
  /// Whether a step has fused `scores` into the loop.
  bool areTogether = false;

  bool operator==(const OnlineProducts &) const = default;
};

/// The vectors that the steps of one path have made.
struct KernelVectors {
  using Spaces = llvm::SmallVector<std::shared_ptr<const IterationSpace>, 1>;

  llvm::SmallVector<KernelProduct, 2> products;
  /// Whether the products stand in the code in this order.
  bool areInOrder = false;
  /// All other ops except fills, and of all ops those whose results a function
  /// returns.
  Spaces others, returned;
  /// Products that become vectors with the ops around them.
  std::optional<OnlineProducts> online;
  /// The threads that the tensor cores of a block take, once a step has decided
  /// on them.
  std::optional<solver::IntTerm> tensorThreads;
  /// The bytes that go through workgroup memory: of what each iteration of a
  /// loop brings, and of what is the same in all of them.
  std::optional<solver::IntTerm> stagedBytes, stagedOnce;
  /// The bytes in each row of staged matrices that instructions can load as
  /// such.
  llvm::SmallVector<solver::IntTerm, 2> matrixRows;

  /// Keeps what both paths have.
  void join(const KernelVectors &other) {
    if (products != other.products || others != other.others ||
        returned != other.returned)
      *this = {};
    areInOrder &= other.areInOrder;
    if (online != other.online)
      online.reset();
    if (matrixRows != other.matrixRows)
      matrixRows.clear();
    if (tensorThreads != other.tensorThreads)
      tensorThreads.reset();
    if (stagedBytes != other.stagedBytes || stagedOnce != other.stagedOnce)
      stagedBytes = stagedOnce = std::nullopt;
  }
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_KERNELVECTORS_H
