//===- RewireKinds.h - Breakage by a handle to something else ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that find what a step is for in another way: by an older name, by
// the loop around it, by its place among what matches. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_REWIREKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_REWIREKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Reads what a step consumed instead of what it made of that.
bool oldName(mlir::transform::NamedSequenceOp entry, Random &random);
/// Finds a loop as a parent of what it holds, instead of by its handle.
bool loopByParent(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads one of several ops that match, by its place among them.
bool pickOfMatch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches by the mark of another step, or by one that is misspelled.
bool otherMark(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches all structured ops where a mark was asked for.
bool broadMark(mlir::transform::NamedSequenceOp entry, Random &random);
/// Prints or verifies what handles hold, to see what a schedule does.
bool printHandles(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reads a later handle wherever an earlier one is read behind it.
bool overwrittenName(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_REWIREKINDS_H
