//===- Lowering.cpp - From terms to SMT formulas ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Lowering.h"

#include "engine/Check.h"
#include "verifier/solver/Components.h"
#include "verifier/solver/Evaluator.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace formwork::verifier::solver;

/// How many points are evaluated to find the values of a subterm, and how many
/// values still count as few.
static constexpr uint64_t MaxPoints = 512;
static constexpr size_t MaxValues = 64;

const std::vector<int64_t> &Lowering::getFewValues(const TermNode *node) {
  auto [it, isNew] = fewValues.try_emplace(node);
  if (!isNew || node->mayBeUndefined())
    return it->second;

  Component support;
  support.variables = collectVariables(node);
  uint64_t points = countPoints(problem, support);
  if (points == 0 || points > MaxPoints)
    return it->second;
  Evaluator evaluator(node);
  std::vector<int64_t> table(problem.getContext().getNumVariables());
  std::set<int64_t> values;
  for (uint64_t point = 0; point < points; ++point) {
    uint64_t rest = point;
    for (VarId var : support.variables) {
      const Domain &domain = problem.getVariable(var).domain;
      table[var] = domain.at(rest % domain.size());
      rest /= domain.size();
    }
    Computed<Wide> computed = evaluator.evaluate(table);
    if (computed.outcome != Outcome::Defined ||
        computed.value > Domain::Limit || computed.value < -Domain::Limit)
      return it->second;
    values.insert(static_cast<int64_t>(computed.value));
    if (values.size() > MaxValues)
      return it->second;
  }
  it->second.assign(values.begin(), values.end());
  return it->second;
}

static bool isDivision(TermKind kind) {
  return kind == TermKind::FloorDiv || kind == TermKind::CeilDiv ||
         kind == TermKind::Mod;
}

const TermNode *Lowering::spellOut(const TermNode *node,
                                   llvm::ArrayRef<const TermNode *> operands) {
  TermContext &context = problem.getContext();
  TermKind kind = node->getKind();
  bool product = kind == TermKind::Mul;
  bool isQuotient = isDivision(kind);
  if ((!product && !isQuotient && kind != TermKind::Divides) ||
      llvm::any_of(operands, [&](const TermNode *operand) {
        return product && operand->getKind() == TermKind::Constant;
      }))
    return context.make(kind, operands);

  // The operand to spell out: the divisor, or the factor with fewer values.
  unsigned which = isQuotient ? 1 : 0;
  if (product) {
    size_t first = getFewValues(node->getOperand(0)).size();
    size_t second = getFewValues(node->getOperand(1)).size();
    which = first == 0 || (second != 0 && second < first) ? 1 : 0;
  }
  std::vector<int64_t> values = getFewValues(node->getOperand(which));
  if (values.empty() || operands[which]->getKind() == TermKind::Constant)
    return context.make(kind, operands);

  llvm::SmallVector<const TermNode *> replaced(operands);
  auto apply = [&](int64_t value) {
    replaced[which] = context.constant(value).getNode();
    return context.make(kind, replaced);
  };
  const TermNode *result = apply(values.back());
  for (int64_t value : llvm::reverse(llvm::ArrayRef(values).drop_back())) {
    BoolTerm condition =
        context.equal(context.asInt(operands[which]), context.constant(value));
    const TermNode *taken = apply(value);
    result = node->isBoolean() ? context
                                     .choose(condition, context.asBool(taken),
                                             context.asBool(result))
                                     .getNode()
                               : context
                                     .select(condition, context.asInt(taken),
                                             context.asInt(result))
                                     .getNode();
  }
  return result;
}

const TermNode *Lowering::linearize(const TermNode *root) {
  for (const TermNode *node : collectNodes(root)) {
    if (linear.contains(node))
      continue;
    if (node->getOperands().empty()) {
      linear[node] = node;
      continue;
    }
    llvm::SmallVector<const TermNode *> operands;
    for (const TermNode *operand : node->getOperands())
      operands.push_back(linear.lookup(operand));
    const TermNode *result = spellOut(node, operands);
    linear[node] = result;
  }
  return linear.lookup(root);
}

