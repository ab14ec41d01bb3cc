//===- Inputs.h - The vectors that a kernel starts from ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings into a kernel the vectors that it uses and that are made outside of it,
// and gives each use of a vector of equal elements one of its own. Layer:
// transforms. It knows nothing of threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_INPUTS_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_INPUTS_H

#include "transforms/distribute/Axes.h"

#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::distribute {

/// The vectors that a launch takes. Hoisting takes reads and what is computed
/// from them out of the loop over blocks, to the host; a thread has to read its
/// part by itself. And vectors of equal elements are merged, though two uses
/// need not share them in the same way: each use gets its own.
class Inputs {
public:
  Inputs(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch)
      : rewriter(rewriter), launch(launch) {}

  /// Clones what the launch takes into it, or says which vector cannot be made
  /// there (`fw-cannot-distribute`): one that has an effect, or is read from
  /// memory that may be written before the launch is done.
  std::optional<Refusal> take();
  /// Undoes `take`.
  void giveBack();
  /// Erases what is no longer used outside.
  void eraseUnused();

private:
  std::optional<Refusal> sink(mlir::Operation *def);
  void separate();
  bool isWritten(mlir::vector::TransferReadOp read);

  mlir::RewriterBase &rewriter;
  mlir::gpu::LaunchOp launch;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> sunk;
  /// Each clone with what it was cloned from, in the order of their making.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> clones;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_INPUTS_H
