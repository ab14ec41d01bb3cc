//===- MiscompiledTiles.h - Tiles that compute something else ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MLIR 22.1 gets wrong when a step divides the loops of a structured op:
// `linalg.index` in bodies, maps that are not additive, and the first value of
// a reduction. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_FINDINGS_MISCOMPILEDTILES_H
#define FORMWORK_VERIFIER_FINDINGS_MISCOMPILEDTILES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Whether `step` divides the loops of its targets.
bool dividesLoops(mlir::Operation *step);

/// How tiles compute something else, or reach over the end of their operands,
/// and what to do about it, if that is known.
struct MiscompiledTiles {
  std::string why;
  llvm::StringRef fix = {};
  bool reachesOut = false;
};

/// How the tiles that `step` makes of `node` compute something else; none if
/// they do not, as far as is known. Cost: linear in the iterations of the loops
/// that a map divides by a number, of which it looks at some thousand at most.
std::optional<MiscompiledTiles> findMiscompiledTiles(const Step &step,
                                                     const Node &node);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_FINDINGS_MISCOMPILEDTILES_H
