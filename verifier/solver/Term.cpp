//===- Term.cpp - Building and folding terms --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Term.h"

#include "engine/Check.h"
#include "verifier/solver/Arithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace formwork::verifier::solver;

void TermNode::profile(llvm::FoldingSetNodeID &id, TermKind kind, int64_t value,
                       llvm::ArrayRef<const TermNode *> operands) {
  id.AddInteger(static_cast<unsigned>(kind));
  id.AddInteger(value);
  for (const TermNode *operand : operands)
    id.AddPointer(operand);
}

/// Whether the operation itself can divide by zero.
static bool dividesByZero(TermKind kind,
                          llvm::ArrayRef<const TermNode *> operands) {
  if (kind != TermKind::FloorDiv && kind != TermKind::CeilDiv &&
      kind != TermKind::Mod)
    return false;
  const TermNode *divisor = operands[1];
  return divisor->getKind() != TermKind::Constant || divisor->getValue() == 0;
}

const TermNode *TermContext::get(TermKind kind, int64_t value,
                                 llvm::ArrayRef<const TermNode *> operands) {
  llvm::FoldingSetNodeID id;
  TermNode::profile(id, kind, value, operands);
  void *position = nullptr;
  if (TermNode *known = nodes.FindNodeOrInsertPos(id, position))
    return known;
  bool undefinable = dividesByZero(kind, operands);
  for (const TermNode *operand : operands) {
    FW_CHECK(&operand->getContext() == this, "operand of another context");
    undefinable |= operand->mayBeUndefined();
  }
  if (kind == TermKind::Holds)
    undefinable = false;
  auto *node = new (allocator) TermNode(
      *this, kind, value, operands.copy(allocator), nodes.size(), undefinable);
  nodes.InsertNode(node, position);
  return node;
}

static bool isLiteral(const TermNode *node) {
  return node->getKind() == TermKind::Constant ||
         node->getKind() == TermKind::Truth;
}

/// `number` as a constant, or as a truth value.
static bool isLiteral(const TermNode *node, int64_t number) {
  return isLiteral(node) && node->getValue() == number;
}

/// Whether nothing is lost when the term disappears.
static bool isTotal(const TermNode *node) { return !node->mayBeUndefined(); }

const TermNode *
TermContext::simplify(TermKind kind,
                      llvm::ArrayRef<const TermNode *> operands) {
  const TermNode *a = operands[0];
  const TermNode *b = operands.size() > 1 ? operands[1] : nullptr;
  bool areSame = a == b && isTotal(a);
  auto truthIf = [&](bool applies, bool value = true) {
    return applies ? truth(value).node : nullptr;
  };
  switch (kind) {
  case TermKind::Add:
    if (isLiteral(a, 0))
      return b;
    return isLiteral(b, 0) ? a : nullptr;
  case TermKind::Sub:
    if (isLiteral(b, 0))
      return a;
    return areSame ? constant(0).node : nullptr;
  case TermKind::Mul:
    if (isLiteral(a, 1))
      return b;
    if (isLiteral(b, 1))
      return a;
    return (isLiteral(a, 0) && isTotal(b)) || (isLiteral(b, 0) && isTotal(a))
               ? constant(0).node
               : nullptr;
  case TermKind::FloorDiv:
  case TermKind::CeilDiv:
    return isLiteral(b, 1) ? a : nullptr;
  case TermKind::Mod:
    return (isLiteral(b, 1) || isLiteral(b, -1)) && isTotal(a)
               ? constant(0).node
               : nullptr;
  case TermKind::Min:
  case TermKind::Max:
    return a == b ? a : nullptr;
  case TermKind::Select:
  case TermKind::Choose:
    if (isLiteral(a))
      return operands[a->getValue() != 0 ? 1 : 2];
    return b == operands[2] && isTotal(a) ? b : nullptr;
  case TermKind::Equal:
  case TermKind::LessEqual:
    return truthIf(areSame);
  case TermKind::Less:
    return truthIf(areSame, false);
  case TermKind::Divides:
    return truthIf(
        (isLiteral(a, 1) || isLiteral(a, -1) || isLiteral(b, 0) || a == b) &&
        isTotal(a) && isTotal(b));
  case TermKind::And:
    if (isLiteral(a, false) || isLiteral(b, true) || a == b)
      return a;
    return isLiteral(b, false) || isLiteral(a, true) ? b : nullptr;
  case TermKind::Or:
    if (isLiteral(a, true) || isLiteral(b, false) || a == b)
      return a;
    return isLiteral(b, true) || isLiteral(a, false) ? b : nullptr;
  case TermKind::Not:
    return a->getKind() == TermKind::Not ? a->getOperand(0) : nullptr;
  case TermKind::Implies:
    if (isLiteral(a, true) || isLiteral(b, true))
      return b;
    if (isLiteral(b, false))
      return make(TermKind::Not, {a});
    return truthIf(isLiteral(a, false) || areSame);
  case TermKind::Iff:
    if (isLiteral(a, true))
      return b;
    return isLiteral(b, true) ? a : truthIf(areSame);
  case TermKind::Holds:
    return isTotal(a) ? a : nullptr;
  default:
    return nullptr;
  }
}

