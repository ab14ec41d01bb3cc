//===- SchedulePayload.h - Payload worth scheduling -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the payloads of generated schedules. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEPAYLOAD_H
#define FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEPAYLOAD_H

#include "test/lib/generator/Random.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace formwork::testing {

/// A module with one or two functions: of the payload generator, a third of the
/// time; else chains of contractions and elementwise ops.
mlir::OwningOpRef<mlir::ModuleOp>
makeSchedulePayload(mlir::MLIRContext *context, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEPAYLOAD_H
