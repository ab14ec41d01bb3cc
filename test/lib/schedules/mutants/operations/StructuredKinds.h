//===- StructuredKinds.h - Breakage on structured ops -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add a step on structured ops which asks for more than the op,
// or what stands behind it, has to offer. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_STRUCTUREDKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_STRUCTUREDKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Pads, with values or sizes that may not fit the op.
bool padOperands(mlir::transform::NamedSequenceOp entry, Random &random);
/// Pads and hoists what was padded, maybe out of more loops than there are.
bool hoistPad(mlir::transform::NamedSequenceOp entry, Random &random);
/// Splits an iteration space, and takes one part or both for the whole.
bool splitDimension(mlir::transform::NamedSequenceOp entry, Random &random);
/// Splits a reduction, or what is none.
bool splitReduction(mlir::transform::NamedSequenceOp entry, Random &random);
/// Packs the operands, and lowers that.
bool packOp(mlir::transform::NamedSequenceOp entry, Random &random);
/// Splits where two tile sizes meet, and mixes up what belongs together.
bool multiSizes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Interchanges the loops of a generic, or of what is not yet one.
bool interchangeLoops(mlir::transform::NamedSequenceOp entry, Random &random);
/// Vectorizes with sizes.
bool vectorSizes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Gives an op on tensors a buffer, before the others have one.
bool allocateEarly(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by a parameter that has a value for each op of some handle.
bool paramPerOp(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_STRUCTUREDKINDS_H
