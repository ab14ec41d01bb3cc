//===- MistakesTest.cpp - Planted mistakes in contracts ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mistake each is planted into built-in contracts: an index, a kind, a name,
// an attribute, a condition, or a relation. Loading reports all that can be told
// without payload; the rest is said in advance to need validation. The seed is
// that of FORMWORK_SEED, or 1.
//
//===----------------------------------------------------------------------===//

#include "LanguageFixture.h"

#include "normalforms/OpSignature.h"

#include <iostream>
#include <map>
#include <random>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

namespace {

/// A mistake in one clause.
struct Mistake {
  std::string kind;
  /// What it was, and what it is now.
  std::string text;
  /// Nothing but payload tells.
  bool needsValidation = false;
};

class MistakesTest : public test::LanguageTest {
protected:
  /// Plants a mistake of `kind` into a copy of a contract; none where the
  /// contract has nothing of the kind.
  std::optional<Mistake> plant(ContractOp contract, StringRef kind);
  /// Whether loading the contract says anything.
  bool isReported(ContractOp contract);

  std::optional<Mistake> plantIndex(Operation *clause, ContractOp contract);
  std::optional<Mistake> plantKind(Operation *clause);
  std::optional<Mistake> plantName(Operation *clause);
  std::optional<Mistake> plantAttribute(Operation *clause);
  std::optional<Mistake> plantCondition(Operation *clause);
  std::optional<Mistake> plantRelation(Operation *clause);

  /// Replaces an element of the list of texts `attribute` that `accepts`
  /// accepts by what `change` makes of it.
  std::optional<Mistake>
  changeElement(Operation *clause, StringRef attribute,
                llvm::function_ref<bool(StringRef)> accepts,
                llvm::function_ref<std::string(StringRef)> change);
  /// A letter of the last part is another one.
  std::string misspell(StringRef name);
  unsigned pick(unsigned bound) { return random() % bound; }

