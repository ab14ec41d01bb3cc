//===- LibraryKinds.h - Breakage by a library -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of what stands in another sequence or in a region. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_LIBRARYKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_LIBRARYKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Includes a sequence of which the body is elsewhere, or has no steps.
bool missingLibrary(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does once, for all, what stood in a region.
bool unwrapRegion(mlir::transform::NamedSequenceOp entry, Random &random);
/// Asks a matcher that may be too strict, or looks at the wrong thing.
bool strictMatcher(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_LIBRARYKINDS_H
