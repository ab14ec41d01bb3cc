//===- MappingKinds.h - Breakage by units and parameters --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of what loops are mapped to, and of the parameters that say how
// many there are. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_MAPPINGKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_MAPPINGKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Maps the dimensions of all loops in another order.
bool turnMapping(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes a parameter that is no number for a size, or one out of range.
bool typedParameter(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes a parallel loop of one, and a nest of that.
bool parallelThenFor(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_MAPPINGKINDS_H