  std::mt19937 random;
};

std::string MistakesTest::misspell(StringRef name) {
  std::string wrong = name.str();
  size_t start = name.rfind('.') + 1;
  size_t at = start + pick(name.size() - start);
  wrong[at] = wrong[at] == 'q' ? 'x' : 'q';
  return wrong;
}

std::optional<Mistake> MistakesTest::changeElement(
    Operation *clause, StringRef attribute,
    llvm::function_ref<bool(StringRef)> accepts,
    llvm::function_ref<std::string(StringRef)> change) {
  auto list = clause->getAttrOfType<ArrayAttr>(attribute);
  SmallVector<unsigned> candidates;
  for (auto [i, element] :
       llvm::enumerate(list ? list.getValue() : ArrayRef<Attribute>()))
    if (auto text = dyn_cast<StringAttr>(element);
        text && accepts(text.getValue()))
      candidates.push_back(i);
  if (candidates.empty())
    return std::nullopt;
  unsigned which = candidates[pick(candidates.size())];
  SmallVector<Attribute> elements(list.getValue());
  StringRef old = cast<StringAttr>(elements[which]).getValue();
  std::string wrong = change(old);
  elements[which] = StringAttr::get(&context, wrong);
  clause->setAttr(attribute, ArrayAttr::get(&context, elements));
  return Mistake{"", "'" + old.str() + "' -> '" + wrong + "'"};
}

std::optional<Mistake> MistakesTest::plantIndex(Operation *clause,
                                                ContractOp contract) {
  StringRef attribute = isa<ResultOp>(clause) && pick(2) ? "index" : "operand";
  auto old = clause->getAttrOfType<IntegerAttr>(attribute);
  if (!old)
    return std::nullopt;
  int64_t wrong = old.getInt() + 60 + pick(30);
  clause->setAttr(attribute, IntegerAttr::get(old.getType(), wrong));
  Mistake mistake{"", attribute.str() + " " + std::to_string(old.getInt()) +
                          " -> " + std::to_string(wrong)};
  // An op with operands or results of open number may have so many, if payload
  // can be among them.
  StringRef name = contract.getOpName();
  auto op = RegisteredOperationName::lookup(
      name.starts_with("pass:") ? "transform.apply_registered_pass"
      : name.starts_with("transform.apply_patterns.")
          ? "transform.apply_patterns"
      : name.starts_with("transform.apply_conversion_patterns.")
          ? "transform.apply_conversion_patterns"
          : name,
      &context);
  EXPECT_TRUE(op) << name.str();
  OpSignature signature(*op);
  bool isResult = attribute == "index";
  HandleRoles roles = isResult ? signature.getResultRoles(wrong)
                               : signature.getOperandRoles(wrong);
  mistake.needsValidation = isResult
                                ? !signature.getMaxResults() && !roles.isParam()
                                : !signature.getMaxOperands() &&
                                      !roles.isParam();
  return mistake;
}

/// Whether `kind` is the name of an op, not a class, a type or a whole dialect.
static bool isOpKind(StringRef kind) {
  return kind.contains('.') && !kind.contains('*') && !kind.contains('?');
}

std::optional<Mistake> MistakesTest::plantKind(Operation *clause) {
  for (StringRef attribute : {"kinds", "introduces", "rewrites", "removes"})
    if (auto mistake =
            changeElement(clause, attribute, isOpKind,
                          [&](StringRef kind) { return misspell(kind); }))
      return mistake;
  return std::nullopt;
}

std::optional<Mistake> MistakesTest::plantName(Operation *clause) {
  if (auto form = clause->getAttrOfType<FlatSymbolRefAttr>("form")) {
    std::string wrong = misspell(form.getValue());
    clause->setAttr("form", FlatSymbolRefAttr::get(&context, wrong));
    return Mistake{"", "@" + form.getValue().str() + " -> @" + wrong};
  }
  for (StringRef attribute : {"procedures", "features", "effects", "groups"})
    if (auto mistake = changeElement(
            clause, attribute, [](StringRef name) { return name.size() > 2; },
            [&](StringRef name) { return misspell(name); }))
      return mistake;
  return std::nullopt;
}

std::optional<Mistake> MistakesTest::plantAttribute(Operation *clause) {
  if (auto name = clause->getAttrOfType<StringAttr>("name");
      name && isa<DomainOp>(clause)) {
    std::string wrong = misspell(name.getValue());
    clause->setAttr("name", StringAttr::get(&context, wrong));
    return Mistake{"", "'" + name.getValue().str() + "' -> '" + wrong + "'"};
  }
  auto isAboutAttribute = [](StringRef text) {
    text.consume_front("not ");
    return text.starts_with("attr ") || text.starts_with("option ");
  };
  return changeElement(clause, "when", isAboutAttribute, [&](StringRef text) {
    auto [head, rest] = text.split(text.contains("attr ") ? "attr " : "option ");
    auto [name, tail] = rest.split(' ');
    return (head + (text.contains("attr ") ? "attr " : "option ") +
            misspell(name) + (tail.empty() ? "" : " ") + tail)
        .str();
  });
}

std::optional<Mistake> MistakesTest::plantCondition(Operation *clause) {
  auto isAny = [](StringRef) { return true; };
  return changeElement(clause, "when", isAny, [&](StringRef text) {
    StringRef negation = text.consume_front("not ") ? "not " : "";
    auto [subject, rest] = text.split(' ');
    // A word that there is not, or too little behind it.
    if (pick(2))
      return (negation + misspell(subject) + " " + rest).str();
    return (negation + subject + (subject == "always" ? " 0" : "")).str();
  });
}

std::optional<Mistake> MistakesTest::plantRelation(Operation *clause) {
  auto result = dyn_cast<ResultOp>(clause);
  if (!result)
    return std::nullopt;
  StringRef old = result.getRelation();
  // Another relation is one that only payload refutes; a word that there is not
  // is none.
  bool isWord = pick(2);
  StringRef other = old == "inside" ? "around" : "inside";
  std::string wrong = isWord ? misspell(old) : other.str();
  Mistake mistake{"", old.str() + " -> " + wrong, !isWord};
  mistake.needsValidation &= result.getOperand().has_value();
  result.setRelation(wrong);
  return mistake;
}

std::optional<Mistake> MistakesTest::plant(ContractOp contract,
                                           StringRef kind) {
  SmallVector<Operation *> clauses;
  for (Operation &clause : contract.getBody().front())
    clauses.push_back(&clause);
  std::shuffle(clauses.begin(), clauses.end(), random);
  for (Operation *clause : clauses) {
    std::optional<Mistake> mistake =
        kind == "index"       ? plantIndex(clause, contract)
        : kind == "kind"      ? plantKind(clause)
        : kind == "name"      ? plantName(clause)
        : kind == "attribute" ? plantAttribute(clause)
        : kind == "condition" ? plantCondition(clause)
                              : plantRelation(clause);
    if (!mistake)
      continue;
    mistake->kind = kind.str();
    mistake->text = contract.getOpName().str() + " " +
                    clause->getName().getStringRef().str() + " " +
                    mistake->text;
    return mistake;
  }
  return std::nullopt;
}

bool MistakesTest::isReported(ContractOp contract) {
  bool isSaid = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) {
    isSaid = true;
    return success();
  });
  if (failed(readContract(forms->lattice(), contract)))
    return isSaid;
  engine::Findings findings = checkContract(contract, {});
  findings.emit();
  return isSaid;
}

TEST_F(MistakesTest, AreReportedWhenLoaded) {
  uint32_t seed = 1;
  if (const char *text = std::getenv("FORMWORK_SEED"))
    seed = std::atoi(text);
  random.seed(seed);
  SCOPED_TRACE("FORMWORK_SEED=" + std::to_string(seed));
  SmallVector<ContractOp> contracts = getUpstreamContracts();
  constexpr unsigned numMistakes = 200;
  constexpr llvm::StringLiteral kinds[] = {"index",     "kind",      "name",
                                           "attribute", "condition", "relation"};
  std::map<std::string, unsigned> planted, open;
  for (unsigned i = 0; i < numMistakes;) {
    StringRef kind = kinds[i % std::size(kinds)];
    OwningOpRef<Operation *> copy =
        contracts[pick(contracts.size())]->clone();
    auto contract = cast<ContractOp>(*copy);
    std::optional<Mistake> mistake = plant(contract, kind);
    if (!mistake)
      continue;
    ++i;
    ++planted[mistake->kind];
    open[mistake->kind] += mistake->needsValidation;
    EXPECT_EQ(isReported(contract), !mistake->needsValidation)
        << mistake->kind << ": " << mistake->text;
  }
  for (const auto &[kind, number] : planted)
    std::cout << kind << ": " << number - open[kind] << " of " << number
              << " reported when loaded\n";
  // Of names, attributes, kinds and conditions, none is open.
  for (StringRef kind : {"kind", "name", "attribute", "condition"})
    EXPECT_EQ(open[kind.str()], 0u) << kind.str();
}

} // namespace
