//===- OptionKinds.h - Breakage by an option --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of what a step may be told besides its target. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_OPTIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_OPTIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Bufferizes with other options, or another part of the payload.
bool bufferizeOtherwise(mlir::transform::NamedSequenceOp entry, Random &random);
/// Gives buffers another place, or other copies.
bool otherMemory(mlir::transform::NamedSequenceOp entry, Random &random);
/// Transposes what it pads or hoists.
bool transposePad(mlir::transform::NamedSequenceOp entry, Random &random);
/// Interchanges the loops of a fusion.
bool interchangeInFuse(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes options from another step of the same op.
bool optionsOfOther(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_OPTIONKINDS_H
