//===- Stage.cpp - The model of stage ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of a block's operation that go through workgroup memory. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/gpu/TriedSteps.h"
#include "verifier/solver/TermPrinter.h"

using namespace mlir;
using namespace formwork::verifier;

/// Adds the requirements of the buffers' layout on open sizes.
static void requireLayouts(const Step &step, ArrayRef<NodeId> targets,
                           ArrayRef<MixedNumber> operands,
                           ArrayRef<MixedNumber> padding,
                           ArrayRef<MixedNumber> swizzle) {
  auto areAll = [&](KindPattern kind) {
    bool isKnown = !targets.empty() && llvm::all_of(targets, [&](NodeId id) {
      return isSurelyOfKind(step.payload[id], kind);
    });
    return isKnown || isMatched(step.op->getOperand(0), kind.getText());
  };
  bool areWrites = areAll("vector.transfer_write");
  if (!areWrites && !areAll("vector.contract"))
    return;
  StagedLayout layout;
  if (SmallVector<Size> sizes = getNumbers(step, padding, /*target=*/0);
      !sizes.empty())
    layout.padding = sizes.front();
  if (SmallVector<Size> sizes = getNumbers(step, swizzle, /*target=*/0);
      !sizes.empty())
    layout.swizzle = sizes.front();
  if (auto order = step.op->getAttrOfType<DenseI64ArrayAttr>("order"))
    layout.order = order.asArrayRef();
  for (const Size &operand : getNumbers(step, operands, /*target=*/0))
    if (operand && areWrites)
      requireStagedWrite(step, layout);
    else if (operand)
      requireStaged(step, *operand, layout);
}

/// Requires that `size` is 0 or 1.
static void requireChoice(const Step &step, const Size &size, bool isSure) {
  std::optional<solver::IntTerm> term = step.analysis.getTerm(size);
  if (!term)
    return;
  solver::TermContext &terms = step.terms;
  std::string choice = solver::toInfix(*term);
  Requirement need{"stage.choice",
                   "the choice of a swizzle, " + choice + ", is 0 or 1",
                   isSure};
  require(step, need,
          terms.logicalAnd(terms.lessEqual(terms.constant(0), *term),
                           terms.lessEqual(*term, terms.constant(1))),
          [&] {
            if (isSure)
              step.report("fw-cannot-stage",
                          "requires 0 or 1 for a swizzle but has " + choice,
                          /*definite=*/true, /*silenceable=*/true);
          });
}

/// transform.formwork.stage: in front of each target stand, for each number of
/// the list, a write of that operand to a buffer of workgroup memory, and the
/// read of which the target takes the result. The target stays.
static void propagateStage(const Step &step) {
  constexpr StringLiteral cannotStage = "fw-cannot-stage";
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  bool isSure = count.lo > 0;
  SmallVector<MixedNumber> operands =
      getMixedNumbers(step.op, "static_operand_numbers", /*segment=*/1);
  SmallVector<MixedNumber> padding =
      getMixedNumbers(step.op, "static_padding", /*segment=*/2);
  SmallVector<MixedNumber> swizzle =
      getMixedNumbers(step.op, "static_swizzle", /*segment=*/3);
  // Parameters of another length than the targets are those of threads.
  unsigned numLists =
      std::max({checkNumberOfValues(step, operands, count, "fw-bad-threads"),
                checkNumberOfValues(step, padding, count, "fw-bad-threads"),
                checkNumberOfValues(step, swizzle, count, "fw-bad-threads")});
  for (unsigned target = 0; target != numLists; ++target) {
    for (const Size &size : getNumbers(step, operands, target))
      requireAtLeast(step, size, 0, cannotStage, "stage.operand",
                     "the number of an operand", isSure, /*silenceable=*/true);
    for (const Size &size : getNumbers(step, padding, target))
      requireAtLeast(step, size, 0, cannotStage, "stage.padding", "a padding",
                     isSure, /*silenceable=*/true);
    for (const Size &size : getNumbers(step, swizzle, target))
      requireChoice(step, size, isSure);
  }
  requireLayouts(step, targets, operands, padding, swizzle);
  std::optional<Replay> replay;
  if (count.hi != 0)
    replay = tryStep(step);
  applyClauses(step);
  // The buffers of a swizzle have an attribute until their accesses are made.
  bool maySwizzle = llvm::any_of(swizzle, [](const MixedNumber &choice) {
    const int64_t *given = std::get_if<int64_t>(&choice);
    return !given || *given != 0;
  });
  if (maySwizzle) {
    auto name = StringAttr::get(step.op->getContext(), "formwork.swizzled");
    step.payload.changeTags();
    step.payload.openTag(step.root, name,
                         [](const Node &node) { return true; });
    for (NodeId id : NodeList(step.lookup(step.op->getResult(1)).nodes))
      if (step.payload[id].exact)
        step.payload.edit(id).tags.makeOpen(name);
  }
  if (!replay)
    return;
  countTriedBytes(step, targets, *replay);
  // The trial has told how many targets there are.
  int64_t numStaged = replay->bytes.size() * operands.size();
  for (Value result : step.op->getResults())
    if (NodeList nodes = step.lookup(result).nodes; nodes.size() == 1)
      step.payload.edit(nodes.front()).count = Count::exactly(numStaged);
}

void formwork::verifier::registerStageModels(ModelRegistry &models) {
  models
      .add("stage", propagateStage,
           decides{"fw-bad-threads", "fw-cannot-stage", "fw-workgroup-memory"},
           getUntriedReasons())
      .derivesConstraints = true;
}
