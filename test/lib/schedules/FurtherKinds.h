//===- FurtherKinds.h - More kinds of breakage ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that were once kept for measuring, and have been looked at since.
// Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_FURTHERKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_FURTHERKINDS_H

#include "test/lib/schedules/Mutation.h"

namespace formwork::testing {

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
/// Moves a step far behind its place.
bool moveFar(mlir::transform::NamedSequenceOp entry, Random &random);
/// Removes an attribute that a step can do without.
bool dropAttribute(mlir::transform::NamedSequenceOp entry, Random &random);
/// Swaps the results of a step.
bool swapResults(mlir::transform::NamedSequenceOp entry, Random &random);
/// Swaps two operands of a step.
bool swapOperands(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by a parameter that has two values.
bool twoParameters(mlir::transform::NamedSequenceOp entry, Random &random);
/// Gives a tiling an interchange.
bool badInterchange(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_FURTHERKINDS_H
