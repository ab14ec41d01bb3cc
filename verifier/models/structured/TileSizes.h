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

/// Leaves tile sizes out that are larger than the loops of `target`: they do
/// what the size of the loop does.
void keepWithinLoops(const Step &step, NodeId target,
                     llvm::ArrayRef<Size> sizes);

/// That enough of `sizes` are not 0 for an scf.forall.
void requireTiledLoops(const Step &step, llvm::ArrayRef<Size> sizes,
                       unsigned numMappings, bool definite);

/// That `interchange` orders the loops of `target`, not ones beyond them.
void requireLoopOrder(const Step &step, NodeId target,
                      llvm::ArrayRef<int64_t> interchange);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_TILESIZES_H
