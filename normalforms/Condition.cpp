//===- Condition.cpp - When a clause of a contract holds --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Condition.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static llvm::Error explainGrammar(StringRef text) {
  return llvm::createStringError(
      "requires a condition ('always', or 'attr', 'operand', 'type', 'count', "
      "'kind', 'holds', 'fact', 'foldable_sizes', 'dynamic_sizes', "
      "'runs_alone', 'runs_here', 'holds_schedule', 'param' or 'option' "
      "with its arguments) but has '" +
      text + "'");
}

/// Removes the first word of `text` and returns it.
static StringRef takeWord(StringRef &text) {
  auto [word, rest] = text.split(' ');
  text = rest.ltrim();
  return word;
}

llvm::Expected<Condition> Condition::parse(StringRef text) {
  Condition condition;
  StringRef rest = text.trim();
  condition.negated = rest.consume_front("not ");
  StringRef subject = takeWord(rest);
  if (subject == "always") {
    if (!rest.empty())
      return explainGrammar(text);
    return condition;
  }

  std::optional<Subject> known =
      llvm::StringSwitch<std::optional<Subject>>(subject)
          .Case("attr", Attribute)
          .Case("operand", Operand)
          .Case("type", Type)
          .Case("count", PayloadCount)
          .Case("kind", PayloadKind)
          .Case("foldable_sizes", FoldableSizes)
          .Case("dynamic_sizes", DynamicSizes)
          .Case("holds", Holds)
          .Case("given", Given)
          .Case("runs_alone", RunsAlone)
          .Case("runs_here", RunsHere)
          .Case("holds_schedule", HoldsSchedule)
          .Case("fact", PayloadFact)
          .Case("param", ParamValue)
          .Case("option", Option)
          .Default(std::nullopt);
  StringRef argument = takeWord(rest);
  if (!known || argument.empty())
    return explainGrammar(text);
  condition.subject = *known;
  bool isNamed = *known == Attribute || *known == Option;
  if (isNamed)
    condition.name = argument;
  else if (argument.getAsInteger(10, condition.index))
    return explainGrammar(text);

  // The rest after the argument, if any.
  StringRef verb = takeWord(rest);
  if (*known == Operand || *known == FoldableSizes || *known == DynamicSizes ||
      *known == RunsAlone || *known == RunsHere || *known == HoldsSchedule ||
      (isNamed && verb.empty())) {
    if (!verb.empty())
      return explainGrammar(text);
    return condition;
  }
  if (rest.empty())
    return explainGrammar(text);
  if (verb == "at_least")
    condition.comparison = AtLeast;
  else if (verb == "at_most")
    condition.comparison = AtMost;
  else if (verb != "is")
    return explainGrammar(text);
  bool isCompared =
      (isNamed || *known == ParamValue) && condition.comparison != Is;
  if (*known == PayloadCount || isCompared) {
    // A number of ops is never negative.
    if (rest.getAsInteger(10, condition.number) ||
        (*known == PayloadCount && condition.number < 0))
      return explainGrammar(text);
    return condition;
  }
  if (condition.comparison != Is)
    return explainGrammar(text);
  condition.value = rest;
  if (*known == PayloadKind || *known == Holds || *known == Given)
    condition.kind = KindPattern::of(rest);
  return condition;
}

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

std::string formwork::normalforms::printPlain(Attribute attribute) {
  if (auto array = dyn_cast<ArrayAttr>(attribute))
    return "[" +
           llvm::join(llvm::map_range(array.getValue(), printPlain), ", ") +
           "]";
  if (auto string = dyn_cast<StringAttr>(attribute))
    return string.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto dense = dyn_cast<DenseArrayAttr>(attribute)) {
    // This prints `array<i64: 1, 2>`.
    dense.print(os);
    auto [head, values] = StringRef(text).split(':');
    return "[" + values.trim().drop_back(values.empty() ? 0 : 1).str() + "]";
  }
  if (isa<IntegerAttr, FloatAttr>(attribute)) {
    attribute.print(os, /*elideType=*/true);
    return text;
  }
  // Enumerators print as `#dialect.enum<name>` or as a keyword after a dot.
  attribute.print(os);
  StringRef plain = text;
  if (plain.consume_front("#")) {
    plain = plain.substr(plain.find_first_of("<. ") + 1);
    if (size_t open = plain.find('<'); open != StringRef::npos)
      plain = plain.substr(open + 1);
    plain.consume_back(">");
  }
  return plain.trim().str();
}