bool Lowering::isPositive(const TermNode *node) const {
  switch (node->getKind()) {
  case TermKind::Constant:
    return node->getValue() > 0;
  case TermKind::Variable: {
    const Domain &domain =
        problem.getVariable(static_cast<VarId>(node->getValue())).domain;
    return !domain.empty() && domain.min() > 0;
  }
  default:
    return false;
  }
}

std::optional<FormulaBuilder::Ref> Lowering::conjoin(std::optional<Ref> a,
                                                     std::optional<Ref> b) {
  if (!a || !b)
    return a ? a : b;
  return builder.apply(FormulaOp::And, {*a, *b});
}

Lowering::Lowered Lowering::lowerConnective(TermKind kind, Lowered a,
                                            Lowered b) {
  if (kind == TermKind::Implies)
    a.value = negate(a.value);
  bool conjunction = kind == TermKind::And;
  Ref value = builder.apply(conjunction ? FormulaOp::And : FormulaOp::Or,
                            {a.value, b.value});
  if (!a.defined && !b.defined)
    return {value, std::nullopt};
  // Defined when both are, or when one decides by itself.
  auto decides = [&](Lowered side) {
    Ref decisive = conjunction ? negate(side.value) : side.value;
    return *conjoin(side.defined, decisive);
  };
  Ref both = *conjoin(a.defined, b.defined);
  return {value, builder.apply(FormulaOp::Or, {both, decides(a), decides(b)})};
}

Lowering::Lowered Lowering::lowerConditional(Lowered condition, Lowered a,
                                             Lowered b) {
  Ref value =
      builder.apply(FormulaOp::Ite, {condition.value, a.value, b.value});
  std::optional<Ref> defined;
  if (a.defined || b.defined)
    defined = builder.apply(FormulaOp::Ite,
                            {condition.value,
                             a.defined ? *a.defined : builder.truth(true),
                             b.defined ? *b.defined : builder.truth(true)});
  return {value, conjoin(condition.defined, defined)};
}

FormulaBuilder::Ref Lowering::lowerPowerOfTwo(const TermNode *operand,
                                              Ref value) {
  // Beyond these our own evaluation has no value either.
  constexpr Wide largest = static_cast<Wide>(1) << 126;
  Wide hi = largest;
  if (operand->getKind() == TermKind::Variable) {
    const Domain &domain =
        problem.getVariable(static_cast<VarId>(operand->getValue())).domain;
    hi = domain.empty() ? 0 : domain.max();
  }
  llvm::SmallVector<Ref> cases{builder.truth(false)};
  for (Wide power = 1; power <= hi; power *= 2) {
    cases.push_back(
        builder.apply(FormulaOp::Equal, {value, builder.literal(power)}));
    if (power == largest)
      break;
  }
  return builder.apply(FormulaOp::Or, cases);
}

FormulaBuilder::Ref Lowering::lowerArithmetic(const TermNode *node, Ref a,
                                              Ref b) {
  auto apply = [&](FormulaOp op, llvm::ArrayRef<Ref> operands) {
    return builder.apply(op, operands);
  };
  auto minus = [&](Ref operand) {
    return apply(FormulaOp::Sub, {builder.literal(0), operand});
  };
  switch (node->getKind()) {
  case TermKind::Add:
    return apply(FormulaOp::Add, {a, b});
  case TermKind::Sub:
    return apply(FormulaOp::Sub, {a, b});
  case TermKind::Mul:
    return apply(FormulaOp::Mul, {a, b});
  case TermKind::Mod:
    return apply(FormulaOp::Mod, {a, b});
  case TermKind::FloorDiv:
  case TermKind::CeilDiv: {
    // For a positive divisor, Euclidean division rounds down: a floordiv b is
    // (-a) floordiv (-b), and a ceildiv b is -((-a) floordiv b).
    bool floor = node->getKind() == TermKind::FloorDiv;
    auto divide = [&](Ref dividend, Ref positiveDivisor) {
      if (floor)
        return apply(FormulaOp::Div, {dividend, positiveDivisor});
      return minus(apply(FormulaOp::Div, {minus(dividend), positiveDivisor}));
    };
    if (isPositive(node->getOperand(1)))
      return divide(a, b);
    return apply(FormulaOp::Ite,
                 {apply(FormulaOp::Less, {builder.literal(0), b}), divide(a, b),
                  divide(minus(a), minus(b))});
  }
  case TermKind::Min:
    return apply(FormulaOp::Ite, {apply(FormulaOp::LessEqual, {a, b}), a, b});
  case TermKind::Max:
    return apply(FormulaOp::Ite, {apply(FormulaOp::LessEqual, {a, b}), b, a});
  case TermKind::Equal:
  case TermKind::Iff:
    return apply(FormulaOp::Equal, {a, b});
  case TermKind::Less:
    return apply(FormulaOp::Less, {a, b});
  case TermKind::LessEqual:
    return apply(FormulaOp::LessEqual, {a, b});
  case TermKind::Divides: {
    Ref zero = builder.literal(0);
    Ref divided =
        apply(FormulaOp::Equal, {apply(FormulaOp::Mod, {b, a}), zero});
    if (isPositive(node->getOperand(0)))
      return divided;
    return apply(FormulaOp::Ite, {apply(FormulaOp::Equal, {a, zero}),
                                  apply(FormulaOp::Equal, {b, zero}), divided});
  }
  default:
    FW_CHECK(false, "not a binary operation");
    return a;
  }
}

