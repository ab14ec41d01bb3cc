//===- ParameterModel.cpp - Parameters of a schedule ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/ParameterModel.h"

#include "verifier/parameters/Collector.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

solver::Assignment ParameterModel::getSelected() const {
  solver::Assignment selected;
  for (const Knob &knob : knobs)
    if (knob.selected)
      selected.set(knob.term.getVariable(), *knob.selected);
  return selected;
}

solver::Problem ParameterModel::fixSelected() const {
  solver::Problem fixed = *problem;
  for (const Knob &knob : knobs)
    if (knob.selected)
      fixed.addConstraint(
          "knob.selected",
          context->equal(knob.term, context->constant(*knob.selected)),
          knob.op);
  return fixed;
}

bool ParameterModel::isResolved() const {
  return constrained.empty() &&
         llvm::all_of(
             knobs,
             [](const Knob &knob) { return knob.selected.has_value(); }) &&
         llvm::all_of(opaqueKnobs, [](const OpaqueKnob &knob) {
           return knob.op->hasAttr("selected");
         });
}

FailureOr<ParameterModel>
formwork::verifier::collectParameters(transform::NamedSequenceOp entry,
                                      Operation *payload) {
  ParameterModel model;
  model.context = std::make_unique<solver::TermContext>();
  model.problem = std::make_unique<solver::Problem>(*model.context);
  if (failed(Collector(model, payload).run(entry)))
    return failure();
  return model;
}
