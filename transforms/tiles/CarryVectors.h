//===- CarryVectors.h - Loops that carry vectors ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets loops carry vectors instead of the tensors that are made of them, where
// the vectors need not fill the tensors. Layer: transforms. It knows no
// schedule and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_CARRYVECTORS_H
#define FORMWORK_TRANSFORMS_TILES_CARRYVECTORS_H

#include "transforms/tiles/KeepVectors.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace formwork::transforms::tiles {

/// match:  %r = scf.for ... iter_args(%t = %init) -> tensor<?xf32> {
///           %v = vector.transfer_read %t : vector<64xf32>
///           ...
///           %u = vector.transfer_write %w, %other : vector<64xf32>
///           scf.yield %u
///         }
/// result: %i = vector.transfer_read %init
///         %s = scf.for ... iter_args(%v = %i) -> vector<64xf32> {
///           ...
///           scf.yield %w
///         }
///         %r = vector.transfer_write %s, %init
/// when:   %other is known to be as large as %init, and nothing else uses %t
///
/// A vector that was written to %init takes the place of the first read. What
/// is behind the end of the tensor may differ from the padding of a read. So no
/// read may be the factor of a contraction, unless it is in bounds. Calls
/// `replaced` if there is a new loop.
void carryVectors(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
                  NotifyReplaced replaced);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_CARRYVECTORS_H
