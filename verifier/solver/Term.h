//===- Term.h - Hash-consed terms over knobs --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Terms over integer variables: what constraints and sizes are made of. Layer:
// verifier; knows llvm's containers only: no MLIR, no Z3, no domains.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_TERM_H
#define FORMWORK_VERIFIER_SOLVER_TERM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace formwork::verifier::solver {

/// A variable of a TermContext: an index, dense from 0.
using VarId = unsigned;

/// The integers that evaluation computes with.
using Wide = __int128;

enum class TermKind : uint8_t {
  // Integers.
  Constant,
  Variable,
  Add,
  Sub,
  Mul,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
  Select,
  // Booleans.
  Truth,
  Equal,
  Less,
  LessEqual,
  Divides,
  PowerOfTwo,
  And,
  Or,
  Not,
  Implies,
  Iff,
  Choose,
  Holds,
};

class TermContext;

/// One immutable node. Two structurally equal terms of one context are one
/// node.
class TermNode : public llvm::FoldingSetNode {
public:
  TermKind getKind() const { return kind; }
  llvm::ArrayRef<const TermNode *> getOperands() const { return operands; }
  const TermNode *getOperand(unsigned i) const { return operands[i]; }
  /// The constant, the variable, or the truth value.
  int64_t getValue() const { return value; }
  /// Creation order: operands come before what uses them.
  unsigned getNumber() const { return number; }
  /// Whether some value of the variables makes it divide by zero.
  bool mayBeUndefined() const { return undefinable; }
  bool isBoolean() const { return kind >= TermKind::Truth; }
  const TermContext &getContext() const { return *context; }

  void Profile(llvm::FoldingSetNodeID &id) const {
    profile(id, kind, value, operands);
  }
  static void profile(llvm::FoldingSetNodeID &id, TermKind kind, int64_t value,
                      llvm::ArrayRef<const TermNode *> operands);

private:
  friend class TermContext;
  TermNode(const TermContext &context, TermKind kind, int64_t value,
           llvm::ArrayRef<const TermNode *> operands, unsigned number,
           bool undefinable)
      : context(&context), operands(operands), value(value), number(number),
        kind(kind), undefinable(undefinable) {}

  const TermContext *context;
  llvm::ArrayRef<const TermNode *> operands;
  int64_t value;
  unsigned number;
  TermKind kind;
  bool undefinable;
};

/// An integer term. A value: copy it.
class IntTerm {
public:
  const TermNode *getNode() const { return node; }
  bool isConstant() const { return node->getKind() == TermKind::Constant; }
  bool isVariable() const { return node->getKind() == TermKind::Variable; }
  int64_t getConstant() const { return node->getValue(); }
  VarId getVariable() const { return static_cast<VarId>(node->getValue()); }
  bool operator==(const IntTerm &) const = default;

private:
  friend class TermContext;
  explicit IntTerm(const TermNode *node) : node(node) {}
  const TermNode *node;
};

/// A boolean term. It has a type of its own, so that no ill-sorted term can be
/// written down.
class BoolTerm {
public:
  const TermNode *getNode() const { return node; }
  bool isTrue() const {
    return node->getKind() == TermKind::Truth && node->getValue() != 0;
  }
  bool isFalse() const {
    return node->getKind() == TermKind::Truth && node->getValue() == 0;
  }
  bool operator==(const BoolTerm &) const = default;

private:
  friend class TermContext;
  explicit BoolTerm(const TermNode *node) : node(node) {}
  const TermNode *node;
};

// The context lays operand lists out as arrays of nodes.
static_assert(std::is_trivially_copyable_v<IntTerm> &&
              std::is_trivially_copyable_v<BoolTerm>);

/// Owns terms and builds them, folding what is constant.
///
/// Meaning. Integers are unbounded mathematical integers; constants are 64 bits
/// wide, and a fold whose result is not stays unfolded. With b != 0:
/// - floorDiv(a, b) = floor(a / b):  floorDiv(-7, 2) = -4, floorDiv(7, -2) =
/// -4;
/// - ceilDiv(a, b) = ceil(a / b):    ceilDiv(-7, 2) = -3,  ceilDiv(7, 2) = 4;
/// - mod(a, b) is Euclidean, 0 <= mod(a, b) < |b|:  mod(-7, 2) = mod(-7, -2)
/// = 1. With b = 0 the three are undefined, and so is every integer term and
/// every comparison with an undefined operand. Connectives follow Kleene:
/// `false and undefined` is false in either order, so that a guard works
/// wherever it stands. An undefined constraint does not hold. `holds(p)` is
/// true where p is defined and true, else false: `not holds(p)` is what refutes
/// p.
/// - divides(a, b): b = k * a for some integer k, so divides(0, 0) holds;
/// - powerOfTwo(a): a = 2^k for some k >= 0.
///
/// Laws: a fold changes neither the value nor the definedness of a term, at any
/// point. Cost: a hash look-up each. Not safe for use from several threads.
class TermContext {
public:
  TermContext() = default;
  TermContext(const TermContext &) = delete;
  TermContext &operator=(const TermContext &) = delete;

