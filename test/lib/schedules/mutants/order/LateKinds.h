//===- LateKinds.h - Breakage by what comes sooner or later -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_LATEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_LATEKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Matches right before the first use.
bool matchLate(mlir::transform::NamedSequenceOp entry, Random &random);
/// Bufferizes sooner, and matches anew what is read behind it.
bool bufferizeSooner(mlir::transform::NamedSequenceOp entry, Random &random);
/// Cleans up once, instead of here and there.
bool cleanOnce(mlir::transform::NamedSequenceOp entry, Random &random);
/// Fuses two producers in the other order, or in some.
bool fuseInOtherOrder(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_LATEKINDS_H
