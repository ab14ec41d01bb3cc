//===- PortingKinds.h - Breakage by porting ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations by which a schedule is written for another machine, or from memory:
// other sizes throughout, an op that is only called alike. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_PORTINGKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_PORTINGKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Chooses all sizes anew, equal ones alike.
bool retuneSizes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does a step by another op that sounds like it.
bool kindredStep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Adds the dimension of a batch to all sizes, or takes it away.
bool portToBatch(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_PORTINGKINDS_H
