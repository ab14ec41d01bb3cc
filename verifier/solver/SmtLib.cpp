//===- SmtLib.cpp - Queries as SMT-LIB text ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/SmtLib.h"

#include "verifier/solver/Lowering.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace formwork::verifier::solver;

/// A quoted symbol, which may hold anything but '|' and '\'.
static std::string quote(llvm::StringRef name) {
  std::string text = "|";
  for (char c : name)
    text += c == '|' || c == '\\' || !llvm::isPrint(c) ? '_' : c;
  return text + "|";
}

/// The symbol of a variable. Names that quoting had to change could meet.
static std::string getSymbol(const Problem &problem, VarId var) {
  llvm::StringRef name = problem.getName(var);
  std::string symbol = quote(name);
  if (llvm::StringRef(symbol).drop_front().drop_back() == name)
    return symbol;
  return quote((name + " #" + std::to_string(var)).str());
}

static std::string toDecimal(Wide value) {
  // Every literal of a lowering is at least -2^63 and at most 2^126.
  bool negative = value < 0;
  unsigned __int128 rest = negative ? -value : value;
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  std::string text(digits.rbegin(), digits.rend());
  return negative ? "(- " + text + ")" : text;
}

namespace {
/// Builds formulas as text. A long one gets a name of its own, so that the text
/// does not repeat what the terms share.
class TextBuilder : public FormulaBuilder {
public:
  TextBuilder(const Problem &problem, llvm::raw_ostream &os)
      : problem(problem), os(os) {}

  Ref literal(Wide value) override {
    return add({toDecimal(value), /*isBoolean=*/false});
  }
  Ref truth(bool value) override {
    return add({value ? "true" : "false", /*isBoolean=*/true});
  }
  Ref variable(VarId var) override {
    return add({getSymbol(problem, var), /*isBoolean=*/false});
  }
  Ref apply(FormulaOp op, llvm::ArrayRef<Ref> operands) override;

  llvm::StringRef getText(Ref ref) const { return formulas[ref].text; }

private:
  struct Formula {
    std::string text;
    bool isBoolean;
  };
  static constexpr size_t MaxLength = 120;

  Ref add(Formula formula) {
    formulas.push_back(std::move(formula));
    return formulas.size() - 1;
  }

  const Problem &problem;
  llvm::raw_ostream &os;
  std::vector<Formula> formulas;
  unsigned numNames = 0;
};
} // namespace

static llvm::StringRef getSpelling(FormulaOp op) {
  switch (op) {
  case FormulaOp::Add:
    return "+";
  case FormulaOp::Sub:
    return "-";
  case FormulaOp::Mul:
    return "*";
  case FormulaOp::Div:
    return "div";
  case FormulaOp::Mod:
    return "mod";
  case FormulaOp::Equal:
    return "=";
  case FormulaOp::Less:
    return "<";
  case FormulaOp::LessEqual:
    return "<=";
  case FormulaOp::And:
    return "and";
  case FormulaOp::Or:
    return "or";
  case FormulaOp::Not:
    return "not";
  case FormulaOp::Ite:
    return "ite";
  }
  return "";
}

static bool yieldsBoolean(FormulaOp op) {
  return op >= FormulaOp::Equal && op <= FormulaOp::Not;
}

FormulaBuilder::Ref TextBuilder::apply(FormulaOp op,
                                       llvm::ArrayRef<Ref> operands) {
  Formula formula{"(" + getSpelling(op).str(),
                  op == FormulaOp::Ite ? formulas[operands[1]].isBoolean
                                       : yieldsBoolean(op)};
  for (Ref operand : operands)
    formula.text += " " + formulas[operand].text;
  formula.text += ")";
  if (formula.text.size() > MaxLength) {
    std::string name = "|.part " + std::to_string(numNames++) + "|";
    os << "(define-fun " << name << " () "
       << (formula.isBoolean ? "Bool " : "Int ") << formula.text << ")\n";
    formula.text = name;
  }
  return add(std::move(formula));
}

/// One line of comment for each line of text.
static void printComment(llvm::raw_ostream &os, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    os << "; " << line << "\n";
}

std::string formwork::verifier::solver::toSmtLib(const Problem &problem,
                                                 llvm::StringRef queryName) {
  std::string script;
  llvm::raw_string_ostream os(script);
  printComment(os, queryName);
  os << "(set-logic QF_NIA)\n";
  for (const Variable &variable : problem.getVariables())
    os << "(declare-const " << getSymbol(problem, variable.id) << " Int)\n";

  TextBuilder builder(problem, os);
  Lowering lowering(problem, builder);
  for (const Variable &variable : problem.getVariables()) {
    FormulaBuilder::Ref domain = lowering.lowerDomain(variable.id);
    os << "(assert " << builder.getText(domain) << ")\n";
  }
  for (auto [i, constraint] : llvm::enumerate(problem.getConstraints())) {
    printComment(os, constraint.text);
    FormulaBuilder::Ref holds = lowering.lowerHolds(constraint.term);
    os << "(assert (! " << builder.getText(holds) << " :named "
       << quote(constraint.id + " " + std::to_string(i)) << "))\n";
  }
  os << "(check-sat)\n";
  return script;
}

bool formwork::verifier::solver::dumpQuery(const Problem &problem,
                                           llvm::StringRef queryName,
                                           llvm::StringRef directory) {
  if (llvm::sys::fs::create_directories(directory))
    return false;
  std::string stem;
  for (char c : queryName)
    stem += llvm::isAlnum(c) || c == '-' || c == '.' ? c : '_';
  int file = -1;
  for (unsigned attempt = 0; attempt < 100'000; ++attempt) {
    llvm::SmallString<128> path(directory);
    std::string suffix = attempt == 0 ? "" : "-" + std::to_string(attempt);
    llvm::sys::path::append(path, stem + suffix + ".smt2");
    std::error_code error = llvm::sys::fs::openFileForWrite(
        path, file, llvm::sys::fs::CD_CreateNew, llvm::sys::fs::OF_Text);
    if (!error)
      break;
    if (error != std::errc::file_exists)
      return false;
  }
  if (file < 0)
    return false;
  llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
  os << toSmtLib(problem, queryName);
  os.close();
  if (!os.has_error())
    return true;
  os.clear_error();
  return false;
}
