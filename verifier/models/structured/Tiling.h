//===- Tiling.h - Models of tiling ------------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tiling makes of an iteration space: the loops, their trip counts, and
// the sizes of a tile. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_TILING_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_TILING_H

#include "verifier/spaces/Tiling.h"
#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Whether `sizes` holds one op for each of `targets`, of which the one
/// result is an index, no constant, that all of these can read.
bool areIndices(Analysis &analysis, mlir::Value sizes,
                llvm::ArrayRef<NodeId> targets);

/// Reports sizes that no op has loops for, whatever it is: negative ones, and
/// parameters that are not one per target.
void checkTileSizes(const Step &step, llvm::ArrayRef<GivenSize> given);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_TILING_H
