//===- Mistakes.cpp - Contracts with one mistake --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/contracts/Mistakes.h"

#include "normalforms/OpSignature.h"
#include "normalforms/PassOptions.h"
#include "normalforms/PayloadFacts.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::mistakes;
using namespace formwork::normalforms;

StringRef formwork::mistakes::getName(MistakeKind kind) {
  static constexpr llvm::StringLiteral names[] = {
      "index", "kind", "name", "attribute", "condition", "relation"};
  return names[static_cast<unsigned>(kind)];
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kKindLists[] = {"kinds", "introduces",
                                                     "rewrites", "removes"};
static constexpr llvm::StringLiteral kNameLists[] = {
    "procedures", "features", "effects", "groups", "ids"};

Planter::Planter(const ContractLibrary &contracts, const FormLibrary &library) {
  llvm::StringMap<std::set<std::string>> found;
  for (ContractOp contract : contracts.getDeclarations()) {
    declarations.push_back(contract);
    found["op_name"].insert(contract.getOpName().str());
    for (Operation &clause : contract.getBody().front())
      for (NamedAttribute attribute : clause.getAttrs())
        if (auto list = dyn_cast<ArrayAttr>(attribute.getValue()))
          for (Attribute element : list)
            if (auto text = dyn_cast<StringAttr>(element))
              found[attribute.getName().strref()].insert(text.str());
  }
  for (const auto &entry : found)
    words[entry.first()].assign(entry.second.begin(), entry.second.end());
  for (const Form &form : library.getForms())
    forms.push_back(form.name);
  for (const PayloadFact &fact : getPayloadFacts())
    facts.push_back(fact.name.str());
}

/// Another letter of the last part is there instead.
static std::string misspell(StringRef name, Random &random) {
  std::string wrong = name.str();
  size_t start = name.rfind('.') + 1;
  size_t at = start + random.below(name.size() - start);
  wrong[at] = wrong[at] == 'q' ? 'x' : 'q';
  return wrong;
}

std::string Planter::replaceWord(StringRef word,
                                 const std::vector<std::string> &others,
                                 bool isSenseless, Random &random) const {
  if (isSenseless || others.size() < 2)
    return misspell(word, random);
  std::string other = word.str();
  while (other == word)
    other = random.oneOf(llvm::ArrayRef(others));
  return other;
}

static std::string explain(StringRef before, StringRef after) {
  return ("'" + before + "' -> '" + after + "'").str();
}

/// Replaces one text of the list `name` that `change` has something for; where
/// that is empty, the text goes.
static std::optional<std::string> changeElement(
    Operation *clause, StringRef name, Random &random,
    llvm::function_ref<std::optional<std::string>(StringRef)> change) {
  auto list = clause->getAttrOfType<ArrayAttr>(name);
  if (!list || list.empty())
    return std::nullopt;
  SmallVector<Attribute> elements(list.getValue());
  size_t first = random.below(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    size_t at = (first + i) % elements.size();
    auto text = dyn_cast<StringAttr>(elements[at]);
    std::optional<std::string> wrong =
        text ? change(text.getValue()) : std::nullopt;
    if (!wrong || *wrong == text.getValue())
      continue;
    if (wrong->empty())
      elements.erase(elements.begin() + at);
    else
      elements[at] = StringAttr::get(clause->getContext(), *wrong);
    if (elements.empty())
      clause->removeAttr(name);
    else
      clause->setAttr(name, ArrayAttr::get(clause->getContext(), elements));
    return (name + " " + explain(text.getValue(), *wrong)).str();
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Indices, kinds, names, attributes
//===----------------------------------------------------------------------===//

/// Another index than `old`: beyond what an op has, or one beside.
static int64_t pickIndex(int64_t old, bool isSenseless, Random &random) {
  if (isSenseless)
    return old + 60 + random.below(30);
  return old == 0 || random.chance(0.5) ? old + 1 : old - 1;
}

Planter::Change Planter::changeIndex(Operation *clause, bool isSenseless,
                                     Random &random) const {
  // In conditions, too.
  if (random.chance(0.4)) {
    Change changed =
        changeElement(clause, "when", random, [&](StringRef text) -> Change {
          bool isNegated = text.consume_front("not ");
          auto [subject, rest] = text.split(' ');
          auto [number, tail] = rest.split(' ');
          int64_t old = 0;
          if (subject == "attr" || subject == "option" ||
              number.getAsInteger(10, old))
            return std::nullopt;
          return ((isNegated ? "not " : "") + subject + " " +
                  Twine(pickIndex(old, isSenseless, random)) +
                  (tail.empty() ? "" : " ") + tail)
              .str();
        });
    if (changed)
      return changed;
  }
  StringRef name =
      isa<ResultOp>(clause) && random.chance(0.5) ? "index" : "operand";
  auto old = clause->getAttrOfType<IntegerAttr>(name);
  if (!old)
    return std::nullopt;
  int64_t wrong = pickIndex(old.getInt(), isSenseless, random);
  clause->setAttr(name, IntegerAttr::get(old.getType(), wrong));
  return (name + " " + Twine(old.getInt()) + " -> " + Twine(wrong)).str();
}

/// Whether `clause` is of a rule group.
static bool isGroupOf(Operation *clause) {
  StringRef name = cast<ContractOp>(clause->getParentOp()).getOpName();
  return name.starts_with("transform.apply_patterns.") ||
         name.starts_with("transform.apply_conversion_patterns.");
}

/// Whether `kind` is the name of an op, not a class, a type or a whole dialect.
static bool isOpKind(StringRef kind) {
  return kind.contains('.') && !kind.contains('*') && !kind.contains('?');
}

Planter::Change Planter::changeKind(Operation *clause, bool isSenseless,
                                    Random &random) const {
  // The step that runs a group may rewrite anything.
  bool isGroup = !isSenseless && isGroupOf(clause);
  size_t first = random.below(std::size(kKindLists));
  for (size_t i = 0; i < std::size(kKindLists); ++i) {
    StringRef list = kKindLists[(first + i) % std::size(kKindLists)];
    if (isGroup && list == "rewrites")
      continue;
    auto changed =
        changeElement(clause, list, random, [&](StringRef kind) -> Change {
          if (isSenseless && !isOpKind(kind))
            return std::nullopt;
          std::string other =
              replaceWord(kind, words.lookup(list), isSenseless, random);
          // A wider clause says less.
          StringRef wide = other;
          if (wide.ends_with("*") && kind.starts_with(wide.drop_back()))
            return std::nullopt;
          return other;
        });
    if (changed)
      return changed;
  }
  return std::nullopt;
}

Planter::Change Planter::changeName(Operation *clause, bool isSenseless,
                                    Random &random) const {
  MLIRContext *context = clause->getContext();
  if (auto form = clause->getAttrOfType<FlatSymbolRefAttr>("form")) {
    std::string wrong =
        replaceWord(form.getValue(), forms, isSenseless, random);
    clause->setAttr("form", FlatSymbolRefAttr::get(context, wrong));
    return "form " + explain(form.getValue(), wrong);
  }
  Change changed =
      changeElement(clause, "when", random, [&](StringRef text) -> Change {
        auto [before, fact] = text.split(" is ");
        if (!text.contains("fact ") || fact.empty())
          return std::nullopt;
        return (before + " is " + replaceWord(fact, facts, isSenseless, random))
            .str();
      });
  if (changed)
    return changed;
  // To do a side effect that nothing does says less.
  const std::vector<std::string> strong = {
      "keeps_order", "reads_no_discardable_attribute",
      "writes_only_discardable_attributes", "only_reads", "reads_one_op"};
  for (StringRef list : kNameLists)
    if (auto other =
            changeElement(clause, list, random, [&](StringRef name) -> Change {
              if (name == "*")
                return std::nullopt;
              return replaceWord(
                  name, list == "effects" ? strong : words.lookup(list),
                  isSenseless, random);
            }))
      return other;
  // The contract is of another op.
  auto contract = cast<ContractOp>(clause->getParentOp());
  if (!random.chance(0.2))
    return std::nullopt;
  std::string old = contract.getOpName().str();
  contract.setOpName(
      replaceWord(old, words.lookup("op_name"), isSenseless, random));
  return "contract " + explain(old, contract.getOpName());
}

/// The attributes of the op, or the options of the pass, that `contract` is of.
static std::vector<std::string> getAttributes(ContractOp contract,
                                              bool areOptions) {
  StringRef name = contract.getOpName();
  std::vector<std::string> found;
  if (areOptions) {
    if (name.consume_front("pass:"))
      llvm::append_range(found, getPassOptions(name));
    return found;
  }
  if (auto op = RegisteredOperationName::lookup(name, contract.getContext()))
    for (StringAttr attribute : op->getAttributeNames())
      found.push_back(attribute.str());
  return found;
}

Planter::Change Planter::changeAttribute(Operation *clause, bool isSenseless,
                                         Random &random) const {
  auto contract = cast<ContractOp>(clause->getParentOp());
  auto replace = [&](StringRef name, bool isOption) -> std::string {
    std::vector<std::string> others = getAttributes(contract, isOption);
    if (!isSenseless && others.size() < 2)
      return "";
    return replaceWord(name, others, isSenseless, random);
  };
  if (auto domain = dyn_cast<DomainOp>(clause)) {
    std::string old = domain.getName().str();
    std::string wrong = replace(old, domain.getOption());
    if (wrong.empty())
      return std::nullopt;
    domain.setName(wrong);
    return explain(old, wrong);
  }
  return changeElement(clause, "when", random, [&](StringRef text) -> Change {
    bool isNegated = text.consume_front("not ");
    auto [subject, rest] = text.split(' ');
    if (subject != "attr" && subject != "option")
      return std::nullopt;
    auto [name, tail] = rest.split(' ');
    std::string wrong = replace(name, subject == "option");
    if (wrong.empty())
      return std::nullopt;
    return ((isNegated ? "not " : "") + subject + " " + wrong +
            (tail.empty() ? "" : " ") + tail)
        .str();
  });
}

//===----------------------------------------------------------------------===//
// Conditions, relations
//===----------------------------------------------------------------------===//

Planter::Change Planter::changeCondition(Operation *clause, bool isSenseless,
                                         Random &random) const {
  // Without a condition, these say less.
  bool saysLess = isa<MayFailOp, PayloadOp, SideEffectsOp>(clause);
  return changeElement(clause, "when", random, [&](StringRef text) -> Change {
    StringRef plain = text;
    bool isNegated = plain.consume_front("not ");
    auto [subject, rest] = plain.split(' ');
    if (isSenseless) {
      std::string negation = isNegated ? "not " : "";
      if (random.chance(0.5))
        return negation + misspell(subject, random) + " " + rest.str();
      return negation + subject.str() + (subject == "always" ? " 0" : "");
    }
    if (subject == "always")
      return std::nullopt;
    // A bound is one beside.
    auto [before, number] = plain.rsplit(' ');
    int64_t bound = 0;
    bool isBound = before.ends_with("at_least") || before.ends_with("at_most");
    if (isBound && !number.getAsInteger(10, bound) && random.chance(0.6))
      return ((isNegated ? "not " : "") + before + " " +
              Twine(random.chance(0.5) || bound == 0 ? bound + 1 : bound - 1))
          .str();
    if (!saysLess && !isa<FailsOp>(clause) && random.chance(0.4))
      return "";
    return isNegated ? plain.str() : "not " + text.str();
  });
}

Planter::Change Planter::changeRelation(Operation *clause, bool isSenseless,
                                        Random &random) const {
  auto pick = [&](StringRef old, ArrayRef<StringRef> others) {
    std::vector<std::string> list(others.begin(), others.end());
    if (!llvm::is_contained(list, old))
      list.push_back(old.str());
    return replaceWord(old, list, isSenseless, random);
  };
  if (auto result = dyn_cast<ResultOp>(clause)) {
    if (random.chance(0.6)) {
      std::string old = result.getRelation().str();
      // Other relations say less of what lies there.
      if (!isSenseless && (old == "any" || !result.getOperand()))
        return std::nullopt;
      result.setRelation(
          pick(old, {"same", "replaces", "inside", "around", "fresh"}));
      return explain(old, result.getRelation());
    }
    std::string old = result.getCount().str();
    if (!isSenseless && old == "unbounded")
      return std::nullopt;
    result.setCount(old == "at_most_per_target" && !isSenseless
                        ? "per_target"
                        : pick(old, {"one", "per_target", "2 per_target"}));
    return "count " + explain(old, result.getCount());
  }
  auto write = dyn_cast<PayloadOp>(clause);
  if (!write)
    return std::nullopt;
  bool isSaidByStep = !isSenseless && isGroupOf(clause);
  if (!isSaidByStep && random.chance(0.5))
    if (Change changed =
            changeElement(clause, "handles", random, [&](StringRef word) {
              return isSenseless ? misspell(word, random) : std::string();
            }))
      return changed;
  std::string old = write.getExtent().str();
  if (isSenseless)
    write.setExtent(misspell(old, random));
  else if (old == "root")
    write.setExtent("anchor");
  else if (old == "anchor")
    write.setExtent("target");
  else
    return std::nullopt;
  return "extent " + explain(old, write.getExtent());
}

//===----------------------------------------------------------------------===//
// Planter
//===----------------------------------------------------------------------===//

Planter::Change Planter::change(Operation *clause, MistakeKind kind,
                                bool isSenseless, Random &random) const {
  // Nothing of an effect is a fact of a run: `bench/effects` measures these.
  if (!isSenseless && isa<EffectOp>(clause))
    return std::nullopt;
  static constexpr Change (Planter::*changes[])(Operation *, bool, Random &)
      const = {&Planter::changeIndex,     &Planter::changeKind,
               &Planter::changeName,      &Planter::changeAttribute,
               &Planter::changeCondition, &Planter::changeRelation};
  return (this->*changes[static_cast<unsigned>(kind)])(clause, isSenseless,
                                                       random);
}

Mistake Planter::plant(MistakeKind kind, bool isSenseless,
                       Random &random) const {
  for (;;) {
    OwningOpRef<Operation *> copy =
        declarations[random.below(declarations.size())]->clone();
    auto contract = cast<ContractOp>(*copy);
    std::string name = contract.getOpName().str();
    SmallVector<Operation *> clauses;
    for (Operation &clause : contract.getBody().front())
      clauses.push_back(&clause);
    if (clauses.empty())
      continue;
    Operation *clause = clauses[random.below(clauses.size())];
    Change changed = change(clause, kind, isSenseless, random);
    if (!changed)
      continue;
    return {kind, isSenseless, name,
            name + ", " +
                clause->getName().getStringRef().split('.').second.str() +
                ": " + *changed,
            std::move(copy)};
  }
}
