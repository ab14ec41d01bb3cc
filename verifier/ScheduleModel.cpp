//===- ScheduleModel.cpp - A schedule as the verifier sees it ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/ScheduleModel.h"

#include "engine/Diagnostics.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

FailureOr<ScheduleModel> ScheduleModel::create(ModuleOp module,
                                               StringRef name) {
  transform::NamedSequenceOp entry;
  module->walk<WalkOrder::PreOrder>([&](transform::NamedSequenceOp sequence) {
    if (sequence.getSymName() != name)
      return WalkResult::advance();
    entry = sequence;
    return WalkResult::interrupt();
  });
  if (!entry || entry.isExternal())
    return engine::emitFinding({module.getLoc(), "fw-no-entry-point",
                                "requires a transform.named_sequence @" + name +
                                    " with a body but has none"});
  return ScheduleModel(module, entry);
}
