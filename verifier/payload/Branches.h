//===- Branches.h - Branches that clean-up may choose -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the condition of a branch, or the number of steps of a loop, may turn
// out to be a constant. Layer: verifier; it reads payload and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_BRANCHES_H
#define FORMWORK_VERIFIER_PAYLOAD_BRANCHES_H

#include "mlir/IR/Operation.h"

namespace formwork::verifier {

/// Whether `op` is an scf.if or scf.index_switch of which folding may find the
/// branch that is taken, so that the others go. It does not where the condition
/// compares sums of different values that only a run tells. Example: it may for
/// `cmpi eq, %x, %x`, not for `cmpi slt, %x, %y` of arguments of a function.
/// Cost: linear in what the condition is computed of, and in the depth of `op`.
bool mayBeDecided(mlir::Operation *op);

/// Whether `op` is a loop with bounds of which folding may find that its body
/// runs never. It does not where they differ by such sums. Example: it may for
/// a loop from 0 to `subi %x, %x`, not for one from 0 to an argument of a
/// function. Cost: linear in what the bounds are computed of.
bool mayNeverRun(mlir::Operation *op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_BRANCHES_H
