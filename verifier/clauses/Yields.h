//===- Yields.h - What regions yield ----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the results of an op with regions from the values that its regions
// yield on each path. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_YIELDS_H
#define FORMWORK_VERIFIER_CLAUSES_YIELDS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Makes `value` a handle to what `from` is a handle to.
HandleState &bindFrom(Analysis &analysis, mlir::Value value,
                      mlir::Operation *origin, const HandleState &from);

HandleState joinYields(const Step &step,
                       llvm::ArrayRef<const HandleState *> yields);

/// Sets the results of `op` from `first` on to what the paths yielded.
void setYields(const Step &step, llvm::ArrayRef<Yields> paths,
               unsigned first = 0);

void setYield(const Step &step, unsigned index, const HandleState &yield);

/// Consumes what `op`, which has a body, consumes: at its start.
void consumeOperands(const Step &step);

/// The effect of an op whose regions or callees are not followed any more.
void summarize(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_YIELDS_H
