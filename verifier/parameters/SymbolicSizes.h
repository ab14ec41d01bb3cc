//===- SymbolicSizes.h - Sizes as terms over knobs --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tiling makes of sizes of which some are symbolic: trip counts and tiles
// as terms, and when a tile is static. Layer: verifier; knows terms, no payload
// and no schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_SYMBOLICSIZES_H
#define FORMWORK_VERIFIER_PARAMETERS_SYMBOLICSIZES_H

#include "verifier/state/Facts.h"

namespace formwork::verifier {

/// The size as a term, unless it is unknown.
std::optional<solver::IntTerm> toTerm(solver::TermContext &context,
                                      const Size &size);

/// How one loop is split.
struct LoopSplit {
  mlir::Operation *op;
  unsigned dim;
  /// Symbolic, or a number; not unknown.
  Size given;
  /// Whether `given` is a number of tiles, not the size of one.
  bool isCount = false;
  /// Whether `given` may be 0, which leaves the loop as it is.
  bool mayBeZero = false;
};

/// The trip count and the tile of `loop`, split as `split` says. A tile of size
/// t of a loop of e is static when t is 1, or t divides e and e is static; a
/// tile of one of c counts is static when c divides e. Its size is that of a
/// full tile, also where t is more than e: then it divides nothing.
struct SplitLoop {
  Extent trips;
  Extent tile;
};
SplitLoop splitSymbolicLoop(solver::TermContext &context, const Extent &loop,
                            const LoopSplit &split);

/// Says that the tile sizes of `condition` divide what they must, in words that
/// follow "requires that".
std::string describeStatic(const StaticCondition &condition);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_SYMBOLICSIZES_H
