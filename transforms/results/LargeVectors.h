//===- LargeVectors.h - Loops in the place of large vectors -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Payload halfway through a schedule computes on vectors as large as a tile of
// a block. MLIR unrolls them, and the compilation takes longer than all runs.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_LARGEVECTORS_H
#define FORMWORK_TRANSFORMS_RESULTS_LARGEVECTORS_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Replaces products, sums, transpositions and functions of large vectors by
/// loops over their elements, which lie in stack slots of the function or
/// kernel:
///
///   %r = vector.contract … %a, %b, %c : vector<128x32xf32>, … into …
///   =>
///   vector.transfer_write %a, %slot_a[…]  (and so on)
///   scf.for … { %p = math.fma %x, %y, %z; memref.store %p, %slot_r[…] }
///   %r = vector.transfer_read %slot_r[…]
///
/// The elements are the same bit for bit as those of the unrolled code. Masked
/// products, and sums in types below 32 bits, are left as they are.
void lowerLargeVectors(mlir::ModuleOp module);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_LARGEVECTORS_H
