//===- StagingKinds.h - Breakage of the order of stages ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of the stages that payload goes through: what is done first, at
// which level it is cleaned up, when tensors become buffers and loops become
// threads. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_STAGINGKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_STAGINGKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Cleans up at another level.
bool cleanUpLevel(mlir::transform::NamedSequenceOp entry, Random &random);
/// Brings all ops into one form, early on.
bool normalizeFirst(mlir::transform::NamedSequenceOp entry, Random &random);
/// Hoists out of loops.
bool hoistOut(mlir::transform::NamedSequenceOp entry, Random &random);
/// Maps new loops to blocks and threads.
bool mapToGpu(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes allocations of the empty tensors.
bool allocTensors(mlir::transform::NamedSequenceOp entry, Random &random);
/// Converts to a lower dialect, wholly or in part.
bool convertPatterns(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_STAGINGKINDS_H
