//===- Barriers.h - Where the threads of a block must meet ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The barriers between accesses of several threads to the same memory. Layer:
// transforms. It knows of layouts only which axes an access is along.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_BARRIERS_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_BARRIERS_H

#include "transforms/distribute/Axes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <vector>

namespace formwork::transforms::distribute {

/// An access of a block to memory, which its threads share.
struct Access {
  mlir::Value memory;
  bool writes = false;
  mlir::Operation *op = nullptr;
  llvm::SmallVector<mlir::Value> indices;
  /// The extent along each index; empty if not known.
  llvm::SmallVector<int64_t> extents;
  /// Along which axes the indices go; with `shared`, all elements are accessed
  /// by the same thread in two accesses with the same indices and axes.
  llvm::SmallVector<std::optional<AxisId>> axes;
  bool shared = false;
};

/// Whether two buffers may be one memory: unless they are told apart as two
/// allocations, two arguments of the function (as bufferization has it) or two
/// memory spaces.
bool mayAlias(mlir::Value a, mlir::Value b);

/// Puts a barrier in front of each access that comes behind another one to the
/// same memory, one of them a write, unless each element is the same thread's in
/// both. Barriers come as late as they can, and one serves all accesses before
/// it, so a block never meets more often than its accesses ask for in program
/// order.
class Barriers {
public:
  explicit Barriers(mlir::OpBuilder &builder) : builder(builder) {}

  /// Tells of an access that is about to be built at the builder's place.
  void access(mlir::Location loc, Access access);
  /// Tells of a barrier that is there.
  void meet();

  /// Tells that a body begins, and that it ends. At the end of a loop, the
  /// builder stands in front of the terminator.
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
    /// Which of the frames around this one had met when it was entered.
    llvm::SmallVector<bool> outerMet;
  };
  void enter();
  Frame leave();
  bool conflicts(const Access &first, const Access &second,
                 mlir::scf::ForOp loop = {}) const;

  mlir::OpBuilder &builder;
  /// What was accessed since the threads met last.
  llvm::SmallVector<Access> since;
  std::vector<Frame> frames;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_BARRIERS_H
