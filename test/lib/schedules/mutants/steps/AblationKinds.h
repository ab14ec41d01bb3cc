//===- AblationKinds.h - Breakage by leaving out ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that make a schedule shorter with some care for the steps that
// remain. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_ABLATIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_ABLATIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Takes a tiling back, with what was done to its loops.
bool untile(mlir::transform::NamedSequenceOp entry, Random &random);
/// Drops the steps of which nothing reads the results.
bool pruneUnread(mlir::transform::NamedSequenceOp entry, Random &random);
/// Leaves a producer where it was, at one level or at all.
bool unfuse(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_ABLATIONKINDS_H
