//===- Pipeline.h - Copies some steps ahead of their use --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a loop that copies to workgroup memory and computes, so that its
// copies become asynchronous and run some steps ahead. Layer: transforms. It
// knows no schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PIPELINE_PIPELINE_H
#define FORMWORK_TRANSFORMS_PIPELINE_PIPELINE_H

#include "transforms/pipeline/Stages.h"

#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::pipeline {

/// match:  for i { copies of step i to B; barrier; use of B; barrier }
/// result: copies of steps 0 to depth - 2 to B[0] to B[depth - 2], a group each
///         for i { wait for all groups but depth - 2; barrier
///                 copies of step i + depth - 1, if there is one, to
///                     B[(i - 1) mod depth]; a group
///                 use of B[i mod depth] }
/// when:   findStages finds them; depth >= 2
///
/// One barrier for each iteration is enough. Behind it, the copies for this
/// iteration have arrived for all threads, and no thread still uses the
/// elements that the next copies overwrite. An iteration without copies has an
/// empty group, so that the wait counts the same way at the end.
mlir::scf::ForOp pipelineCopies(mlir::RewriterBase &rewriter,
                                mlir::scf::ForOp loop, const Stages &stages,
                                int64_t depth);

} // namespace formwork::transforms::pipeline

#endif // FORMWORK_TRANSFORMS_PIPELINE_PIPELINE_H
