//===- ReworkKinds.h - Breakage by a rework of steps ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that rework what a schedule already does: steps that move into a
// loop, go to the first op only or to several at once, or change places with
// the step before them. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_REWORKKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_REWORKKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Moves steps into a loop that hands out all results but one.
bool forgottenResult(mlir::transform::NamedSequenceOp entry, Random &random);
/// Merges two handles of which a step consumes one.
bool partOfMerge(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does a step for the first op, and the same or another one for the rest.
bool firstAndRest(mlir::transform::NamedSequenceOp entry, Random &random);
/// Exchanges a step with the one whose result it reads.
bool earlierInChain(mlir::transform::NamedSequenceOp entry, Random &random);
/// Exchanges what two matches look for.
bool swapMatches(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_REWORKKINDS_H
