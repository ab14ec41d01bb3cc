//===- TargetKinds.h - Breakage by a foreign step ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that use what is meant for another sort of op, of function or of
// machine. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_TARGETKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_TARGETKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Does a step that is meant for another sort of op, or another machine.
bool foreignStep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes loops by a pass, and works on loops of some sort.
bool loopsByPass(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reorders or merges the arguments of a function.
bool changeSignature(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_TARGETKINDS_H
