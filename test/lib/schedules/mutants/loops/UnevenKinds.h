//===- UnevenKinds.h - Breakage by what does not divide ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations by which a schedule works on tiles of two sizes: what is left over
// of a dimension is apart, is bounded, or was never meant. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_UNEVENKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_UNEVENKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Splits off what a tiling leaves over, and treats it apart.
bool remainderApart(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on the bounds that a tiling by what does not divide makes.
bool boundsOfTile(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes the sizes of all tilings odd ones.
bool oddSizes(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_UNEVENKINDS_H
