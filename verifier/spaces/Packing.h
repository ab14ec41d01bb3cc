//===- Packing.h - Operands in tiles ----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Which iteration spaces can be packed, and how many tiles an operand has then:
// pure functions, without handles. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_PACKING_H
#define FORMWORK_VERIFIER_SPACES_PACKING_H

#include "verifier/payload/Facts.h"

namespace formwork::verifier {

/// Whether packing is defined for an op of such a space: there is a zero to pad
/// each operand with, and no loop runs along two dimensions of one. On others,
/// upstream can end the process.
bool canPack(const IterationSpace &space);

/// How many of the dimensions that `map` reads are packed by `sizes`, one a
/// loop: those of the loops of which the size is not 0.
unsigned countTiles(mlir::AffineMap map, llvm::ArrayRef<int64_t> sizes);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_PACKING_H
