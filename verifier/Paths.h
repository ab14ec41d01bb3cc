//===- Paths.h - Paths through a schedule ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter does where a schedule can go several ways: it takes each
// way and keeps what holds on all. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PATHS_H
#define FORMWORK_VERIFIER_PATHS_H

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

#endif // FORMWORK_VERIFIER_PATHS_H
