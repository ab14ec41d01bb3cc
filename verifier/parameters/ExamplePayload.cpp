//===- ExamplePayload.cpp - What a schedule alone may meet ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/ExamplePayload.h"

#include "engine/Check.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
/// A named op, and the ranks of its operands, the result last.
struct NamedOp {
  StringLiteral name;
  std::array<int, 3> ranks;
};

/// What is to be made for a match.
struct Instance {
  const NamedOp *op;
  DictionaryAttr attributes;
  std::string handle;
};
} // namespace

static constexpr NamedOp namedOps[] = {
    {"linalg.batch_matmul", {3, 3, 3}},
    {"linalg.batch_matvec", {3, 2, 2}},
    {"linalg.batch_vecmat", {2, 3, 2}},
    {"linalg.conv_1d", {1, 1, 1}},
    {"linalg.conv_1d_ncw_fcw", {3, 3, 3}},
    {"linalg.conv_1d_nwc_wcf", {3, 3, 3}},
    {"linalg.conv_2d", {2, 2, 2}},
    {"linalg.conv_2d_nchw_fchw", {4, 4, 4}},
    {"linalg.conv_2d_nhwc_fhwc", {4, 4, 4}},
    {"linalg.conv_2d_nhwc_hwcf", {4, 4, 4}},
    {"linalg.conv_3d", {3, 3, 3}},
    {"linalg.depthwise_conv_2d_nhwc_hwc", {4, 3, 4}},
    {"linalg.dot", {1, 1, 0}},
    {"linalg.matmul", {2, 2, 2}},
    {"linalg.matvec", {2, 1, 1}},
    {"linalg.mmt4d", {4, 4, 4}},
    {"linalg.pooling_nchw_max", {4, 2, 4}},
    {"linalg.pooling_nhwc_max", {4, 2, 4}},
    {"linalg.pooling_nhwc_sum", {4, 2, 4}},
    {"linalg.vecmat", {1, 2, 1}},
};

static std::string getType(int rank) {
  std::string type = "tensor<";
  for (int i = 0; i < rank; ++i)
    type += "?x";
  return type + "f32>";
}

/// The named op that the match finds and nothing else; or null.
static const NamedOp *getNamedOp(transform::MatchOp match) {
  std::optional<ArrayAttr> names = match.getOps();
  if (!names || names->size() != 1 || match.getFilterResultType() ||
      match.getFilterOperandTypes())
    return nullptr;
  auto name = cast<StringAttr>((*names)[0]).getValue();
  auto known = llvm::find_if(
      namedOps, [&](const NamedOp &op) { return op.name == name; });
  return known == std::end(namedOps) ? nullptr : known;
}

/// The values that the ops of `handle` are set to, one each.
static SmallVector<Value> getHandles(Value handle) {
  for (Operation *user : handle.getUsers())
    if (auto split = dyn_cast<transform::SplitHandleOp>(user);
        split && !split.getOverflowResult() && split.getNumResults() != 0)
      return llvm::to_vector_of<Value>(split.getResults());
  return {handle};
}

static std::string getText(ArrayRef<Instance> instances) {
  std::string arguments, body, results, types;
  unsigned number = 0;
  for (auto [i, instance] : llvm::enumerate(instances)) {
    SmallVector<std::string> names;
    for (int rank : instance.op->ranks) {
      names.push_back("%a" + std::to_string(number++));
      arguments +=
          (arguments.empty() ? "" : ", ") + names.back() + ": " + getType(rank);
    }
    auto [left, right, out] = instance.op->ranks;
    body += llvm::formatv("  %r{0} = {1} ins({2}, {3} : {4}, {5}) outs({6} : "
                          "{7}) -> {7}\n",
                          i, instance.op->name, names[0], names[1],
                          getType(left), getType(right), names[2], getType(out))
                .str();
    results += (i ? ", %r" : "%r") + std::to_string(i);
    types += (i ? ", " : "") + getType(out);
  }
  return "func.func @example(" + arguments + ") -> (" + types + ") {\n" + body +
         "  return " + results + " : " + types + "\n}\n";
}

std::optional<ExamplePayload>
ExamplePayload::create(const ScheduleModel &schedule,
                       llvm::function_ref<std::string(Value)> nameOf) {
  SmallVector<Instance> instances;
  bool areApart = true;
  schedule.getModule()->walk([&](transform::MatchOp match) {
    const NamedOp *op = getNamedOp(match);
    if (!op)
      return;
    DictionaryAttr attributes =
        match.getOpAttrs().value_or(DictionaryAttr::get(match.getContext()));
    // Matched again, it is another op, perhaps: a tile of it, say.
    areApart &= llvm::none_of(instances, [&](const Instance &old) {
      return old.op == op && old.attributes != attributes;
    });
    bool isKnown = llvm::any_of(
        instances, [&](const Instance &old) { return old.op == op; });
    if (isKnown)
      return;
    for (Value handle : getHandles(match.getResult()))
      instances.push_back({op, attributes, nameOf(handle)});
  });
  if (instances.empty() || !areApart)
    return std::nullopt;

  ExamplePayload example;
  MLIRContext *context = schedule.getModule()->getContext();
  example.module = parseSourceString<ModuleOp>(
      getText(instances), ParserConfig(context), "<example payload>");
  FW_CHECK(example.module, "the text of an example is well-formed");
  unsigned next = 0;
  example.module->walk([&](Operation *op) {
    if (next == instances.size() ||
        op->getName().getStringRef() != instances[next].op->name)
      return;
    for (NamedAttribute attribute : instances[next].attributes)
      op->setDiscardableAttr(attribute.getName(), attribute.getValue());
    example.handles[op] = instances[next++].handle;
  });
  return example;
}

std::string ExamplePayload::getNameOfSize(Operation *op, unsigned dim) const {
  auto handle = handles.find(op);
  if (handle == handles.end())
    return "";
  return "dim(" + handle->second + ", " + std::to_string(dim) + ")";
}
