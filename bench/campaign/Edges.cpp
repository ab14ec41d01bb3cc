//===- Edges.cpp - Attributes at the edge ---------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Schedules.h"

#include "normalforms/PassOptions.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::campaign;

static int64_t drawEdge(Random &random, int64_t value) {
  static constexpr int64_t edges[] = {0,
                                      -1,
                                      1,
                                      2,
                                      3,
                                      64,
                                      127,
                                      2147483647,
                                      -2147483648,
                                      4294967296,
                                      std::numeric_limits<int64_t>::max(),
                                      std::numeric_limits<int64_t>::min()};
  switch (random.below(6)) {
  case 0:
    return static_cast<int64_t>(static_cast<uint64_t>(value) + 1);
  case 1:
    return static_cast<int64_t>(static_cast<uint64_t>(value) - 1);
  case 2:
    return static_cast<int64_t>(-static_cast<uint64_t>(value));
  default:
    return edges[random.below(std::size(edges))];
  }
}

template <typename T>
static SmallVector<T> changeList(ArrayRef<T> list, Random &random,
                                 llvm::function_ref<T(T)> change) {
  SmallVector<T> result(list);
  unsigned at = result.empty() ? 0 : random.below(result.size());
  switch (random.below(6)) {
  case 0:
    result.clear();
    break;
  case 1:
    if (!result.empty())
      result.erase(result.begin() + at);
    break;
  case 2:
    if (!result.empty()) {
      T again = result[at];
      result.push_back(again);
    }
    break;
  default:
    if (!result.empty())
      result[at] = change(result[at]);
  }
  return result;
}

static Attribute changeValue(Attribute value, Random &random);

static StringRef drawWord(Random &random, StringRef word) {
  static constexpr StringLiteral words[] = {"",
                                            "nothing-of-the-kind",
                                            "f",
                                            "t",
                                            "linalg.copy",
                                            "memref.alloc",
                                            "func.func",
                                            "-1",
                                            "a b"};
  return random.chance(0.2) ? word.drop_back() : StringRef(pick(random, words));
}

static Attribute changeValue(Attribute value, Random &random) {
  MLIRContext *context = value.getContext();
  Builder builder(context);
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (isa<BoolAttr>(value))
      return BoolAttr::get(context, !cast<BoolAttr>(value).getValue());
    APInt number = integer.getValue();
    if (number.getBitWidth() > 64)
      return value;
    APInt changed(number.getBitWidth(), drawEdge(random, number.getSExtValue()),
                  /*isSigned=*/true,
                  /*implicitTrunc=*/true);
    return IntegerAttr::get(integer.getType(), changed);
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    const llvm::fltSemantics &semantics = number.getValue().getSemantics();
    switch (random.below(3)) {
    case 0:
      return FloatAttr::get(number.getType(),
                            APFloat::getLargest(semantics, true));
    case 1:
      return FloatAttr::get(builder.getF64Type(), 0.0);
    default:
      return builder.getI32IntegerAttr(0);
    }
  }
  auto number = [&](auto element) {
    return static_cast<decltype(element)>(drawEdge(random, element));
  };
  if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
    return DenseI64ArrayAttr::get(
        context, changeList<int64_t>(list.asArrayRef(), random, number));
  if (auto list = dyn_cast<DenseI32ArrayAttr>(value))
    return DenseI32ArrayAttr::get(
        context, changeList<int32_t>(list.asArrayRef(), random, number));
  if (auto list = dyn_cast<DenseBoolArrayAttr>(value))
    return DenseBoolArrayAttr::get(
        context, changeList<bool>(list.asArrayRef(), random,
                                  [](bool flag) { return !flag; }));
  if (auto list = dyn_cast<ArrayAttr>(value))
    return builder.getArrayAttr(
        changeList<Attribute>(list.getValue(), random, [&](Attribute element) {
          return changeValue(element, random);
        }));
  if (auto word = dyn_cast<StringAttr>(value))
    return builder.getStringAttr(drawWord(random, word.getValue()));
  if (isa<FlatSymbolRefAttr>(value))
    return FlatSymbolRefAttr::get(context, "f");
  if (isa<TypeAttr>(value))
    return TypeAttr::get(random.chance(0.5) ? Type(builder.getIndexType())
                                            : Type(builder.getI32Type()));
  if (auto dictionary = dyn_cast<DictionaryAttr>(value)) {
    SmallVector<NamedAttribute> entries(dictionary.begin(), dictionary.end());
    if (entries.empty())
      return value;
    NamedAttribute &entry = entries[random.below(entries.size())];
    entry.setValue(changeValue(entry.getValue(), random));
    return builder.getDictionaryAttr(entries);
  }
  return value;
}

