//===- LoweringKinds.h - Breakage of how payload is lowered -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of the steps that turn structured ops into vectors and buffers, and
// of those that clean up on the way. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_LOWERINGKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_LOWERINGKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Promotes operands to buffers of their own.
bool promoteOperands(mlir::transform::NamedSequenceOp entry, Random &random);
/// Adds a step on buffers that may not be there yet.
bool bufferSteps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Packs a contraction, and lowers the packing.
bool packWhole(mlir::transform::NamedSequenceOp entry, Random &random);
/// Vectorizes a function instead of an op, or the reverse.
bool vectorizeChildren(mlir::transform::NamedSequenceOp entry, Random &random);
/// Lowers vectors that may not be there yet.
bool lowerVectors(mlir::transform::NamedSequenceOp entry, Random &random);
/// Cleans up behind the steps.
bool cleanAfterEach(mlir::transform::NamedSequenceOp entry, Random &random);
/// Cleans up by a pass instead of in place, or the reverse.
bool passForPatterns(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_LOWERINGKINDS_H
