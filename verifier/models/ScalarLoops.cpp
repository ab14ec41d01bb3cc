//===- ScalarLoops.cpp - Structured ops that become loops -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `transform.structured.convert_to_loops` makes of an op: one scf.for for
// each of its loops, and in the innermost what it computes with. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/models/TiledNodes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// From 0 on, in steps of 1.
static std::shared_ptr<const LoopFacts> getScalarLoop(const Extent &extent) {
  auto facts = std::make_shared<LoopFacts>();
  facts->trips.push_back(extent);
  if (extent.isStatic()) {
    facts->range = *extent.size;
    facts->step = 1;
  }
  return facts;
}

void Interpreter::convertToLoopsModel(Operation *op, const Contract &contract) {
  PayloadModel &payload = state.payload;
  const HandleState source = lookup(op->getOperand(0));
  bool areKnown = llvm::all_of(source.nodes, [&](NodeId target) {
    return payload[target].space && !payload[target].space->loops.empty();
  });
  if (!areKnown)
    return applyClauses(op, contract);

  normalforms::KindPatterns introduces = contract.payload->introduces;
  llvm::erase(introduces, KindPattern::of(scf::ForOp::getOperationName()));
  NodeList loops;
  bool isOrdered = source.ordered;
  for (NodeId target : source.nodes) {
    // The body is copied into the innermost loop, but for what ends it.
    llvm::append_range(introduces, getKindsBelow(target));
    const std::shared_ptr<const IterationSpace> space = payload[target].space;
    isOrdered &= payload[target].count.hi <= 1;
    std::optional<NodeId> parent;
    for (const Extent &extent : space->loops) {
      parent = addLoop(payload, target, parent,
                       getLoopKind<scf::ForOp>(op->getContext()),
                       getScalarLoop(extent), op);
      loops.push_back(*parent);
    }
    // With the attributes of what it computes with; its own go with it.
    bool isOne = payload[target].exact;
    payload.hideTags(target, [&](NodeId id) { return id != target || !isOne; });
    Node &gone = payload.edit(target);
    gone.present = Certainty::No;
    gone.op = nullptr;
  }
  llvm::erase(introduces, KindPattern::of(linalg::YieldOp::getOperationName()));
  applyWriteOf(op, contract, introduces);
  setResult(op, 0, loops, isOrdered);
}
