//===- Snapshots.cpp - The payload behind each step -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/Snapshots.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

Snapshots::Snapshots(ModuleOp payload)
    : last(fingerprinter.ofBody(payload)), original(payload.clone()) {}

void Snapshots::take(Operation *step, ModuleOp payload) {
  ++numSteps;
  unsigned visit = visits[step]++;
  engine::Fingerprint now = fingerprinter.ofBody(payload);
  if (now == last)
    return;
  last = now;
  snapshots.push_back({step, visit, payload.clone()});
}

bool Snapshots::keepOnly(Operation *step, unsigned visit) {
  auto found = llvm::find_if(snapshots, [&](const Snapshot &snapshot) {
    return snapshot.step == step && snapshot.visit == visit;
  });
  if (found == snapshots.end())
    return false;
  snapshots.erase(std::next(found), snapshots.end());
  if (snapshots.size() > 2)
    snapshots.erase(snapshots.begin(), snapshots.end() - 2);
  return true;
}
