//===- RetileKinds.h - Breakage of how loops are made -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that say a tiling in another way: in other steps, in another order,
// by other sizes. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_RETILEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_RETILEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Swaps the sizes of two tilings.
bool swapTilings(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does two tilings of one op in one step.
bool mergeTilings(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does one tiling in two steps.
bool tileInTwo(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses while it tiles.
bool fuseForTile(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes a size a multiple of the length of a vector register.
bool makeScalable(mlir::transform::NamedSequenceOp entry, Random &random);
/// Names a size, and tiles several dimensions by it.
bool shareParameter(mlir::transform::NamedSequenceOp entry, Random &random);
/// Leaves a size to be tuned.
bool knobSize(mlir::transform::NamedSequenceOp entry, Random &random);
/// Adds a level of larger tiles around the tilings.
bool outerLevel(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_RETILEKINDS_H
