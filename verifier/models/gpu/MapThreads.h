//===- MapThreads.h - The model of map_nested_forall_to_threads -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of inner parallel loops to the threads of a block. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_MAPTHREADS_H
#define FORMWORK_VERIFIER_MODELS_GPU_MAPTHREADS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Warns of loops that stay in a kernel without a mapping.
void checkUnmapped(Analysis &analysis, mlir::Operation *end);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_MAPTHREADS_H