/// Something that an attribute or an option can be.
static Attribute drawValue(MLIRContext *context, Random &random) {
  Builder builder(context);
  switch (random.below(9)) {
  case 0:
  case 1:
    return builder.getUnitAttr();
  case 2:
    return builder.getBoolAttr(random.chance(0.5));
  case 3:
    return builder.getI64IntegerAttr(drawEdge(random, 4));
  case 4:
    return builder.getI32IntegerAttr(static_cast<int32_t>(drawEdge(random, 4)));
  case 5:
    return builder.getStringAttr(drawWord(random, "linalg.copy"));
  case 6: {
    SmallVector<int64_t> list;
    for (unsigned i = random.below(4); i > 0; --i)
      list.push_back(random.chance(0.3) ? drawEdge(random, 4)
                                        : random.between(0, 4));
    return random.chance(0.5) ? Attribute(builder.getDenseI64ArrayAttr(list))
                              : Attribute(builder.getI64ArrayAttr(list));
  }
  case 7: {
    SmallVector<bool> list(random.below(4), random.chance(0.5));
    return builder.getDenseBoolArrayAttr(list);
  }
  default:
    return builder.getArrayAttr(
        {builder.getStringAttr(drawWord(random, "func.func"))});
  }
}

/// Adds an option to a step that runs a pass.
static void addOption(transform::ApplyRegisteredPassOp step, Random &random) {
  SmallVector<std::string> options =
      normalforms::getPassOptions(step.getPassName());
  if (options.empty())
    return;
  MLIRContext *context = step.getContext();
  NamedAttrList entries(step.getOptions());
  Attribute value = drawValue(context, random);
  if (isa<UnitAttr, DenseI64ArrayAttr, DenseBoolArrayAttr>(value))
    value =
        IntegerAttr::get(IntegerType::get(context, 64), drawEdge(random, 4));
  entries.set(options[random.below(options.size())], value);
  step.setOptionsAttr(entries.getDictionary(context));
}

void formwork::campaign::changeAttribute(ModuleOp schedule, Random &random) {
  SmallVector<Operation *> ops;
  schedule.walk([&](Operation *op) {
    if (!isa<ModuleOp, transform::NamedSequenceOp, transform::YieldOp>(op) &&
        op->isRegistered())
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  Operation *op = ops[random.below(ops.size())];
  if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op);
      pass && random.chance(0.8))
    return addOption(pass, random);
  auto isSegments = [](StringRef name) {
    return name == "operandSegmentSizes" || name == "resultSegmentSizes" ||
           name == "pass_name";
  };
  SmallVector<StringAttr> names;
  for (StringAttr name : op->getName().getAttributeNames())
    if (!isSegments(name))
      names.push_back(name);
  if (names.empty())
    return;
  StringAttr name = names[random.below(names.size())];
  Attribute value;
  if (std::optional<Attribute> held = op->getInherentAttr(name))
    value = *held;
  // Properties that do not take a value are left null: then the op is invalid,
  // or as without it.
  if (!value)
    value = drawValue(op->getContext(), random);
  else if (random.chance(0.1))
    value = Attribute();
  else
    value = changeValue(value, random);
  op->setInherentAttr(name, value);
  // An attribute with a default is never missing in a schedule that was read.
  op->getName().populateDefaultProperties(op->getPropertiesStorage());
}
