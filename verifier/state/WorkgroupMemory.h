//===- WorkgroupMemory.h - Memory that a block shares -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers of a kernel in the memory that the threads of a block share, and
// the steps that made several of one. Layer: verifier; plain values.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_WORKGROUPMEMORY_H
#define FORMWORK_VERIFIER_STATE_WORKGROUPMEMORY_H

#include "verifier/state/PayloadModel.h"

#include "llvm/ADT/MapVector.h"

namespace formwork::verifier {

/// A step that may have made several buffers of one: `factor` times as many,
/// where the step is chosen.
struct BufferGrowth {
  mlir::Operation *step;
  Count factor;
  /// The choices of regions that lead to the step, if there are any.
  std::optional<solver::BoolTerm> guard;
  /// For a reader: "3 buffers each".
  std::string text;
};

/// A buffer that a step allocates, or that the payload comes with.
struct WorkgroupBuffer {
  /// The step; of the payload's own, the op that declares it.
  mlir::Operation *source;
  /// The allocation; `universe` where there is no node for it.
  NodeId node;
  /// The op that isolated it when it was made; `universe` if not known.
  NodeId scope;
  /// The bytes of one buffer; of a full tile if a size is symbolic.
  solver::IntTerm bytes;
  /// How many there are; 0 at least where that is not sure.
  Count times;
  /// The choices of regions that lead there, if there are any.
  std::optional<solver::BoolTerm> guard;
  /// For a reader: "operand #0 of 'linalg.matmul'".
  std::string what;
  /// The loop next around it, as it was then; null if none is known.
  std::shared_ptr<const LoopFacts> loop = nullptr;
  /// The buffer in the payload, if the payload came with it.
  mlir::Value given = nullptr;
  llvm::SmallVector<BufferGrowth, 0> growths = {};

  /// The bytes that there are at least.
  solver::IntTerm getLeast(solver::TermContext &terms) const;
  /// And at most, each buffer aligned as the lowering aligns it.
  solver::IntTerm getMost(solver::TermContext &terms, bool isAligned) const;
};

/// The workgroup memory of one kernel.
struct WorkgroupUse {
  llvm::SmallVector<WorkgroupBuffer, 0> buffers;
  /// An error or a warning was given.
  bool isReported = false;
};

/// A step that gave the allocations in `scope`, which is isolated from above,
/// so many buffers each.
struct Multibuffering {
  NodeId scope;
  mlir::Operation *step;
  int64_t factor;
  /// The choices of regions that lead there, if there are any.
  std::optional<solver::BoolTerm> guard;
};

/// The workgroup memory of all kernels on one path.
struct WorkgroupMemory {
  /// By the kernel, or by the outermost parallel loop, which becomes one.
  llvm::MapVector<NodeId, WorkgroupUse> uses;
  llvm::SmallVector<Multibuffering, 0> multibufferings;
  /// The step that maps a copy to fewer threads than the block has, by the loop
  /// next around the copy.
  llvm::DenseMap<NodeId, mlir::Operation *> predicatedCopies;

  bool isEmpty() const { return uses.empty() && predicatedCopies.empty(); }
  /// Whether both have the same buffers, however much they have grown.
  bool hasBuffersOf(const WorkgroupMemory &other) const;
  /// Adds what `other` has, since `before`, the memory at the fork: buffers of
  /// one path alone may not be there, unless a choice since then, by which
  /// their guard is another than `guardBefore`, says when they are. Example: a
  /// buffer that both paths have, and that one path made two, is one or two.
  void join(WorkgroupMemory &&other, const WorkgroupMemory &before,
            const std::optional<solver::BoolTerm> &guardBefore);
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_WORKGROUPMEMORY_H
