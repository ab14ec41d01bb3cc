//===- PipelineKinds.h - Breakage of the order of a pipeline ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of the coarse steps: cleaning up, passes, and the lowering at the
// end. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PIPELINEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PIPELINEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Lowers at the end, with a step that is left out or too early.
bool loweringTail(mlir::transform::NamedSequenceOp entry, Random &random);
/// Applies patterns together that were apart, or the reverse.
bool regroupPatterns(mlir::transform::NamedSequenceOp entry, Random &random);
/// Drops all steps that clean up.
bool dropCleanUps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Runs a pass on what it is not for, or with options.
bool passElsewhere(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PIPELINEKINDS_H
