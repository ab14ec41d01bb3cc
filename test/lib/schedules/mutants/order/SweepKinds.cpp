//===- SweepKinds.cpp - Breakage all over a schedule ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/SweepKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

namespace {
/// A number or a name in the attributes of steps.
struct Literal {
  int64_t number = 0;
  std::string name;

  bool operator==(const Literal &other) const {
    return number == other.number && name == other.name;
  }
};
using Literals = SmallVector<Literal>;
} // namespace

/// Numbers that stand for a decision: 0 and 1 mostly do not.
static bool isDecision(int64_t number) {
  return number > 1 && !ShapedType::isDynamic(number);
}

static bool isNumber(Attribute attr) {
  auto number = dyn_cast<IntegerAttr>(attr);
  return number &&
         (number.getType().isInteger(64) || number.getType().isIndex());
}

/// Adds to `found` the literals of `attr` that are not in it, in the order in
/// which they stand in `attr`.
static void listLiterals(Attribute attr, Literals &found) {
  auto add = [&](Literal literal) {
    if (!llvm::is_contained(found, literal))
      found.push_back(std::move(literal));
  };
  if (isNumber(attr)) {
    if (int64_t number = cast<IntegerAttr>(attr).getInt(); isDecision(number))
      add({number, ""});
  } else if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attr)) {
    for (int64_t number : numbers.asArrayRef())
      if (isDecision(number))
        add({number, ""});
  } else if (auto name = dyn_cast<StringAttr>(attr)) {
    if (!name.getValue().empty())
      add({0, name.str()});
  } else if (auto list = dyn_cast<ArrayAttr>(attr)) {
    for (Attribute each : list)
      listLiterals(each, found);
  } else if (auto dictionary = dyn_cast<DictionaryAttr>(attr)) {
    for (NamedAttribute each : dictionary) {
      add({0, each.getName().str()});
      listLiterals(each.getValue(), found);
    }
  }
}

/// `attr` with `with` for each `literal`.
static Attribute replaceLiteral(Attribute attr, const Literal &literal,
                                const Literal &with) {
  Builder builder(attr.getContext());
  if (isNumber(attr)) {
    auto number = cast<IntegerAttr>(attr);
    return literal.name.empty() && number.getInt() == literal.number
               ? Attribute(IntegerAttr::get(number.getType(), with.number))
               : attr;
  }
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attr)) {
    SmallVector<int64_t> replaced(numbers.asArrayRef());
    if (literal.name.empty())
      llvm::replace(replaced, literal.number, with.number);
    return builder.getDenseI64ArrayAttr(replaced);
  }
  if (auto name = dyn_cast<StringAttr>(attr))
    return !literal.name.empty() && name.getValue() == literal.name
               ? builder.getStringAttr(with.name)
               : name;
  if (auto list = dyn_cast<ArrayAttr>(attr)) {
    SmallVector<Attribute> replaced;
    for (Attribute each : list)
      replaced.push_back(replaceLiteral(each, literal, with));
    return builder.getArrayAttr(replaced);
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(attr)) {
    NamedAttrList replaced;
    for (NamedAttribute each : dictionary)
      replaced.set(!literal.name.empty() && each.getName() == literal.name
                       ? StringRef(with.name)
                       : each.getName().getValue(),
                   replaceLiteral(each.getValue(), literal, with));
    return replaced.getDictionary(attr.getContext());
  }
  return attr;
}

/// Another literal of the sort of `literal`, which may also stand there.
static Literal getReplacement(const Literal &literal, const Literals &all,
                              Random &random) {
  if (literal.name.empty()) {
    static constexpr int64_t menu[] = {2, 3, 4, 8, 16, 32, 64, 128};
    return {random.oneOf(ArrayRef<int64_t>(menu)), ""};
  }
  StringRef name = literal.name, dialect = name.split('.').first;
  if (!name.contains('.'))
    return {0, (name + pickText(random, {"_1", "_tile", "_old"})).str()};
  SmallVector<std::string> others;
  for (const Literal &each : all)
    if (StringRef(each.name).split('.').first == dialect)
      others.push_back(each.name);
  if (dialect == "linalg")
    for (StringRef each : {"linalg.generic", "linalg.matmul", "linalg.fill",
                           "linalg.batch_matmul", "linalg.contract"})
      others.push_back(each.str());
  if (dialect == "scf")
    for (StringRef each : {"scf.for", "scf.forall", "scf.parallel"})
      others.push_back(each.str());
  others.push_back((name + "_1").str());
  return {0, others[random.below(others.size())]};
}

bool formwork::testing::searchAndReplace(NamedSequenceOp entry,
                                         Random &random) {
  // Symbols are named by their own attributes, which stay.
  auto isSubject = [](NamedAttribute attr) {
    return !isa<SymbolRefAttr>(attr.getValue()) &&
           attr.getName() != SymbolTable::getSymbolAttrName() &&
           attr.getName() != SymbolTable::getVisibilityAttrName() &&
           attr.getName() != "arg_attrs" && attr.getName() != "res_attrs";
  };
  Ops steps;
  entry->getParentOp()->walk([&](Operation *op) {
    if (isa<transform::TransformOpInterface, transform::MatchOpInterface>(op) &&
        !isa<NamedSequenceOp>(op))
      steps.push_back(op);
  });
  Literals all;
  for (Operation *step : steps)
    for (NamedAttribute attr : step->getAttrs())
      if (isSubject(attr))
        listLiterals(attr.getValue(), all);
  Literals numbers, names;
  for (const Literal &literal : all)
    (literal.name.empty() ? numbers : names).push_back(literal);
  if (numbers.empty() && names.empty())
    return false;
  bool isName = numbers.empty() || (!names.empty() && random.chance(0.4));
  const Literals &list = isName ? names : numbers;
  Literal literal = list[random.below(list.size())];
  Literal with = getReplacement(literal, list, random);
  if (with == literal)
    return false;
  for (Operation *step : steps)
    for (NamedAttribute attr : step->getAttrs())
      if (isSubject(attr))
        step->setAttr(attr.getName(),
                      replaceLiteral(attr.getValue(), literal, with));
  return true;
}

bool formwork::testing::shuffleSteps(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  if (steps.size() < 2)
    return false;
  unsigned first = 0, number = steps.size();
  if (random.chance(0.6)) {
    number = random.between(2, std::min<size_t>(steps.size(), 7));
    first = random.below(steps.size() - number + 1);
  }
  SmallVector<unsigned> order(number);
  for (unsigned i = 0; i < number; ++i) {
    order[i] = first + i;
    std::swap(order[i], order[random.below(i + 1)]);
  }
  llvm::DenseMap<Operation *, unsigned> ranks;
  for (auto [i, step] : llvm::enumerate(steps))
    ranks[step] = i >= first && i < first + number ? order[i - first] : i;
  return reorder(entry, ranks);
}