  IntTerm constant(int64_t value);
  /// The variable of that name, made on first use.
  IntTerm variable(llvm::StringRef name);
  llvm::StringRef getName(VarId var) const { return names[var]; }
  unsigned getNumVariables() const { return names.size(); }

  IntTerm add(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::Add, {a.node, b.node}));
  }
  IntTerm sub(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::Sub, {a.node, b.node}));
  }
  IntTerm mul(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::Mul, {a.node, b.node}));
  }
  IntTerm floorDiv(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::FloorDiv, {a.node, b.node}));
  }
  IntTerm ceilDiv(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::CeilDiv, {a.node, b.node}));
  }
  IntTerm mod(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::Mod, {a.node, b.node}));
  }
  IntTerm min(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::Min, {a.node, b.node}));
  }
  IntTerm max(IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::Max, {a.node, b.node}));
  }
  IntTerm negate(IntTerm a) { return sub(constant(0), a); }
  /// The product (1 when empty) or sum (0 when empty), from the left.
  IntTerm product(llvm::ArrayRef<IntTerm> terms);
  IntTerm sum(llvm::ArrayRef<IntTerm> terms);
  IntTerm select(BoolTerm condition, IntTerm a, IntTerm b) {
    return IntTerm(make(TermKind::Select, {condition.node, a.node, b.node}));
  }

  BoolTerm truth(bool value);
  BoolTerm equal(IntTerm a, IntTerm b) {
    return BoolTerm(make(TermKind::Equal, {a.node, b.node}));
  }
  BoolTerm notEqual(IntTerm a, IntTerm b) { return logicalNot(equal(a, b)); }
  BoolTerm less(IntTerm a, IntTerm b) {
    return BoolTerm(make(TermKind::Less, {a.node, b.node}));
  }
  BoolTerm lessEqual(IntTerm a, IntTerm b) {
    return BoolTerm(make(TermKind::LessEqual, {a.node, b.node}));
  }
  BoolTerm divides(IntTerm divisor, IntTerm value) {
    return BoolTerm(make(TermKind::Divides, {divisor.node, value.node}));
  }
  BoolTerm powerOfTwo(IntTerm a) {
    return BoolTerm(make(TermKind::PowerOfTwo, {a.node}));
  }
  BoolTerm logicalAnd(BoolTerm a, BoolTerm b) {
    return BoolTerm(make(TermKind::And, {a.node, b.node}));
  }
  BoolTerm logicalOr(BoolTerm a, BoolTerm b) {
    return BoolTerm(make(TermKind::Or, {a.node, b.node}));
  }
  BoolTerm logicalNot(BoolTerm a) {
    return BoolTerm(make(TermKind::Not, {a.node}));
  }
  BoolTerm implies(BoolTerm a, BoolTerm b) {
    return BoolTerm(make(TermKind::Implies, {a.node, b.node}));
  }
  BoolTerm iff(BoolTerm a, BoolTerm b) {
    return BoolTerm(make(TermKind::Iff, {a.node, b.node}));
  }
  BoolTerm choose(BoolTerm condition, BoolTerm a, BoolTerm b) {
    return BoolTerm(make(TermKind::Choose, {condition.node, a.node, b.node}));
  }
  BoolTerm allOf(llvm::ArrayRef<BoolTerm> terms);
  BoolTerm anyOf(llvm::ArrayRef<BoolTerm> terms);
  BoolTerm holds(BoolTerm a) {
    return BoolTerm(make(TermKind::Holds, {a.node}));
  }

  /// The term of that kind, which is no leaf, of operands of its sorts; or what
  /// it folds to.
  const TermNode *make(TermKind kind,
                       llvm::ArrayRef<const TermNode *> operands);
  /// The terms at nodes of this context that have that sort.
  IntTerm asInt(const TermNode *node) const;
  BoolTerm asBool(const TermNode *node) const;

private:
  const TermNode *get(TermKind kind, int64_t value,
                      llvm::ArrayRef<const TermNode *> operands);
  /// A simpler term that has the same value, and is defined at the same points;
  /// null where no law says of one.
  const TermNode *simplify(TermKind kind,
                           llvm::ArrayRef<const TermNode *> operands);

  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<TermNode> nodes;
  llvm::StringMap<VarId> variables;
  std::vector<std::string> names;
};

/// The nodes below and at `roots`, each once, operands first. Takes no stack.
llvm::SmallVector<const TermNode *>
collectNodes(llvm::ArrayRef<const TermNode *> roots);

/// The variables of the term, ascending.
llvm::SmallVector<VarId> collectVariables(const TermNode *root);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_TERM_H
