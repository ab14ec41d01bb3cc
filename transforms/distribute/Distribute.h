//===- Distribute.h - Shares the vectors of a block -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a kernel whose blocks work on whole vectors into one whose threads
// work on their parts. Layer: transforms. It knows no schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTE_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTE_H

#include "transforms/distribute/Layout.h"

#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::distribute {

/// match:  gpu.launch of blocks of one thread, with vectors in its body
/// result: blocks of `decision.getNumThreads()` threads along x;
/// one-dimensional
///         vectors, the pieces of one thread; shuffles and workgroup memory
///         where elements of several threads are combined; a barrier where
///         threads touch the same memory
/// when:   each vector can be shared (see Axes and Layout)
///
/// Returns why the launch cannot be rewritten; none if it was. Ids: those of
/// Axes::infer and Layout::choose, and `fw-threads-taken` for a launch that
/// already has threads.
std::optional<Refusal> distributeVectors(mlir::RewriterBase &rewriter,
                                         mlir::gpu::LaunchOp launch,
                                         const Decision &decision);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_DISTRIBUTE_H
