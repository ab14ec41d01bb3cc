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

/// The number of the region that is chosen: a parameter, an attribute, or an
/// open knob. None, and the reason why, for a parameter that is not known.
static std::optional<IntTerm>
readChoice(const Step &step, AlternativesOp alternatives, std::string &reason) {
  solver::TermContext &terms = step.terms;
  int64_t numRegions = alternatives.getAlternatives().size();
  if (Value selector = alternatives.getSelectedRegionParam()) {
    std::optional<IntTerm> choice =
        step.analysis.getSingleTerm(step.lookup(selector), reason);
    if (choice)
      step.require(
          step.op, "alternatives.region",
          terms.logicalAnd(terms.lessEqual(terms.constant(0), *choice),
                           terms.less(*choice, terms.constant(numRegions))),
          "the selected region " + solver::toInfix(*choice) +
              " is one of 0 to " + Twine(numRegions - 1),
          ConstraintKind::Required);
    return choice;
  }
  if (std::optional<APInt> selected = alternatives.getSelectedRegionAttr())
    return terms.constant(selected->getSExtValue());
  IntTerm knob = step.parameters.addKnob(
      step.op, alternatives.getName(), solver::Domain::range(0, numRegions - 1),
      std::nullopt);
  return toTerm(terms, step.analysis.assign(knob));
}

/// The regions that may be chosen: what each yields, and when it is.
struct Alternatives {
  SmallVector<Yields> yields;
  SmallVector<BoolTerm> conditions;
};

/// Each region starts from the same state, and what holds behind it is what
/// holds behind any of them.
static Alternatives visitAlternatives(const Step &step, Walker &walk,
                                      AlternativesOp alternatives,
                                      std::optional<IntTerm> choice) {
  solver::TermContext &terms = step.terms;
  Alternatives visited;
  std::optional<BoolTerm> guard = step.state.guard;
  step.state.fork();
  std::optional<State::Branch> joined;
  for (auto [index, region] : llvm::enumerate(alternatives.getAlternatives())) {
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
    walk.visitRegion(region.front(), {step.op, static_cast<unsigned>(index)});
    visited.yields.push_back(walk.getYields());
    visited.conditions.push_back(here);
    if (joined)
      step.state.join(std::move(*joined), /*inPart=*/false);
    joined = step.state.leave();
  }
  if (joined)
    step.state.take(std::move(*joined));
  step.state.endFork();
  return visited;
}

/// The parameter that result `index` is: the one of the chosen region.
static std::optional<ParamValue> selectParam(const Step &step, unsigned index,
                                             const Alternatives &visited,
                                             std::optional<IntTerm> choice) {
  std::optional<ParamValue> selected;
  for (auto [here, path] :
       llvm::zip_equal(visited.conditions, visited.yields)) {
    std::string why;
    std::optional<IntTerm> mine = step.analysis.getSingleTerm(path[index], why);
    if (!mine || !choice)
      return std::nullopt;
    bool isSize = path[index].params.front().isSize;
    if (!selected)
      selected = ParamValue{Size::of(*mine), isSize};
    else
      selected =
          ParamValue{Size::of(step.terms.select(
                         here, *mine, *step.analysis.getTerm(selected->size))),
                     isSize && selected->isSize};
  }
  return selected;
}

static void propagateTuneAlternatives(const Step &step, Walker &walk) {
  auto alternatives = cast<AlternativesOp>(step.op);
  int64_t numRegions = alternatives.getAlternatives().size();
  std::string reason = "is not known";
  std::optional<IntTerm> choice = readChoice(step, alternatives, reason);
  if (choice && choice->isConstant()) {
    int64_t index = choice->getConstant();
    if (index < 0 || index >= numRegions)
      return summarize(step);
    walk.visitRegion(alternatives.getAlternatives()[index].front(),
                     {step.op, static_cast<unsigned>(index)});
    return setYields(step, {walk.getYields()});
  }
  step.unprove(
      choice
          ? Twine("chooses one of its regions by a parameter that is open")
          : "chooses one of its regions by a parameter that " + Twine(reason));
  Alternatives visited = visitAlternatives(step, walk, alternatives, choice);
  setYields(step, visited.yields);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i) {
    HandleState &to = step.lookup(step.op->getResult(i));
    if (to.kind != HandleState::Params)
      continue;
    to.params.clear();
    to.opaqueReason = "depends on the region that is chosen";
    if (std::optional<ParamValue> selected =
            selectParam(step, i, visited, choice))
      to.params.push_back(*selected);
  }
}

void formwork::verifier::registerTuneAlternativesModels(ModelRegistry &models) {
  models.add("tune-alternatives", propagateTuneAlternatives)
      .derivesConstraints = true;
}
