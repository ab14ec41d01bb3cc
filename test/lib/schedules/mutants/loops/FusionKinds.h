//===- FusionKinds.h - Breakage by fusion or none ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that fuse what was tiled on its own, or the reverse, or look for
// what was fused. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_FUSIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_FUSIONKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Tiles on its own, by the same sizes, what was fused.
bool fusionAsTiling(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses into the loop of another tiling what was tiled on its own.
bool intoOtherLoop(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles and fuses all producers, and works on one of them.
bool fusedInLoop(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles and fuses in one step instead of several, or the reverse.
bool fuseInSteps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses several producers in a loop over them.
bool fuseEachProducer(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_FUSIONKINDS_H
