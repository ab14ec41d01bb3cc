//===- Evaluator.cpp - Our own evaluation of terms --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Evaluator.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace formwork::verifier::solver;

Evaluator::Evaluator(const TermNode *root) {
  llvm::DenseMap<const TermNode *, unsigned> slotOf;
  for (const TermNode *node : collectNodes(root)) {
    unsigned slot = narrow.size();
    slotOf[node] = slot;
    TermKind kind = node->getKind();
    bool literal = kind == TermKind::Constant || kind == TermKind::Truth;
    narrow.push_back({literal ? node->getValue() : 0});
    wide.push_back({literal ? node->getValue() : 0});
    if (literal)
      continue;
    Step step{kind, slot, {slot, slot, slot}, 0};
    if (kind == TermKind::Variable) {
      step.variable = static_cast<VarId>(node->getValue());
      variables.push_back(step.variable);
    }
    for (auto [i, operand] : llvm::enumerate(node->getOperands()))
      step.operands[i] = slotOf.lookup(operand);
    steps.push_back(step);
  }
  llvm::sort(variables);
}

template <typename Int>
Computed<Int> Evaluator::run(std::vector<Computed<Int>> &slots,
                             llvm::ArrayRef<int64_t> values) {
  for (const Step &step : steps) {
    if (step.kind == TermKind::Variable) {
      slots[step.target] = {static_cast<Int>(values[step.variable])};
      continue;
    }
    slots[step.target] =
        applyOperation(step.kind, slots[step.operands[0]],
                       slots[step.operands[1]], slots[step.operands[2]]);
  }
  return slots.back();
}

Computed<Wide> Evaluator::evaluate(llvm::ArrayRef<int64_t> values) {
  Computed<int64_t> result = run(narrow, values);
  if (result.outcome != Outcome::Overflow)
    return {result.value, result.outcome};
  return run(wide, values);
}

TruthValue Evaluator::decide(llvm::ArrayRef<int64_t> values) {
  Computed<Wide> result = evaluate(values);
  switch (result.outcome) {
  case Outcome::Defined:
    return result.value != 0 ? TruthValue::True : TruthValue::False;
  case Outcome::Undefined:
    return TruthValue::Undefined;
  case Outcome::Overflow:
    return TruthValue::Overflow;
  }
  return TruthValue::Overflow;
}

/// The assignment as a table indexed by variable; none when one is missing.
static std::optional<std::vector<int64_t>>
tabulate(llvm::ArrayRef<VarId> variables, const Assignment &assignment) {
  std::vector<int64_t> table(variables.empty() ? 0 : variables.back() + 1);
  for (VarId var : variables) {
    std::optional<int64_t> value = assignment.get(var);
    if (!value)
      return std::nullopt;
    table[var] = *value;
  }
  return table;
}

TruthValue formwork::verifier::solver::decide(BoolTerm term,
                                              const Assignment &assignment) {
  Evaluator evaluator(term.getNode());
  auto table = tabulate(evaluator.getVariables(), assignment);
  return table ? evaluator.decide(*table) : TruthValue::Undefined;
}

std::optional<int64_t>
formwork::verifier::solver::evaluate(IntTerm term,
                                     const Assignment &assignment) {
  Evaluator evaluator(term.getNode());
  auto table = tabulate(evaluator.getVariables(), assignment);
  if (!table)
    return std::nullopt;
  Computed<Wide> result = evaluator.evaluate(*table);
  if (result.outcome != Outcome::Defined ||
      result.value < std::numeric_limits<int64_t>::min() ||
      result.value > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(result.value);
}
