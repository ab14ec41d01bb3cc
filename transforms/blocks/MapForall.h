//===- MapForall.h - A loop over blocks becomes a kernel --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a loop that is mapped to blocks into a launch whose grid the host
// computes. Layer: transforms. It knows no schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_BLOCKS_MAPFORALL_H
#define FORMWORK_TRANSFORMS_BLOCKS_MAPFORALL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <string>

namespace formwork::transforms::blocks {

/// The reason why a loop cannot be mapped: an id and the message.
struct Refusal {
  std::string id;
  std::string message;
};

/// Returns why mapForallToBlocks cannot map `loop`; none if it can. Ids:
/// fw-not-bufferized, fw-missing-mapping, fw-wrong-mapping,
/// fw-duplicate-mapping.
std::optional<Refusal> checkMapping(mlir::scf::ForallOp loop);

/// match:  scf.forall (%i) = (%lower) to (%upper) step (%step)
///             {mapping = [#gpu.block<x>]}
/// result: gpu.launch of max(1, ceil((%upper - %lower) / %step)) blocks of one
///         thread, in which %i is %lower + block_id x * %step; if this number
///         is not known to be positive, a guard is around the body
/// when:   checkMapping finds nothing wrong
mlir::gpu::LaunchOp mapForallToBlocks(mlir::RewriterBase &rewriter,
                                      mlir::scf::ForallOp loop);

} // namespace formwork::transforms::blocks

#endif // FORMWORK_TRANSFORMS_BLOCKS_MAPFORALL_H
