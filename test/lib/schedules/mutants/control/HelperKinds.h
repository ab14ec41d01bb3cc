//===- HelperKinds.h - Breakage of sequences that are called ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of what schedules share: sequences that others include, and
// matchers with what is done to their matches. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_HELPERKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_HELPERKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Writes out a sequence where it is included.
bool inlineHelper(mlir::transform::NamedSequenceOp entry, Random &random);
/// Includes a sequence once more.
bool callAgain(mlir::transform::NamedSequenceOp entry, Random &random);
/// Calls a new sequence, of which arguments or results may be mixed up.
bool helperRoles(mlir::transform::NamedSequenceOp entry, Random &random);
/// Collects what a matcher finds, and reads that.
bool collectMatching(mlir::transform::NamedSequenceOp entry, Random &random);
/// Asks two matchers, of which the first may take all.
bool shadowedMatcher(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on each loop of a function.
bool eachLoop(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_HELPERKINDS_H
