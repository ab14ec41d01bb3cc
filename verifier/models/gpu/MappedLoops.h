//===- MappedLoops.h - Loops that are mapped to a GPU -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The share of a grid or a block that a mapped loop takes, and the loop behind
// the mapping. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_MAPPEDLOOPS_H
#define FORMWORK_VERIFIER_MODELS_GPU_MAPPEDLOOPS_H

#include "verifier/solver/Term.h"
#include "verifier/state/PayloadModel.h"

#include <array>

namespace formwork::verifier {

/// `[16, 4, 1]`.
std::string toString(llvm::ArrayRef<int64_t> sizes);
/// `[16, 64 ceildiv t, 1]`.
std::string toString(llvm::ArrayRef<solver::IntTerm> sizes);

/// How many there are in all; saturates, and takes negative sizes for 0.
int64_t product(llvm::ArrayRef<int64_t> sizes);

bool isForall(const Node &node);

/// The blocks of a grid, or the threads of a block, that a forall uses.
struct MappedLoops {
  /// Along x, y and z, and in all; the latter is what counts where the loops
  /// are numbered one by one.
  std::array<solver::IntTerm, 3> axes;
  solver::IntTerm total;
  /// The steps of the loops.
  solver::IntTerm steps;
  bool isLinear;
  /// So many threads do one step.
  int64_t factor = 1;
  bool isToLanes = false;
};

/// `facts` is as `checkMappable` accepts it.
MappedLoops getMappedLoops(solver::TermContext &terms, const LoopFacts &facts,
                           int64_t warpSize);

/// The body of `forall` stands in `launch` from now on, if the loop is one of
/// those in `target`.
void replaceForall(PayloadModel &payload, NodeId forall, NodeId target,
                   NodeId launch);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_MAPPEDLOOPS_H
