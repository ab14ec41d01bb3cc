//===- ConsumptionKinds.h - Breakage by consumption -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that use a handle behind a step that consumes its payload:
// directly, through another handle, in a region or in a helper. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_CONSUMPTIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_CONSUMPTIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Uses a handle again behind the step that consumed it.
bool reuseConsumed(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches the same payload again, lets a step consume that, and uses the
/// first handle behind it.
bool aliasThenConsume(mlir::transform::NamedSequenceOp entry, Random &random);
/// Consumes entries of a handle in a loop over them.
bool consumeInForeach(mlir::transform::NamedSequenceOp entry, Random &random);
/// Consumes a handle in a sequence that is included.
bool consumeInInclude(mlir::transform::NamedSequenceOp entry, Random &random);
/// Consumes the function around the payload of a handle.
bool consumeParent(mlir::transform::NamedSequenceOp entry, Random &random);
/// Merges a handle with itself and consumes the result.
bool mergeTwice(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes a handle to a value, consumes its op, and uses the handle.
bool staleValue(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches inside of what a later step consumes, and uses that behind it.
bool staleInside(mlir::transform::NamedSequenceOp entry, Random &random);
/// Consumes a cast of a handle, and uses the handle.
bool consumeCast(mlir::transform::NamedSequenceOp entry, Random &random);
/// Consumes a handle in the region of an alternative or a sequence.
bool consumeInRegion(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_CONSUMPTIONKINDS_H
