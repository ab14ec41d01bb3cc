//===- LoopWork.h - What keeps a loop there ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loops no folding takes away: those in which something is done that has
// an effect or is used. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_LOOPWORK_H
#define FORMWORK_VERIFIER_PAYLOAD_LOOPWORK_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace formwork::verifier {

/// Whether folding may find that `loop` has one step, or none.
bool mayRunOnce(mlir::scf::ForallOp loop);

/// Whether no folding takes away `loop`, an scf.for or scf.forall that runs
/// more than once: something in it surely writes to memory that others see, or
/// it has a result that is surely computed in it. Cost: one walk.
bool doesWork(mlir::Operation *loop);

/// Whether what is computed in `loop` may all be moved in front of it, since no
/// iteration has an input of its own: then folding takes it away. Cost: one
/// walk for each result.
bool mayWorkMove(mlir::Operation *loop);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_LOOPWORK_H
