//===- TileSizes.h - What steps require of sizes ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes that a step gives to loops: what they are, and what tiling requires
// of them and of the order of loops. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_TILESIZES_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_TILESIZES_H

#include "verifier/spaces/Tiling.h"
#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The sizes that `given` stands for, with parameters that hold one value.
Sizes readSizes(const Step &step, llvm::ArrayRef<GivenSize> given);

/// The tiling of loops by `sizes`.
TileSpec readSpec(const Step &step, llvm::ArrayRef<Size> sizes,
                  bool isNumThreads = false);

/// Whether `sizes` holds one op for each of `targets`, of which the one
/// result is an index, no constant, that all of these can read.
bool areIndices(Analysis &analysis, mlir::Value sizes,
                llvm::ArrayRef<NodeId> targets);

/// Reports sizes that no op has loops for, whatever it is: negative ones, and
/// parameters that are not one per target.
void checkTileSizes(const Step &step, llvm::ArrayRef<GivenSize> given);

/// Reports numbers of type `!transform.any_param`, which MLIR takes for handles
/// of ops here. `definite`: it reads them. Without `silenceable`, it crashes.
void checkParamTypes(const Step &step, mlir::ValueRange numbers, bool definite,
                     bool silenceable = true);

/// Requires that a size of `loop` is not negative. `definite`: there is
/// something to tile.
void requireNonNegative(const Step &step, unsigned loop, const Size &size,
                        bool definite);

/// Leaves tile sizes out that are larger than the loops of `target`: they have
/// the same effect as the size of the loop.
void keepWithinLoops(const Step &step, NodeId target,
                     llvm::ArrayRef<Size> sizes);

/// That enough of `sizes` are not 0 for an scf.forall.
void requireTiledLoops(const Step &step, llvm::ArrayRef<Size> sizes,
                       unsigned numMappings, bool definite);

/// That `interchange` orders the loops of `node`, not ones beyond them.
void requireLoopOrder(const Step &step, const Node &node,
                      llvm::ArrayRef<int64_t> interchange);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_TILESIZES_H
