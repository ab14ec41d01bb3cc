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

const TermNode *TermContext::build(TermKind kind,
                                   llvm::ArrayRef<const TermNode *> operands) {
  if (llvm::all_of(operands, isLiteral)) {
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

static bool isConstant(IntTerm term, int64_t value) {
  return term.isConstant() && term.getConstant() == value;
}

/// Whether nothing is lost when the term disappears.
static bool isTotal(IntTerm term) { return !term.getNode()->mayBeUndefined(); }
static bool isTotal(BoolTerm term) { return !term.getNode()->mayBeUndefined(); }

IntTerm TermContext::add(IntTerm a, IntTerm b) {
  if (isConstant(a, 0))
    return b;
  if (isConstant(b, 0))
    return a;
  return IntTerm(build(TermKind::Add, {a.node, b.node}));
}

IntTerm TermContext::sub(IntTerm a, IntTerm b) {
  if (isConstant(b, 0))
    return a;
  if (a == b && isTotal(a))
    return constant(0);
  return IntTerm(build(TermKind::Sub, {a.node, b.node}));
}

IntTerm TermContext::mul(IntTerm a, IntTerm b) {
  if (isConstant(a, 1))
    return b;
  if (isConstant(b, 1))
    return a;
  if ((isConstant(a, 0) && isTotal(b)) || (isConstant(b, 0) && isTotal(a)))
    return constant(0);
  return IntTerm(build(TermKind::Mul, {a.node, b.node}));
}

IntTerm TermContext::floorDiv(IntTerm a, IntTerm b) {
  if (isConstant(b, 1))
    return a;
  return IntTerm(build(TermKind::FloorDiv, {a.node, b.node}));
}

IntTerm TermContext::ceilDiv(IntTerm a, IntTerm b) {
  if (isConstant(b, 1))
    return a;
  return IntTerm(build(TermKind::CeilDiv, {a.node, b.node}));
}

IntTerm TermContext::mod(IntTerm a, IntTerm b) {
  if ((isConstant(b, 1) || isConstant(b, -1)) && isTotal(a))
    return constant(0);
  return IntTerm(build(TermKind::Mod, {a.node, b.node}));
}

IntTerm TermContext::min(IntTerm a, IntTerm b) {
  return a == b ? a : IntTerm(build(TermKind::Min, {a.node, b.node}));
}

IntTerm TermContext::max(IntTerm a, IntTerm b) {
  return a == b ? a : IntTerm(build(TermKind::Max, {a.node, b.node}));
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

IntTerm TermContext::select(BoolTerm condition, IntTerm a, IntTerm b) {
  if (condition.isTrue())
    return a;
  if (condition.isFalse())
    return b;
  if (a == b && isTotal(condition))
    return a;
  return IntTerm(build(TermKind::Select, {condition.node, a.node, b.node}));
}

BoolTerm TermContext::equal(IntTerm a, IntTerm b) {
  if (a == b && isTotal(a))
    return truth(true);
  return BoolTerm(build(TermKind::Equal, {a.node, b.node}));
}

BoolTerm TermContext::less(IntTerm a, IntTerm b) {
  if (a == b && isTotal(a))
    return truth(false);
  return BoolTerm(build(TermKind::Less, {a.node, b.node}));
}

BoolTerm TermContext::lessEqual(IntTerm a, IntTerm b) {
  if (a == b && isTotal(a))
    return truth(true);
  return BoolTerm(build(TermKind::LessEqual, {a.node, b.node}));
}

BoolTerm TermContext::divides(IntTerm divisor, IntTerm value) {
  bool always = isConstant(divisor, 1) || isConstant(divisor, -1) ||
                isConstant(value, 0) || divisor == value;
  if (always && isTotal(divisor) && isTotal(value))
    return truth(true);
  return BoolTerm(build(TermKind::Divides, {divisor.node, value.node}));
}

BoolTerm TermContext::powerOfTwo(IntTerm a) {
  return BoolTerm(build(TermKind::PowerOfTwo, {a.node}));
}

BoolTerm TermContext::logicalAnd(BoolTerm a, BoolTerm b) {
  if (a.isFalse() || b.isTrue() || a == b)
    return a;
  if (b.isFalse() || a.isTrue())
    return b;
  return BoolTerm(build(TermKind::And, {a.node, b.node}));
}

BoolTerm TermContext::logicalOr(BoolTerm a, BoolTerm b) {
  if (a.isTrue() || b.isFalse() || a == b)
    return a;
  if (b.isTrue() || a.isFalse())
    return b;
  return BoolTerm(build(TermKind::Or, {a.node, b.node}));
}

BoolTerm TermContext::logicalNot(BoolTerm a) {
  if (a.node->getKind() == TermKind::Not)
    return BoolTerm(a.node->getOperand(0));
  return BoolTerm(build(TermKind::Not, {a.node}));
}

BoolTerm TermContext::implies(BoolTerm a, BoolTerm b) {
  if (a.isTrue() || b.isTrue())
    return b;
  if (a.isFalse() || (a == b && isTotal(a)))
    return truth(true);
  if (b.isFalse())
    return logicalNot(a);
  return BoolTerm(build(TermKind::Implies, {a.node, b.node}));
}

BoolTerm TermContext::iff(BoolTerm a, BoolTerm b) {
  if (a.isTrue())
    return b;
  if (b.isTrue())
    return a;
  if (a == b && isTotal(a))
    return truth(true);
  return BoolTerm(build(TermKind::Iff, {a.node, b.node}));
}

BoolTerm TermContext::choose(BoolTerm condition, BoolTerm a, BoolTerm b) {
  if (condition.isTrue())
    return a;
  if (condition.isFalse())
    return b;
  if (a == b && isTotal(condition))
    return a;
  return BoolTerm(build(TermKind::Choose, {condition.node, a.node, b.node}));
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

BoolTerm TermContext::holds(BoolTerm a) {
  return isTotal(a) ? a : BoolTerm(build(TermKind::Holds, {a.node}));
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
