//===- Operands.h - Which loops index an operand ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operands of a structured op its loops index. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_OPERANDS_H
#define FORMWORK_VERIFIER_SPACES_OPERANDS_H

#include "verifier/payload/Facts.h"

namespace formwork::verifier {

/// The operands, as bits, that each loop of a structured op indexes, and those
/// that any does; of at most 64.
struct IndexedOperands {
  llvm::SmallVector<uint64_t, 8> byLoop;
  uint64_t byAny = 0;
};

IndexedOperands readIndexed(const IterationSpace &space);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_OPERANDS_H
