//===- OperandBytes.h - Bytes of what a loop nest reads ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bytes of an operand the loops of a structured op touch. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_OPERANDBYTES_H
#define FORMWORK_VERIFIER_SPACES_OPERANDBYTES_H

#include "verifier/payload/Facts.h"

namespace formwork::verifier {

/// The bytes of the tile of operand `operand`; unknown when a size is dynamic,
/// and those of a full tile where a size is symbolic. Example: 256 for the left
/// operand of a matmul in f32 whose loops have 8, 16 and 8 iterations.
Size getTileBytes(solver::TermContext &terms, const IterationSpace &space,
                  unsigned operand);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_OPERANDBYTES_H
