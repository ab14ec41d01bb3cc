//===- InsertionKinds.h - Breakage by a step too many -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add a step, as authors do who improve a schedule that runs and
// forget what that does to the steps behind it. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_INSERTIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_INSERTIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Cleans up between two steps, while handles live on.
bool cleanUpBetween(mlir::transform::NamedSequenceOp entry, Random &random);
/// Runs a pass on a function between two steps.
bool passBetween(mlir::transform::NamedSequenceOp entry, Random &random);
/// Bufferizes, vectorizes or makes loops before the steps that want tensors.
bool lowerEarly(mlir::transform::NamedSequenceOp entry, Random &random);
/// Unrolls, peels, pipelines, outlines or promotes a loop.
bool loopStep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles once more what a handle holds.
bool tileAgain(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses some producer into some loop.
bool fuseRandom(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by a size that counts what another handle holds.
bool computedSize(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_INSERTIONKINDS_H
