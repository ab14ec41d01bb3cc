//===- RecipeKinds.h - Breakage of well-known recipes -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add a recipe of two or three steps, in which the order, the
// handle or the size may be wrong: enablers, fusion, loops of loops. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_RECIPEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_RECIPEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Has two handles to one loop, and changes it by one of them.
bool twoWaysToLoop(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does a step before the one that it needs, or on what that one replaced.
bool enablerBehind(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by what does not divide, and asks for whole tiles.
bool unevenTile(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles two ops at once, and splits what comes of that.
bool tileTogether(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles to two parallel loops, and works on one by way of the other.
bool nestedForalls(mlir::transform::NamedSequenceOp entry, Random &random);
/// Counts what matches behind a step that copied some of it.
bool countAfter(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on loops of which a clean-up may have taken some.
bool loopsAfterCleaning(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses one producer into two loops.
bool fuseIntoTwo(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on a producer that went into the loops with its consumer.
bool fuseThenProducer(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles the producer, and fuses or tiles the consumer.
bool tileProducer(mlir::transform::NamedSequenceOp entry, Random &random);
/// Cleans up before it fuses, or does not fuse at all.
bool fuseLate(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses several ops at once.
bool fuseMerged(mlir::transform::NamedSequenceOp entry, Random &random);
/// Looks for the neighbours of an op that has been tiled.
bool acrossTheLoop(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_RECIPEKINDS_H
