//===- TileSizes.h - What steps require of sizes ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tiling and vectorization require of sizes that are open, and of the
// order of loops. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_TILESIZES_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_TILESIZES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// What tiling `target` by `sizes` requires of those that are symbolic.
void requireTileSizes(const Step &step, NodeId target,
                      llvm::ArrayRef<Size> sizes, bool areCounts);

/// That enough of `sizes` are not 0 for an scf.forall.
void requireTiledLoops(const Step &step, llvm::ArrayRef<Size> sizes,
                       unsigned numMappings, bool definite);

/// That `interchange` orders the loops of `target`, not ones beyond them.
void requireLoopOrder(const Step &step, NodeId target,
                      llvm::ArrayRef<int64_t> interchange);

/// That symbolic vector sizes cover the loops of `target`.
void requireVectorSizes(const Step &step, NodeId target,
                        llvm::ArrayRef<Size> sizes);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_TILESIZES_H
