//===- StepPlaces.cpp - The step that made an operation -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/StepPlaces.h"

#include "engine/SourcePlace.h"

using namespace mlir;
using namespace formwork::transforms::emulate;

/// The place of the step if `loc` is a mark.
static FileLineColLoc getMark(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused ? dyn_cast_if_present<FileLineColLoc>(fused.getMetadata())
               : FileLineColLoc();
}

static Location mark(Location loc, FileLineColLoc step) {
  while (getMark(loc))
    loc = cast<FusedLoc>(loc).getLocations().front();
  return FusedLoc::get({loc}, step, loc.getContext());
}

StepPlaces::StepPlaces(ModuleOp payload) : payload(payload) {
  payload.walk([&](Operation *op) { known.try_emplace(op, op->getLoc()); });
}

void StepPlaces::take(Operation *step, bool cleansUp) {
  FileLineColLoc place = engine::findSourcePlace(step->getLoc());
  bool marks = place && !cleansUp;
  llvm::DenseMap<Operation *, Location> now;
  payload.walk([&](Operation *op) {
    auto before = known.find(op);
    bool isNew = before == known.end() || before->second != op->getLoc();
    if (marks && isNew)
      op->setLoc(mark(op->getLoc(), place));
    now.try_emplace(op, op->getLoc());
  });
  known = std::move(now);
}

FileLineColLoc formwork::transforms::emulate::findStepPlace(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location inner) {
    found = getMark(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}
