//===- DelegationKinds.h - Breakage by delegation ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that leave steps to helpers: to one that has a helper of its own,
// or to one that finds what it works on. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_DELEGATIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_DELEGATIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Moves steps into a helper, and some of them on into another.
bool layeredHelpers(mlir::transform::NamedSequenceOp entry, Random &random);
/// Lets a helper find the op that it works on.
bool helperFindsIt(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_DELEGATIONKINDS_H
