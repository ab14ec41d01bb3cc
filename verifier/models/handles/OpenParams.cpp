//===- OpenParams.cpp - Where open parameters go ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops are known to say what they require of a parameter that is open, and
// what is said of all others. The table in docs/design/009 is the same list.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/handles/OpenParams.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/DebugExtension/DebugExtensionOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// Whether a model derives what the op requires of the operand, or whether it
/// requires nothing and hands it on.
static bool isModelled(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto fuse = dyn_cast<transform::FuseOp>(op)) {
    OperandRange order = fuse.getTileInterchange();
    return order.empty() ||
           operand.getOperandNumber() < order.getBeginOperandIndex();
  }
  // Those of our own, of which this layer does not know the classes.
  if (op->getName().getStringRef().starts_with("transform.formwork."))
    return true;
  bool derives =
      isa<transform::TileUsingForOp, transform::TileUsingForallOp,
          transform::PadOp, transform::SplitOp, transform::VectorizeOp,
          transform::AnnotateOp, transform::MatchParamCmpIOp,
          transform::tune::AlternativesOp, transform::smt::ConstrainParamsOp>(
          op);
  bool handsOn =
      isa<transform::NumAssociationsOp, transform::MergeHandlesOp,
          transform::SplitHandleOp, transform::ReplicateOp,
          transform::ForeachOp, transform::IncludeOp, transform::SequenceOp,
          transform::YieldOp, transform::EmitParamAsRemarkOp>(op);
  return derives || handsOn;
}

void formwork::verifier::noteUnmodelledParams(const Step &step) {
  // What is symbolic is said in terms of these.
  if (step.parameters.problem->getVariables().empty())
    return;
  for (OpOperand &operand : step.op->getOpOperands()) {
    const HandleState &handle = step.lookup(operand.get());
    bool isOpen = handle.kind == HandleState::Params &&
                  llvm::any_of(handle.params, [](const ParamValue &param) {
                    return param.size.isSymbolic();
                  });
    if (!isOpen || isModelled(operand))
      continue;
    std::string what =
        "what it requires of " + step.nameOf(operand.get()) + " is not known";
    step.unprove("takes a parameter that is open: " + Twine(what));
    bool isKnown = llvm::any_of(
        step.parameters.unmodelledUses,
        [&](const UnmodelledConstraint &use) { return use.op == step.op; });
    if (!isKnown)
      step.parameters.unmodelledUses.push_back(
          {step.op, ("what '" + step.op->getName().getStringRef() +
                     "' requires of " + step.nameOf(operand.get()))
                        .str()});
  }
}
