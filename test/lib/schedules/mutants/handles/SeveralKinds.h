//===- SeveralKinds.h - Breakage by one of several --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that mistake how many handles a step hands out, and in which
// order. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_SEVERALKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_SEVERALKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Takes another result of a step that has several for the one that goes on.
bool wrongOfSeveral(mlir::transform::NamedSequenceOp entry, Random &random);
/// Splits a handle into one part more or less, or treats the rest otherwise.
bool miscountSplit(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_SEVERALKINDS_H
