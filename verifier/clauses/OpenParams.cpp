//===- OpenParams.cpp - Where open parameters go ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records the steps that take a parameter that is open and of which nothing is
// derived. The table in docs/design/009 lists them. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/OpenParams.h"
#include "verifier/step/Step.h"

using namespace mlir;

void formwork::verifier::noteUnmodelledParams(const Step &step,
                                              ValueRange operands) {
  // Symbolic values are expressed by these variables.
  if (step.parameters.problem->getVariables().empty())
    return;
  for (Value operand : operands) {
    const HandleState &handle = step.lookup(operand);
    bool isOpen = handle.kind == HandleState::Params &&
                  llvm::any_of(handle.params, [](const ParamValue &param) {
                    return param.size.isSymbolic();
                  });
    if (!isOpen)
      continue;
    std::string what =
        "what it requires of " + step.nameOf(operand) + " is not known";
    step.unprove("takes a parameter that is open: " + Twine(what));
    bool isKnown = llvm::any_of(
        step.parameters.unmodelledUses,
        [&](const UnmodelledConstraint &use) { return use.op == step.op; });
    if (!isKnown)
      step.parameters.unmodelledUses.push_back(
          {step.op, ("what '" + step.op->getName().getStringRef() +
                     "' requires of " + step.nameOf(operand))
                        .str()});
  }
}
