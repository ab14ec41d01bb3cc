//===- SharingKinds.h - Breakage by shared helpers --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that move steps which a schedule repeats into one helper. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_SHARINGKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_SHARINGKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Makes one helper of all clean-ups.
bool cleanUpHelper(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes one helper of two steps that are almost alike.
bool nearDuplicates(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by one helper that takes the sizes, whatever the tilings tile.
bool generalTiler(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_SHARINGKINDS_H
