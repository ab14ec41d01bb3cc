//===- Parameters.h - Models of ops that make parameters ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where parameters come from: constants, knobs, constraints, counts; and what
// steps require of those that are still open (DESIGN §6.3). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_HANDLES_PARAMETERS_H
#define FORMWORK_VERIFIER_MODELS_HANDLES_PARAMETERS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Requires (or wants) a symbolic extent to be static.
void requireStatic(const Step &step, const Extent &extent,
                   const llvm::Twine &why, bool definite, bool wanted = false);

void mergeParams(const Step &step);

/// What tiling `target` by `sizes` requires of those that are symbolic.
void requireTileSizes(const Step &step, NodeId target,
                      llvm::ArrayRef<Size> sizes, bool areCounts);

/// That enough of `sizes` are not 0 for an scf.forall.
void requireTiledLoops(const Step &step, llvm::ArrayRef<Size> sizes,
                       unsigned numMappings, bool definite);

/// That symbolic vector sizes cover the loops of `target`.
void requireVectorSizes(const Step &step, NodeId target,
                        llvm::ArrayRef<Size> sizes);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_HANDLES_PARAMETERS_H
