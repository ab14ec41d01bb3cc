//===- Inputs.h - Brings outside vectors into a kernel ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings the vectors that a kernel uses, but that are made outside of it, into
// the kernel. Gives each use of a vector of equal elements its own vector.
// Layer: transforms. It knows nothing of threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_INPUTS_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_INPUTS_H

#include "transforms/distribute/Axes.h"

#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::distribute {

/// The vectors that a launch takes from outside. Hoisting moves reads, and the
/// values computed from them, out of the loop over blocks to the host. But each
/// thread must read its own part. Clean-up also merges vectors of equal
/// elements. But two uses need not share them in the same way, so each use gets
/// its own.
class Inputs {
public:
  Inputs(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch)
      : rewriter(rewriter), launch(launch) {}

  /// Clones the vectors that the launch takes into it. Returns which vector
  /// cannot be made there (`fw-cannot-distribute`): one that has an effect, or
  /// is read from memory that may be written before the launch is done.
  std::optional<Refusal> take();
  /// Gives each use of what is read, and converted, repeated or turned, a read
  /// of its own. The factors of the outer product of a vector with itself, for
  /// instance, are shared in two ways. Returns whether anything was cloned.
  bool separateReads();
  /// Undoes all of this.
  void giveBack();
  /// Erases the originals that nothing uses any more.
  void eraseUnused();

private:
  std::optional<Refusal> sink(mlir::Operation *def);
  void separate();
  /// Reads each part of a vector by itself that an operation takes of what a
  /// read returns: otherwise, its elements would be those of other threads.
  void readParts();
  bool isWritten(mlir::vector::TransferReadOp read);

  mlir::RewriterBase &rewriter;
  mlir::gpu::LaunchOp launch;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> sunk;
  /// Each clone with its original, in the order of their creation.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> clones;
  /// The operations that took the parts, and the indices made for these.
  llvm::SmallVector<mlir::Operation *> parts, addresses;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_INPUTS_H
