//===- VersionKinds.h - Breakage by versions --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations by which a schedule is of two versions: of the order of dimensions,
// or of a block of steps that both stayed. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_VERSIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_VERSIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Keeps two versions of some steps.
bool bothVersions(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes the dimensions in another order, in all tilings or most of them.
bool permuteDimensions(mlir::transform::NamedSequenceOp entry, Random &random);
/// Interchanges the iterators of an op around a tiling.
bool reorderIterators(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_VERSIONKINDS_H
