//===- RewriteKinds.h - Breakage by patterns --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that apply patterns while a handle to what they rewrite lives on,
// or too few of them. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_REWRITEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_REWRITEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Stops the patterns before they are done.
bool limitPatterns(mlir::transform::NamedSequenceOp entry, Random &random);
/// Rewrites a structured op by patterns, and goes on with its handle.
bool rewriteUnderHandle(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles to unit dimensions, folds these, and goes on with the tile.
bool unitDims(mlir::transform::NamedSequenceOp entry, Random &random);
/// Moves the slices of a tile over its producers, and works on these.
bool slicesFirst(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_REWRITEKINDS_H
