//===- LookupKinds.h - Breakage of how handles are obtained -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of the steps that only make handles, and of which of their results
// is meant. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_LOOKUPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_LOOKUPKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Matches anew for each use.
bool freshMatches(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches together what was matched apart, and splits that.
bool jointMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads what was looked in instead of what was found.
bool skipLookup(mlir::transform::NamedSequenceOp entry, Random &random);
/// Finds the tiled op in the loop, instead of by its handle.
bool tiledByMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads the same result of the step before or behind of its sort.
bool likeNamed(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes each result, or each dimension, for the next.
bool offByOne(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_LOOKUPKINDS_H
