//===- WorkgroupMemory.h - Memory that a block shares -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel has in the memory that the threads of a block share: each
// buffer, and what made it more than one. Layer: verifier; plain values.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_WORKGROUPMEMORY_H
#define FORMWORK_VERIFIER_STATE_WORKGROUPMEMORY_H

#include "verifier/state/PayloadModel.h"

namespace formwork::verifier {

/// A step that may have made several buffers of one: as many as it had, times
/// `least` to `factor`, which are 1 where the step is not chosen.
struct BufferGrowth {
  mlir::Operation *step;
  solver::IntTerm least;
  solver::IntTerm factor;
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
  /// Of one: of a full tile where a size is symbolic.
  solver::IntTerm bytes;
  /// How many there are; 0 at least where that is not sure.
  Count times;
  /// The choices of regions that lead there, if there are any.
  std::optional<solver::BoolTerm> guard;
  /// For a reader: "operand #0 of 'linalg.matmul'".
  std::string what;
  /// The loop next around it, as it was then; null if none is known.
  std::shared_ptr<const LoopFacts> loop = nullptr;
  /// Of one that the payload comes with: what it is there.
  mlir::Value given = nullptr;
  llvm::SmallVector<BufferGrowth, 0> growths = {};

  /// The bytes that there are at least.
  solver::IntTerm getLeast(solver::TermContext &terms) const;
  /// And at most, each buffer aligned as the lowering aligns it.
  solver::IntTerm getMost(solver::TermContext &terms, bool isAligned) const;
};

/// What one kernel has.
struct WorkgroupUse {
  llvm::SmallVector<WorkgroupBuffer, 0> buffers;
  /// An error or a warning was given.
  bool isReported = false;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_WORKGROUPMEMORY_H