std::optional<Attribute> formwork::normalforms::getPassOption(::Operation *op,
                                                              StringRef name) {
  auto apply = dyn_cast<transform::ApplyRegisteredPassOp>(op);
  if (!apply)
    return std::nullopt;
  Attribute value = apply.getOptions().get(name);
  if (!value)
    return std::nullopt;
  // A list of options may have parameters among its elements.
  bool isKnown = true;
  value.walk([&](transform::ParamOperandAttr) { isKnown = false; });
  return isKnown ? value : Attribute();
}

/// Whether `attribute` is an integer, or a list of integers, that all satisfy
/// the comparison of `condition`.
static bool isWithin(Attribute attribute, const Condition &condition) {
  if (auto array = dyn_cast<ArrayAttr>(attribute))
    return llvm::all_of(
        array, [&](Attribute element) { return isWithin(element, condition); });
  auto integer = dyn_cast<IntegerAttr>(attribute);
  std::optional<int64_t> value =
      integer ? integer.getValue().trySExtValue() : std::nullopt;
  return value && (condition.comparison == Condition::AtLeast
                       ? *value >= condition.number
                       : *value <= condition.number);
}

/// Whether `attribute` is present and satisfies `condition`. If the condition
/// names no value, whether the attribute is present and not false.
static bool says(Attribute attribute, const Condition &condition) {
  if (!attribute)
    return false;
  if (condition.comparison != Condition::Is)
    return isWithin(attribute, condition);
  StringRef value = condition.value;
  if (!value.empty())
    return printPlain(attribute) == value;
  auto boolean = dyn_cast<BoolAttr>(attribute);
  return !boolean || boolean.getValue();
}

static bool isTypeOf(::Type type, StringRef text) {
  if (text == "op")
    return isa<transform::TransformHandleTypeInterface>(type);
  if (text == "value")
    return isa<transform::TransformValueHandleTypeInterface>(type);
  if (text == "param")
    return isa<transform::TransformParamTypeInterface>(type);
  return debugString(type) == text;
}

bool formwork::normalforms::hasPayloadOfParent(Operation *op) {
  return isa_and_nonnull<transform::ApplyPatternsOp,
                         transform::ApplyConversionPatternsOp>(
      op->getParentOp());
}

std::optional<bool> Condition::decide(::Operation *op) const {
  bool holds = false;
  switch (subject) {
  case Always:
    holds = true;
    break;
  case Attribute:
    holds = says(op->getAttr(name), *this);
    break;
  case Operand:
    holds = index < op->getNumOperands();
    break;
  case Type:
    holds = index < op->getNumOperands() &&
            isTypeOf(op->getOperand(index).getType(), value);
    break;
  case Option: {
    std::optional<::Attribute> option = getPassOption(op, name);
    if (option && !*option)
      return std::nullopt;
    holds = option && says(*option, *this);
    break;
  }
  case PayloadCount:
  case PayloadKind:
  case FoldableSizes:
  case DynamicSizes:
  case Holds:
  case Given:
  case RunsAlone:
  case RunsHere:
  case HoldsSchedule:
  case PayloadFact:
    // A rule group rewrites the payload of the step that runs it.
    if (index < op->getNumOperands() || hasPayloadOfParent(op))
      return std::nullopt;
    break;
  case ParamValue: {
    if (index >= op->getNumOperands())
      break;
    auto constant =
        op->getOperand(index).getDefiningOp<transform::ParamConstantOp>();
    if (!constant)
      return std::nullopt;
    holds = says(constant.getValue(), *this);
    break;
  }
  }
  return holds != negated;
}
