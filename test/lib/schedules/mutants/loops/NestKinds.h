//===- NestKinds.h - Breakage of loop nests ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of nests of loops as a whole: their order, sizes and bodies. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_NESTKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_NESTKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Exchanges two tilings of which the second tiles what the first made.
bool exchangeNest(mlir::transform::NamedSequenceOp entry, Random &random);
/// Unrolls the loops there are, one behind the other.
bool unrollNest(mlir::transform::NamedSequenceOp entry, Random &random);
/// Multiplies or divides all sizes.
bool scaleSizes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes a dimension of the op for a tile size.
bool dimAsSize(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes what an op computes for a tile size.
bool opAsSize(mlir::transform::NamedSequenceOp entry, Random &random);
/// Outlines a loop, and goes on with what stood in it.
bool outlineKernel(mlir::transform::NamedSequenceOp entry, Random &random);
/// Unrolls a loop before its body is vectorized.
bool unrollThenVectorize(mlir::transform::NamedSequenceOp entry,
                         Random &random);
/// Does a step for all loops of a nest at once.
bool loopsAsOne(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_NESTKINDS_H
