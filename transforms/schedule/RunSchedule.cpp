//===- RunSchedule.cpp - Applying a schedule to a payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/RunSchedule.h"

#include "engine/Diagnostics.h"

#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;

LogicalResult formwork::transforms::runSchedule(
    ModuleOp payload, transform::NamedSequenceOp entry, bool unchecked) {
  auto options =
      transform::TransformOptions().enableExpensiveChecks(!unchecked);
  if (failed(transform::applyTransformNamedSequence(payload, entry, ModuleOp(),
                                                    options)))
    return failure();
  if (succeeded(verify(payload)))
    return success();
  return emitFinding(engine::Finding(
      entry.getLoc(), "fw-schedule-invalid",
      "schedule requires its result to verify but it leaves invalid IR"));
}
