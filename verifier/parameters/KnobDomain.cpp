//===- KnobDomain.cpp - What a knob may be ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/KnobDomain.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::Domain;
using transform::tune::KnobOp;

/// Domains up to this size are filtered value by value.
static constexpr uint64_t kListed = uint64_t(1) << 16;

std::optional<int64_t> formwork::verifier::toInteger(Attribute attribute) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!integer)
    return std::nullopt;
  APInt value = integer.getValue();
  bool isUnsigned =
      integer.getType().isUnsignedInteger() || integer.getType().isInteger(1);
  if (isUnsigned)
    value = value.zext(value.getBitWidth() + 1);
  return value.trySExtValue();
}

bool KnobCondition::holds(int64_t value) const {
  switch (kind) {
  case MultipleOf:
    return value % number == 0;
  case Divides:
    return value > 0 && number % value == 0;
  case PowerOfTwo:
    return value > 0 && llvm::isPowerOf2_64(value);
  case InRange:
    // Unsigned, because the distance of two words need not fit in one.
    return value >= number && value <= last &&
           (uint64_t(value) - uint64_t(number)) % uint64_t(step) == 0;
  }
  llvm_unreachable("a condition is one of four");
}

solver::BoolTerm KnobCondition::getTerm(solver::TermContext &context,
                                        solver::IntTerm knob) const {
  switch (kind) {
  case MultipleOf:
    return context.divides(context.constant(number), knob);
  case Divides:
    return context.logicalAnd(context.lessEqual(context.constant(1), knob),
                              context.divides(knob, context.constant(number)));
  case PowerOfTwo:
    return context.powerOfTwo(knob);
  case InRange:
    return context.allOf(
        {context.lessEqual(context.constant(number), knob),
         context.lessEqual(knob, context.constant(last)),
         context.divides(context.constant(step),
                         context.sub(knob, context.constant(number)))});
  }
  llvm_unreachable("a condition is one of four");
}

using Refuse = llvm::function_ref<void(const Twine &)>;

/// A positive number in the attribute `name`, if it is there.
static LogicalResult readPositive(KnobOp knob, StringRef name,
                                  std::optional<int64_t> &number,
                                  Refuse refuse) {
  Attribute attribute = knob->getDiscardableAttr(name);
  if (!attribute)
    return success();
  number = toInteger(attribute);
  if (number && *number > 0 && *number <= Domain::MaxFactored)
    return success();
  refuse(llvm::formatv("requires an integer from 1 to {0} as '{1}'",
                       Domain::MaxFactored, name)
             .str());
  return failure();
}

/// [first, last] or [first, last, step].
static LogicalResult readRange(KnobOp knob, std::optional<KnobCondition> &range,
                               Refuse refuse) {
  Attribute attribute = knob->getDiscardableAttr(kKnobRange);
  if (!attribute)
    return success();
  auto bounds = dyn_cast<ArrayAttr>(attribute);
  SmallVector<int64_t, 3> numbers;
  if (bounds)
    for (Attribute bound : bounds)
      if (std::optional<int64_t> number = toInteger(bound))
        numbers.push_back(*number);
  if (!bounds || numbers.size() != bounds.size() || numbers.size() < 2 ||
      numbers.size() > 3 || (numbers.size() == 3 && numbers[2] < 1)) {
    refuse("requires '" + Twine(kKnobRange) +
           "' to be [first, last] or [first, last, step] with a positive step");
    return failure();
  }
  if (numbers[0] < -Domain::Limit || numbers[1] > Domain::Limit) {
    refuse("requires numbers from -2^62 to 2^62 in '" + Twine(kKnobRange) +
           "' but it is from " + Twine(numbers[0]) + " to " +
           Twine(numbers[1]));
    return failure();
  }
  range = KnobCondition{KnobCondition::InRange, numbers[0], numbers[1],
                        numbers.size() == 3 ? numbers[2] : 1};
  return success();
}

/// The smallest of the candidate domains, of which `conditions` thin out the
/// rest.
static std::optional<Domain>
chooseDomain(std::optional<Domain> options,
             const std::optional<KnobCondition> &range,
             std::optional<int64_t> multipleOf, std::optional<int64_t> divides,
             bool powerOfTwo) {
  int64_t first = range ? range->number : 1;
  int64_t last = range ? range->last : Domain::Limit;
  std::optional<Domain> best = std::move(options);
  auto consider = [&](Domain domain) {
    if (!best || domain.size() < best->size())
      best = std::move(domain);
  };
  if (divides)
    consider(*Domain::divisors(*divides, std::max<int64_t>(first, 1), last));
  if (powerOfTwo)
    consider(Domain::powersOfTwo(std::max<int64_t>(first, 1), last));
  if (range)
    consider(Domain::range(range->number, range->last, range->step));
  if (range && multipleOf)
    consider(Domain::multiples(*multipleOf, first, last));
  return best;
}

FailureOr<std::variant<KnobDomain, OpaqueOptions>>
formwork::verifier::readKnobDomain(KnobOp knob, Refuse refuse) {
  std::optional<Domain> options;
  if (auto array = dyn_cast<ArrayAttr>(knob.getOptions())) {
    SmallVector<int64_t> values;
    for (Attribute option : array) {
      std::optional<int64_t> value = toInteger(option);
      if (!value) {
        std::string text = debugString(option);
        return {OpaqueOptions{"has the option " + text +
                              ", which is not a 64-bit integer"}};
      }
      bool isBeyond = *value < -Domain::Limit || *value > Domain::Limit;
      // Upstream looks at nothing but the option that is selected.
      if (isBeyond && knob.getSelected())
        return {OpaqueOptions{("has the option " + Twine(*value) +
                               ", which is not from -2^62 to 2^62")
                                  .str()}};
      if (isBeyond) {
        refuse("requires options from -2^62 to 2^62 but has " + Twine(*value));
        return failure();
      }
      values.push_back(*value);
    }
    options = Domain::list(values);
  }

  std::optional<KnobCondition> range;
  std::optional<int64_t> multipleOf, divides;
  bool powerOfTwo = knob->hasAttr(kKnobPowerOfTwo);
  if (failed(readRange(knob, range, refuse)) ||
      failed(readPositive(knob, kKnobMultipleOf, multipleOf, refuse)) ||
      failed(readPositive(knob, kKnobDivides, divides, refuse)))
    return failure();
  std::optional<Domain> domain =
      chooseDomain(std::move(options), range, multipleOf, divides, powerOfTwo);
  if (!domain) {
    refuse("requires an array of options, '" + Twine(kKnobRange) + "', '" +
           kKnobDivides + "' or '" + kKnobPowerOfTwo +
           "' but has values without a bound");
    return failure();
  }

  KnobDomain result;
  if (range)
    result.conditions.push_back(*range);
  if (multipleOf)
    result.conditions.push_back({KnobCondition::MultipleOf, *multipleOf});
  if (divides)
    result.conditions.push_back({KnobCondition::Divides, *divides});
  if (powerOfTwo)
    result.conditions.push_back({KnobCondition::PowerOfTwo});
  if (domain->size() <= kListed) {
    SmallVector<int64_t> values;
    for (uint64_t i = 0; i < domain->size(); ++i)
      if (llvm::all_of(result.conditions, [&](const KnobCondition &condition) {
            return condition.holds(domain->at(i));
          }))
        values.push_back(domain->at(i));
    // A progression that lost nothing stays one, which reads better.
    if (values.size() < domain->size())
      domain = Domain::list(values);
    result.conditions.clear();
  }
  result.domain = std::move(*domain);
  return {std::move(result)};
}
