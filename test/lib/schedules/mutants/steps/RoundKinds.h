//===- RoundKinds.h - Breakage by steps and their inverses ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_ROUNDKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_ROUNDKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Outlines a loop, and inlines the call again.
bool outlineAndInline(mlir::transform::NamedSequenceOp entry, Random &random);
/// Packs an op, tiles that, and fuses the packing.
bool tilePacked(mlir::transform::NamedSequenceOp entry, Random &random);
/// Names an op in another way, and back.
bool morphAndBack(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_ROUNDKINDS_H
