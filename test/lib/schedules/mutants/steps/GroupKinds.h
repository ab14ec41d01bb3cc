//===- GroupKinds.h - Breakage of several ops at once -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that work on a group of ops that a schedule makes: the copies of a
// tile, two nests of one shape, all that a loop holds, what is fused. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_GROUPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_GROUPKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Writes the pads of a tile as copies, and tiles or allocates those.
bool stageCopies(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles two ops alike, and fuses the loops.
bool fuseTiledSiblings(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does a step for all ops in a new loop, one of which has a handle.
bool allInLoop(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses something else, or into another loop.
bool retargetFusion(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_GROUPKINDS_H
