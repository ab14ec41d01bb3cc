//===- HandleKinds.h - Breakage by the wrong handle -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that give a step a handle to other ops than it is meant for. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_HANDLEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_HANDLEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Swaps what two steps read.
bool swapUses(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads another result of the same step, such as the other loop.
bool siblingResult(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches in another scope.
bool matchElsewhere(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches more kinds than are meant.
bool widenMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads the producer, the consumers or the parent of what is meant.
bool neighbourOp(mlir::transform::NamedSequenceOp entry, Random &random);
/// Asks for another parent.
bool otherParent(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads what is meant together with what another handle holds.
bool mixHandles(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads a handle through a cast to a kind.
bool castThrough(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads only the ops of one kind of what is meant, maybe exactly one.
bool selectSome(mlir::transform::NamedSequenceOp entry, Random &random);
/// Splits a handle into some number of results, and uses the last.
bool wrongSplit(mlir::transform::NamedSequenceOp entry, Random &random);
/// Hands a step another handle of the same type.
bool wrongHandle(mlir::transform::NamedSequenceOp entry, Random &random);
/// Gives a result a type that names a kind.
bool retype(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches another kind.
bool wrongMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Swaps the results of a step.
bool swapResults(mlir::transform::NamedSequenceOp entry, Random &random);
/// Swaps two operands of a step.
bool swapOperands(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_HANDLEKINDS_H
