//===- Pipeline.h - Copies some steps ahead of their use --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrite of a loop that copies to workgroup memory and computes into one
// whose copies run on their own, some steps ahead. Layer: transforms. It knows no
// schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PIPELINE_PIPELINE_H
#define FORMWORK_TRANSFORMS_PIPELINE_PIPELINE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace formwork::transforms::pipeline {

/// What keeps a loop from being pipelined, and where (`fw-cannot-pipeline`).
struct Refusal {
  mlir::Location loc;
  std::string message;
};

/// A copy of one thread: up to 16 bytes of global memory to workgroup memory.
/// Elements behind the end of the last dimension of what is read are copied as
/// zeros.
struct Copy {
  mlir::vector::TransferReadOp read;
  mlir::vector::TransferWriteOp write;
  /// The thread copies where this holds; none if it always does.
  mlir::Value guard;
  /// Where this does not hold, all elements are copied as zeros; none if it always
  /// holds.
  mlir::Value isThere;
  /// What reads, at the top of the loop: `read`, or the branch around it.
  mlir::Operation *source = nullptr;
  /// Elements that go at once: all, or as many as the alignment of both sides
  /// allows.
  int64_t width = 0;
};

/// What is copied in a loop, and what depends on it.
struct Stages {
  llvm::SmallVector<Copy> copies;
  llvm::SetVector<mlir::Operation *> buffers;
  /// The accesses that read the buffers.
  llvm::SmallVector<mlir::Operation *> readers;
  /// What computes the places of the copies, in the order of the loop.
  llvm::SmallVector<mlir::Operation *> addresses;
  llvm::SmallVector<mlir::Operation *> barriers;
  /// Whether the threads have to meet in front of the first copy, and behind the
  /// loop: something else than the buffers orders them there.
  bool meetsInFront = false, meetsBehind = false;
};

/// Finds the stages of `loop`, or says why it has none: it is outside of a
/// `gpu.launch`, copies nothing, writes something else than copies, a buffer is
/// also used elsewhere or read before it is filled, or a copy is none of 4, 8 or 16
/// bytes, or is not aligned to 4. Sets the width of each copy.
std::optional<Refusal> findStages(mlir::scf::ForOp loop, Stages &stages);

/// match:  for i { copies of step i to B; barrier; use of B; barrier }
/// result: copies of steps 0 to depth - 2 to B[0] to B[depth - 2], a group each
///         for i { wait for all groups but depth - 2; barrier
///                 copies of step i + depth - 1, if there is one, to
///                     B[(i - 1) mod depth]; a group
///                 use of B[i mod depth] }
/// when:   findStages finds them; depth >= 2
///
/// One barrier a step is enough: behind it, the copies of this step have arrived
/// for all threads, and all have used what the next copies overwrite. A step
/// without copies has an empty group, so that the wait counts alike at the end.
mlir::scf::ForOp pipelineCopies(mlir::RewriterBase &rewriter,
                                mlir::scf::ForOp loop, const Stages &stages,
                                int64_t depth);

} // namespace formwork::transforms::pipeline

#endif // FORMWORK_TRANSFORMS_PIPELINE_PIPELINE_H
