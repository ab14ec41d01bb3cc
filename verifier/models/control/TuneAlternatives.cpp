//===- TuneAlternatives.cpp - A choice of regions ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which region of a `transform.tune.alternatives` runs, and what holds behind
// it when that is open. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Extents.h"
#include "verifier/step/Walker.h"

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;
using transform::tune::AlternativesOp;

static void propagateTuneAlternatives(const Step &step, Walker &walk) {
  auto alternatives = cast<AlternativesOp>(step.op);
  solver::TermContext &terms = step.terms;
  int64_t numRegions = alternatives.getAlternatives().size();
  std::optional<IntTerm> choice;
  std::string reason = "is not known";
  if (Value selector = alternatives.getSelectedRegionParam()) {
    choice = step.analysis.getSingleTerm(step.lookup(selector), reason);
    if (choice)
      step.require(
          step.op, "alternatives.region",
          terms.logicalAnd(terms.lessEqual(terms.constant(0), *choice),
                           terms.less(*choice, terms.constant(numRegions))),
          "the selected region " + solver::toInfix(*choice) +
              " is one of 0 to " + Twine(numRegions - 1),
          ConstraintKind::Required);
  } else if (std::optional<APInt> selected =
                 alternatives.getSelectedRegionAttr()) {
    choice = terms.constant(selected->getSExtValue());
  } else {
    IntTerm knob = step.parameters.addKnob(
        step.op, alternatives.getName(),
        solver::Domain::range(0, numRegions - 1), std::nullopt);
    choice = toTerm(terms, step.analysis.assign(knob));
  }

  SmallVector<Yields> yields;
  auto visit = [&](unsigned index) {
    walk.visitRegion(alternatives.getAlternatives()[index].front(),
                     {step.op, index});
    yields.push_back(walk.getYields());
  };
  if (choice && choice->isConstant()) {
    int64_t index = choice->getConstant();
    if (index < 0 || index >= numRegions)
      return summarize(step);
    visit(index);
    return setYields(step, yields);
  }

  // Each region starts from the same state, and what holds behind it is what
  // holds behind any of them; parameters are selected by the choice.
  step.unprove(
      choice
          ? Twine("chooses one of its regions by a parameter that is open")
          : "chooses one of its regions by a parameter that " + Twine(reason));
  std::optional<BoolTerm> guard = step.state.guard;
  step.state.fork();
  std::optional<State::Branch> joined;
  SmallVector<BoolTerm> conditions;
  for (int64_t index = 0; index < numRegions; ++index) {
    BoolTerm here = terms.truth(true);
    if (choice) {
      here = terms.equal(*choice, terms.constant(index));
      step.state.guard = guard ? terms.logicalAnd(*guard, here) : here;
    } else {
      step.state.certain = false;
    }
    if (step.state.guard && step.state.guard->isFalse()) {
      step.state.leave();
      continue;
    }
    visit(index);
    conditions.push_back(here);
    if (joined)
      step.state.join(std::move(*joined), /*inPart=*/false);
    joined = step.state.leave();
  }
  if (joined)
    step.state.take(std::move(*joined));
  step.state.endFork();
  setYields(step, yields);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i) {
    HandleState &to = step.lookup(step.op->getResult(i));
    if (to.kind != HandleState::Params)
      continue;
    std::optional<ParamValue> selected;
    to.params.clear();
    to.opaqueReason = "depends on the region that is chosen";
    for (auto [here, path] : llvm::zip_equal(conditions, yields)) {
      std::string why;
      std::optional<IntTerm> mine = step.analysis.getSingleTerm(path[i], why);
      if (!mine || !choice) {
        selected.reset();
        break;
      }
      bool isSize = path[i].params.front().isSize;
      if (!selected)
        selected = ParamValue{Size::of(*mine), isSize};
      else
        selected = ParamValue{
            Size::of(terms.select(here, *mine,
                                  *step.analysis.getTerm(selected->size))),
            isSize && selected->isSize};
    }
    if (selected)
      to.params.push_back(*selected);
  }
}

void formwork::verifier::registerTuneAlternativesModels(ModelRegistry &models) {
  models.add("tune-alternatives", propagateTuneAlternatives)
      .derivesConstraints = true;
}
