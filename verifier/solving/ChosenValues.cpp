//===- ChosenValues.cpp - An assignment as attributes -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solving/ChosenValues.h"

#include "engine/Diagnostics.h"
#include "verifier/parameters/KnobDomain.h"
#include "verifier/solver/Evaluator.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using transform::tune::KnobOp;

IntegerAttr formwork::verifier::makeParameterAttribute(Type type,
                                                       int64_t value) {
  Type element = IntegerType::get(type.getContext(), 64);
  if (auto param = dyn_cast<transform::ParamType>(type))
    if (param.getType().isIntOrIndex())
      element = param.getType();
  unsigned width = element.isIndex() ? IndexType::kInternalStorageBitWidth
                                     : cast<IntegerType>(element).getWidth();
  return IntegerAttr::get(
      element, APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true));
}

Attribute formwork::verifier::getSelectedAttribute(KnobOp knob, int64_t value) {
  if (auto options = dyn_cast<ArrayAttr>(knob.getOptions())) {
    auto option = llvm::find_if(
        options, [&](Attribute o) { return toInteger(o) == value; });
    if (option != options.end())
      return *option;
  }
  return makeParameterAttribute(knob.getResult().getType(), value);
}

Attribute formwork::verifier::getFirstOption(KnobOp knob) {
  return cast<ArrayAttr>(knob.getOptions())[0];
}

LogicalResult formwork::verifier::refuseToWrite(Operation *op,
                                                const Twine &message) {
  return emitFinding(
      engine::Finding(op->getLoc(), "fw-solve-unwritable", message));
}

FailureOr<ConstrainedValues>
formwork::verifier::getConstrainedValues(const ParameterModel &model,
                                         const solver::Assignment &assignment) {
  ConstrainedValues constrained;
  for (const ConstrainedParams &params : model.constrained) {
    SmallVector<std::optional<int64_t>> values = llvm::map_to_vector(
        params.results,
        [&](std::optional<solver::IntTerm> term) -> std::optional<int64_t> {
          return term ? solver::evaluate(*term, assignment) : std::nullopt;
        });
    transform::smt::ConstrainParamsOp op = params.op;
    for (auto [result, term] : llvm::zip(op.getResults(), params.results))
      if (term && !result.use_empty() && model.dependsOnPayload(*term))
        return refuseToWrite(op,
                             "requires a payload to replace result " +
                                 Twine(result.getResultNumber()) +
                                 ", which depends on its sizes, but has none");
    for (auto [result, value] : llvm::zip(op.getResults(), values))
      if (!value && !result.use_empty())
        return refuseToWrite(op, "requires a value for result " +
                                     Twine(result.getResultNumber()) +
                                     " to replace this op but has none that is "
                                     "modelled");
    auto [known, isNew] = constrained.try_emplace(op, values);
    if (!isNew && known->second != values)
      return refuseToWrite(op,
                           "requires the same values wherever its sequence is "
                           "included but has different ones");
  }
  return constrained;
}