const TermNode *TermContext::make(TermKind kind,
                                  llvm::ArrayRef<const TermNode *> operands) {
  if (const TermNode *simple = simplify(kind, operands))
    return simple;
  if (llvm::all_of(operands, [](const TermNode *operand) {
        return isLiteral(operand);
      })) {
    Computed<Wide> values[3];
    for (auto [i, operand] : llvm::enumerate(operands))
      values[i].value = operand->getValue();
    Computed<Wide> folded =
        applyOperation(kind, values[0], values[1], values[2]);
    bool fits = folded.value >= std::numeric_limits<int64_t>::min() &&
                folded.value <= std::numeric_limits<int64_t>::max();
    if (folded.outcome == Outcome::Defined && fits)
      return get(kind >= TermKind::Truth ? TermKind::Truth : TermKind::Constant,
                 static_cast<int64_t>(folded.value), {});
  }
  return get(kind, 0, operands);
}

IntTerm TermContext::constant(int64_t value) {
  return IntTerm(get(TermKind::Constant, value, {}));
}

IntTerm TermContext::variable(llvm::StringRef name) {
  auto [it, isNew] = variables.try_emplace(name, names.size());
  if (isNew)
    names.push_back(name.str());
  return IntTerm(get(TermKind::Variable, it->second, {}));
}

BoolTerm TermContext::truth(bool value) {
  return BoolTerm(get(TermKind::Truth, value, {}));
}

IntTerm TermContext::asInt(const TermNode *node) const {
  FW_CHECK(!node->isBoolean(), "a boolean is not an integer");
  return IntTerm(node);
}

BoolTerm TermContext::asBool(const TermNode *node) const {
  FW_CHECK(node->isBoolean(), "an integer is not a boolean");
  return BoolTerm(node);
}

IntTerm TermContext::product(llvm::ArrayRef<IntTerm> terms) {
  IntTerm result = constant(1);
  for (IntTerm term : terms)
    result = mul(result, term);
  return result;
}

IntTerm TermContext::sum(llvm::ArrayRef<IntTerm> terms) {
  IntTerm result = constant(0);
  for (IntTerm term : terms)
    result = add(result, term);
  return result;
}

BoolTerm TermContext::allOf(llvm::ArrayRef<BoolTerm> terms) {
  BoolTerm result = truth(true);
  for (BoolTerm term : terms)
    result = logicalAnd(result, term);
  return result;
}

BoolTerm TermContext::anyOf(llvm::ArrayRef<BoolTerm> terms) {
  BoolTerm result = truth(false);
  for (BoolTerm term : terms)
    result = logicalOr(result, term);
  return result;
}

llvm::SmallVector<const TermNode *> formwork::verifier::solver::collectNodes(
    llvm::ArrayRef<const TermNode *> roots) {
  llvm::SmallPtrSet<const TermNode *, 32> seen;
  llvm::SmallVector<const TermNode *> found;
  for (const TermNode *root : roots)
    if (seen.insert(root).second)
      found.push_back(root);
  for (size_t next = 0; next < found.size(); ++next)
    for (const TermNode *operand : found[next]->getOperands())
      if (seen.insert(operand).second)
        found.push_back(operand);
  llvm::sort(found, [](const TermNode *a, const TermNode *b) {
    return a->getNumber() < b->getNumber();
  });
  return found;
}

llvm::SmallVector<VarId>
formwork::verifier::solver::collectVariables(const TermNode *root) {
  llvm::SmallVector<VarId> variables;
  for (const TermNode *node : collectNodes(root))
    if (node->getKind() == TermKind::Variable)
      variables.push_back(static_cast<VarId>(node->getValue()));
  llvm::sort(variables);
  return variables;
}
