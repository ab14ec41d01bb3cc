//===- Targets.h - What a step may consume at once --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of a handle that is consumed are different ones, and none comes
// before what it holds. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_TARGETS_H
#define FORMWORK_VERIFIER_CLAUSES_TARGETS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

void checkDuplicates(const Step &step, mlir::OpOperand &operand);

void checkNesting(const Step &step, mlir::OpOperand &operand);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_TARGETS_H
