//===- ContractOnTensorCores.cpp - Its model --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision that tensor cores do a contraction. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/gpu/TriedSteps.h"

using namespace mlir;
using namespace formwork::verifier;

/// transform.formwork.contract_on_tensor_cores: each target, a contraction in a
/// kernel, has an attribute that names the warps along its rows and columns.
/// Nothing else changes; what the step asks of the contraction and of its
/// operands is in the kernel's code.
static void propagateContract(const Step &step) {
  constexpr StringLiteral badThreads = "fw-bad-threads";
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  bool isSure = count.lo > 0;
  SmallVector<MixedNumber> warps =
      getMixedNumbers(step.op, "static_warps", /*segment=*/1);
  unsigned numLists = checkNumberOfValues(step, warps, count, badThreads);
  for (unsigned target = 0; target != numLists; ++target) {
    SmallVector<Size> sizes = getNumbers(step, warps, target);
    requireTensorTile(step, sizes,
                      step.op->hasAttr("round_to_tf32") ||
                          step.op->hasAttr("truncate_to_tf32"));
    requireThreads(step, sizes, /*factor=*/32, "warps.positive",
                   "numbers of warps", isSure);
  }
  if (count.hi != 0)
    tryStep(step);
  applyClauses(step);
  auto name = StringAttr::get(step.op->getContext(), "formwork.tensor_cores");
  step.payload.changeTags();
  for (NodeId id : targets) {
    if (!step.payload[id].exact) {
      step.payload.openTag(step.root, name,
                           [](const Node &node) { return true; });
      continue;
    }
    step.payload.edit(id).tags.makeOpen(name);
  }
}

void formwork::verifier::registerContractOnTensorCoresModels(
    ModelRegistry &models) {
  models
      .add("contract-on-tensor-cores", propagateContract,
           decides{"fw-bad-threads", "fw-not-for-tensor-cores"},
           getUntriedReasons())
      .derivesConstraints = true;
}
