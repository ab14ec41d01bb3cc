//===- MatchKinds.h - Breakage of how payload is found ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of how a schedule finds what a step is for: by a match that comes
// late, asks for more, or trusts a mark. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_MATCHKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_MATCHKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Looks for the kind again where a step reads a handle.
bool rematch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches only what also has an attribute or a type.
bool filterMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Marks ops, and finds them again by the mark behind later steps.
bool markThenMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on a kind of op that the payload most likely lacks.
bool emptyMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Asserts something of a handle between two steps.
bool expectShape(mlir::transform::NamedSequenceOp entry, Random &random);
/// Acts on all that a matcher finds.
bool actOnMatches(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads the ops that define the values of what is meant.
bool throughValues(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches a contraction by the classes of its dimensions.
bool dimensionsByClass(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_MATCHKINDS_H
