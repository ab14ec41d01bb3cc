//===- Domain.cpp - Values for which a contract holds -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Domain.h"

#include "normalforms/Condition.h"
#include "normalforms/PassOptions.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

llvm::Error Domain::add(StringRef word) {
  auto [head, rest] = word.split(' ');
  bool *flag = llvm::StringSwitch<bool *>(word)
                   .Case("dynamic", &dynamic)
                   .Case("empty", &empty)
                   .Case("distinct", &distinct)
                   .Case("repeated", &repeated)
                   .Case("any", &any)
                   .Default(nullptr);
  int64_t *bound = llvm::StringSwitch<int64_t *>(head)
                       .Case("at_least", &least)
                       .Case("at_most", &most)
                       .Default(nullptr);
  bool isRead = true;
  if (flag)
    *flag = true;
  else if (bound)
    isRead = !rest.getAsInteger(10, *bound);
  else if (head == "is" && !rest.empty())
    also.push_back(rest);
  else if (head == "only" && !rest.empty())
    only.push_back(rest);
  else
    isRead = false;
  if (isRead && least <= most)
    return llvm::Error::success();
  return llvm::createStringError(
      "requires a word of a domain ('at_least K', 'at_most K', 'dynamic', "
      "'empty', 'distinct', 'repeated', 'is TEXT', 'only TEXT' or 'any') but "
      "has '" +
      word + "'");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::optional<std::string> say(const Twine &why) { return why.str(); }

static std::optional<std::string> getWhyOutside(const Domain &domain,
                                                int64_t value) {
  if (ShapedType::isDynamic(value))
    return domain.dynamic
               ? std::nullopt
               : say("is MLIR's marker of a size that is not static");
  if (value < domain.least)
    return say("is " + Twine(value) + ", which is less than " +
               Twine(domain.least));
  if (value > domain.most)
    return say("is " + Twine(value) + ", which is more than " +
               Twine(domain.most));
  return std::nullopt;
}

/// The elements of a list; dense arrays of numbers count as lists.
static std::optional<SmallVector<Attribute>> getElements(Attribute value) {
  if (auto array = dyn_cast<ArrayAttr>(value))
    return llvm::to_vector(array);
  auto dense = dyn_cast<DenseArrayAttr>(value);
  if (!dense)
    return std::nullopt;
  SmallVector<Attribute> elements;
  auto add = [&](auto numbers) {
    for (auto number : numbers)
      elements.push_back(IntegerAttr::get(dense.getElementType(), number));
  };
  llvm::TypeSwitch<Attribute>(value)
      .Case<DenseI8ArrayAttr, DenseI16ArrayAttr, DenseI32ArrayAttr,
            DenseI64ArrayAttr, DenseBoolArrayAttr>(
          [&](auto array) { add(array.asArrayRef()); })
      // Only the number of floats matters, not their values.
      .Default([&](Attribute) {
        elements.resize(dense.getSize(), UnitAttr::get(value.getContext()));
      });
  return elements;
}

/// The value that the text of a pass option stands for: a number, a list of
/// numbers, or the text itself.
static Attribute readOption(StringAttr text) {
  SmallVector<StringRef> parts;
  text.getValue().split(parts, ',');
  SmallVector<Attribute> numbers;
  for (StringRef part : parts) {
    int64_t number;
    if (part.trim().getAsInteger(10, number))
      return text;
    numbers.push_back(
        IntegerAttr::get(IntegerType::get(text.getContext(), 64), number));
  }
  return numbers.size() == 1 ? numbers.front()
                             : ArrayAttr::get(text.getContext(), numbers);
}

std::optional<std::string> Domain::getWhyOutside(Attribute value) const {
  // To print an attribute costs more than the rest.
  if (any || (!also.empty() && llvm::is_contained(also, printPlain(value))))
    return std::nullopt;
  if (auto text = dyn_cast<StringAttr>(value); text && isOption)
    if (Attribute number = readOption(text); number != text)
      return getWhyOutside(number);
  if (std::optional<SmallVector<Attribute>> elements = getElements(value)) {
    if (elements->empty())
      return empty ? std::nullopt : say("is an empty list");
    llvm::DenseSet<Attribute> seen;
    for (Attribute element : *elements) {
      if (std::optional<std::string> why = getWhyOutside(element))
        return "has an element that " + *why;
      bool isName = isa<StringAttr, SymbolRefAttr>(element);
      if ((distinct || (isName && !repeated)) && !seen.insert(element).second)
        return say("has " + printPlain(element) + " twice");
    }
    return std::nullopt;
  }
  if (!only.empty())
    return llvm::is_contained(only, printPlain(value))
               ? std::nullopt
               : say("is " + printPlain(value) + ", which is none of " +
                     llvm::join(only, ", "));
  if (isa<BoolAttr>(value))
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    bool isUnsigned = integer.getType().isUnsignedInteger();
    std::optional<int64_t> number;
    if (isUnsigned && integer.getValue().isIntN(63))
      number = integer.getValue().getZExtValue();
    else if (!isUnsigned)
      number = integer.getValue().trySExtValue();
    return number ? ::getWhyOutside(*this, *number)
                  : say("does not fit into 64 bits");
  }
  if (auto text = dyn_cast<StringAttr>(value); text && text.empty() && !empty)
    return say("is an empty text");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

SmallVector<OutsideValue>
formwork::normalforms::getOutsideValues(Operation *op, ArrayRef<Domain> domains,
                                        ArrayRef<Domain> ofPass) {
  SmallVector<OutsideValue> outside;
  auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op);
  auto check = [&](StringRef name, Attribute value, bool isOption,
                   ArrayRef<Domain> known) {
    Domain ordinary;
    ordinary.isOption = isOption;
    const Domain *domain = llvm::find_if(known, [&](const Domain &one) {
      return one.name == name && one.isOption == isOption;
    });
    std::optional<std::string> why =
        (domain == known.end() ? &ordinary : domain)->getWhyOutside(value);
    bool isAnyText = isOption && !why && domain == known.end() && pass &&
                     takesAnyText(pass.getPassName(), name);
    if (isAnyText)
      why = "is a text of which only the pass knows what it means";
    if (why)
      outside.push_back({name.str(), isOption, *why});
  };
  std::optional<RegisteredOperationName> name = op->getRegisteredInfo();
  if (!name)
    return outside;
  // An op made without attributes has the default values.
  OperationState state(op->getLoc(), *name);
  OwningOpRef<Operation *> bare = Operation::create(state);
  for (StringAttr attribute : name->getAttributeNames()) {
    Attribute value = op->getInherentAttr(attribute).value_or(nullptr);
    bool isSegments = attribute.getValue().ends_with("SegmentSizes") ||
                      attribute.getValue().ends_with("segment_sizes");
    if (!value || isSegments ||
        (pass && attribute == pass.getOptionsAttrName()))
      continue;
    if (value != bare.get()->getInherentAttr(attribute).value_or(nullptr))
      check(attribute, value, /*isOption=*/false, domains);
  }
  if (pass)
    for (NamedAttribute option : pass.getOptions())
      if (std::optional<Attribute> value = getPassOption(op, option.getName());
          value && *value)
        check(option.getName(), *value, /*isOption=*/true, ofPass);
  return outside;
}
