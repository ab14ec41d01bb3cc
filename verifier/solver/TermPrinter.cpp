//===- TermPrinter.cpp - Terms as a reader writes them ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/TermPrinter.h"

using namespace formwork::verifier::solver;

namespace {
/// How tightly an operator binds; a larger one binds tighter.
enum Binding {
  Loosest,
  Arrow,
  Disjunction,
  Conjunction,
  Negation,
  Comparison,
  Sum,
  Factor,
  Atom
};

struct Operator {
  llvm::StringRef spelling;
  Binding binding;
};

class Printer {
public:
  std::string print(const TermNode *root) {
    print(root, Loosest, 0);
    return text;
  }

private:
  static constexpr size_t MaxLength = 1000;
  static constexpr unsigned MaxNesting = 64;

  void print(const TermNode *node, Binding outer, unsigned nesting);
  void printCall(llvm::StringRef name, const TermNode *node, unsigned nesting);
  void printConditional(const TermNode *node, Binding outer, unsigned nesting);

  std::string text;
};
} // namespace

static Operator getOperator(TermKind kind) {
  switch (kind) {
  case TermKind::Add:
    return {"+", Sum};
  case TermKind::Sub:
    return {"-", Sum};
  case TermKind::Mul:
    return {"*", Factor};
  case TermKind::FloorDiv:
    return {"floordiv", Factor};
  case TermKind::CeilDiv:
    return {"ceildiv", Factor};
  case TermKind::Mod:
    return {"mod", Factor};
  case TermKind::Equal:
    return {"=", Comparison};
  case TermKind::Less:
    return {"<", Comparison};
  case TermKind::LessEqual:
    return {"<=", Comparison};
  case TermKind::Divides:
    return {"divides", Comparison};
  case TermKind::And:
    return {"and", Conjunction};
  case TermKind::Or:
    return {"or", Disjunction};
  case TermKind::Implies:
    return {"implies", Arrow};
  case TermKind::Iff:
    return {"iff", Arrow};
  default:
    return {"", Atom};
  }
}

void Printer::printCall(llvm::StringRef name, const TermNode *node,
                        unsigned nesting) {
  text += name;
  text += '(';
  for (auto [i, operand] : llvm::enumerate(node->getOperands())) {
    if (i != 0)
      text += ", ";
    print(operand, Loosest, nesting);
  }
  text += ')';
}

void Printer::printConditional(const TermNode *node, Binding outer,
                               unsigned nesting) {
  if (outer != Loosest)
    text += '(';
  text += "if ";
  print(node->getOperand(0), Loosest, nesting);
  text += " then ";
  print(node->getOperand(1), Loosest, nesting);
  text += " else ";
  print(node->getOperand(2), Loosest, nesting);
  if (outer != Loosest)
    text += ')';
}

void Printer::print(const TermNode *node, Binding outer, unsigned nesting) {
  if (text.size() > MaxLength || nesting > MaxNesting) {
    text += "...";
    return;
  }
  switch (node->getKind()) {
  case TermKind::Constant:
    text += std::to_string(node->getValue());
    return;
  case TermKind::Truth:
    text += node->getValue() != 0 ? "true" : "false";
    return;
  case TermKind::Variable:
    text += node->getContext().getName(static_cast<VarId>(node->getValue()));
    return;
  case TermKind::Min:
    return printCall("min", node, nesting + 1);
  case TermKind::Max:
    return printCall("max", node, nesting + 1);
  case TermKind::PowerOfTwo:
    return printCall("power_of_two", node, nesting + 1);
  case TermKind::Holds:
    return printCall("holds", node, nesting + 1);
  case TermKind::Select:
  case TermKind::Choose:
    return printConditional(node, outer, nesting + 1);
  case TermKind::Not: {
    const TermNode *inner = node->getOperand(0);
    if (inner->getKind() == TermKind::Equal) {
      if (outer >= Comparison)
        text += '(';
      print(inner->getOperand(0), Sum, nesting + 1);
      text += " != ";
      print(inner->getOperand(1), Sum, nesting + 1);
      if (outer >= Comparison)
        text += ')';
      return;
    }
    if (outer > Negation)
      text += '(';
    text += "not ";
    print(inner, Comparison, nesting + 1);
    if (outer > Negation)
      text += ')';
    return;
  }
  default:
    break;
  }

  auto [spelling, binding] = getOperator(node->getKind());
  // Comparisons and arrows do not chain; the others associate to the left.
  bool chains = binding != Comparison && binding != Arrow;
  bool parenthesized = outer > binding || (outer == binding && !chains);
  if (parenthesized)
    text += '(';
  print(node->getOperand(0), binding, nesting + 1);
  text += ' ';
  text += spelling;
  text += ' ';
  print(node->getOperand(1), static_cast<Binding>(binding + 1), nesting + 1);
  if (parenthesized)
    text += ')';
}

std::string formwork::verifier::solver::toInfix(IntTerm term) {
  return Printer().print(term.getNode());
}

std::string formwork::verifier::solver::toInfix(BoolTerm term) {
  return Printer().print(term.getNode());
}
