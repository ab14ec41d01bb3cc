//===- ExtractionKinds.h - Breakage by extraction ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that move steps into sequences, which get what they read in another
// way than before. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_EXTRACTIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_EXTRACTIONKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Hands several handles to a helper as one, which it splits.
bool bundleArguments(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does steps in a sequence that has an argument for each handle they read.
bool isolatedSequence(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes a helper of each phase of the schedule.
bool helperPerPhase(mlir::transform::NamedSequenceOp entry, Random &random);
/// Leaves a copy of steps in a helper that nothing calls.
bool leftOverHelper(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_EXTRACTIONKINDS_H