Lowering::Lowered Lowering::lower(const TermNode *node) {
  llvm::SmallVector<Lowered, 3> operands;
  for (const TermNode *operand : node->getOperands())
    operands.push_back(lowered.lookup(operand));
  switch (node->getKind()) {
  case TermKind::Constant:
    return {builder.literal(node->getValue()), std::nullopt};
  case TermKind::Truth:
    return {builder.truth(node->getValue() != 0), std::nullopt};
  case TermKind::Variable:
    return {builder.variable(static_cast<VarId>(node->getValue())),
            std::nullopt};
  case TermKind::And:
  case TermKind::Or:
  case TermKind::Implies:
    return lowerConnective(node->getKind(), operands[0], operands[1]);
  case TermKind::Not:
    return {negate(operands[0].value), operands[0].defined};
  case TermKind::Select:
  case TermKind::Choose:
    return lowerConditional(operands[0], operands[1], operands[2]);
  case TermKind::Holds:
    return {*conjoin(operands[0].defined, operands[0].value), std::nullopt};
  case TermKind::PowerOfTwo:
    return {lowerPowerOfTwo(node->getOperand(0), operands[0].value),
            operands[0].defined};
  default:
    break;
  }
  std::optional<Ref> defined =
      conjoin(operands[0].defined, operands[1].defined);
  if (isDivision(node->getKind()) && !isPositive(node->getOperand(1)))
    defined =
        conjoin(defined,
                negate(builder.apply(FormulaOp::Equal,
                                     {operands[1].value, builder.literal(0)})));
  return {lowerArithmetic(node, operands[0].value, operands[1].value), defined};
}

FormulaBuilder::Ref Lowering::lowerHolds(BoolTerm term) {
  const TermNode *root = linearize(term.getNode());
  for (const TermNode *node : collectNodes(root))
    if (!lowered.contains(node)) {
      Lowered result = lower(node);
      lowered.try_emplace(node, result);
    }
  Lowered result = lowered.lookup(root);
  return *conjoin(result.defined, result.value);
}

FormulaBuilder::Ref Lowering::lowerDomain(VarId var) {
  const Domain &domain = problem.getVariable(var).domain;
  Ref variable = builder.variable(var);
  if (domain.empty())
    return builder.truth(false);
  if (!domain.isProgression()) {
    llvm::SmallVector<Ref> cases;
    for (uint64_t i = 0; i < domain.size(); ++i)
      cases.push_back(builder.apply(FormulaOp::Equal,
                                    {variable, builder.literal(domain.at(i))}));
    return builder.apply(FormulaOp::Or, cases);
  }
  Ref first = builder.literal(domain.min());
  llvm::SmallVector<Ref> parts{
      builder.apply(FormulaOp::LessEqual, {first, variable}),
      builder.apply(FormulaOp::LessEqual,
                    {variable, builder.literal(domain.max())})};
  if (domain.getStep() > 1) {
    Ref offset = builder.apply(FormulaOp::Sub, {variable, first});
    Ref rest = builder.apply(FormulaOp::Mod,
                             {offset, builder.literal(domain.getStep())});
    parts.push_back(
        builder.apply(FormulaOp::Equal, {rest, builder.literal(0)}));
  }
  return builder.apply(FormulaOp::And, parts);
}
