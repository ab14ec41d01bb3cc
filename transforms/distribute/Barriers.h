//===- Barriers.h - Places barriers in a block's code -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places barriers between accesses of several threads to the same memory.
// Layer: transforms. It knows of layouts only the axes that an access is along.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_BARRIERS_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_BARRIERS_H

#include "transforms/distribute/Axes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <vector>

namespace formwork::transforms::distribute {

/// An access of a block to memory. The threads of the block share the access.
struct Access {
  mlir::Value memory;
  bool writes = false;
  mlir::Operation *op = nullptr;
  llvm::SmallVector<mlir::Value> indices;
  /// The extent along each index; empty if not known.
  llvm::SmallVector<int64_t> extents;
  /// The axes that the indices go along. If `shared`, two accesses with the
  /// same indices and axes access each element with the same thread.
  AxisList axes;
  bool shared = false;
};

/// Whether two buffers may overlap. They do not if they are two allocations,
/// two arguments of the function (bufferization assumes so), or in two memory
/// spaces.
bool mayAlias(mlir::Value a, mlir::Value b);
/// Whether `op`, or an operation in it, may write or free `memory`.
bool mayWrite(mlir::Operation *op, mlir::Value memory);

/// Puts a barrier in front of each access that follows another access to the
/// same memory, if one of them is a write. No barrier is needed if the same
/// thread accesses each element in both. Barriers come as late as possible, and
/// one serves all accesses before it. So a block never meets more often than
/// the accesses, in program order, require.
class Barriers {
public:
  explicit Barriers(mlir::OpBuilder &builder) : builder(builder) {}

  /// The caller is about to build an access at the builder's place.
  void access(mlir::Location loc, Access access);
  /// The code has a barrier here.
  void meet();

  /// A body begins or ends. At the end of a loop, the builder must stand in
  /// front of the terminator.
  void enterLoop();
  void leaveLoop(mlir::scf::ForOp loop);
  void enterBranch();
  void nextBranch();
  void leaveBranch();

private:
  struct Frame {
    llvm::SmallVector<Access> before;
    llvm::SmallVector<Access> ends;
    llvm::SmallVector<Access> head;
    bool met = false;
    /// For each enclosing frame, whether it had met when this frame was
    /// entered.
    llvm::SmallVector<bool> outerMet;
  };
  void enter();
  Frame leave();
  bool conflicts(const Access &first, const Access &second,
                 mlir::scf::ForOp loop = {}) const;

  mlir::OpBuilder &builder;
  /// The accesses since the last barrier.
  llvm::SmallVector<Access> since;
  std::vector<Frame> frames;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_BARRIERS_H
