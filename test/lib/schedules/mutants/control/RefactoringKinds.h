//===- RefactoringKinds.h - Breakage by refactoring -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that move steps of a schedule into helpers, or do in one step what
// two did, and stop half-way. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_REFACTORINGKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_REFACTORINGKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Moves steps into a helper, and leaves one of them, or reads an old handle.
bool halfExtracted(mlir::transform::NamedSequenceOp entry, Random &random);
/// Moves a step into the helper that is called beside it.
bool intoHelper(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does for two handles at once what a step did for each.
bool stepForBoth(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does steps in a loop over the op that they are for and another one.
bool runForBoth(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_REFACTORINGKINDS_H
