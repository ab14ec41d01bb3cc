//===- DispatchKinds.h - Breakage by dispatch -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that tile from somewhere else: from the action of a matcher, or
// from a helper that takes the size. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_DISPATCHKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_DISPATCHKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Lets a matcher find what is tiled, and reads what comes of that.
bool dispatchStep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by a helper that takes the size, maybe twice.
bool sizedHelper(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_DISPATCHKINDS_H
