//===- Arguments.cpp - Arguments of decisions -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/Arguments.h"

#include "engine/SourcePlace.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

DiagnosedSilenceableFailure formwork::transforms::readNumbers(
    Operation *op, transform::TransformState &state,
    ArrayRef<OpFoldResult> list, size_t target, size_t numTargets,
    SmallVectorImpl<int64_t> &numbers) {
  for (OpFoldResult entry : list) {
    if (std::optional<int64_t> number = getConstantIntValue(entry)) {
      numbers.push_back(*number);
      continue;
    }
    ArrayRef<Attribute> values = state.getParams(cast<Value>(entry));
    if (values.size() != 1 && values.size() != numTargets)
      return emitDefiniteFailure(op->getLoc())
             << "requires a parameter of one value, or of one for each of "
             << numTargets << " targets, but has one of " << values.size()
             << " [fw-bad-threads]";
    auto number =
        dyn_cast<IntegerAttr>(values[values.size() == 1 ? 0 : target]);
    if (!number)
      return emitDefiniteFailure(op->getLoc())
             << "requires a parameter of integers but has one of other "
                "attributes [fw-bad-threads]";
    // The checks of numbers take this value for one that is not known yet.
    if (ShapedType::isDynamic(number.getInt()))
      return emitDefiniteFailure(op->getLoc())
             << "requires a parameter of numbers but has one of "
             << number.getInt()
             << ", which stands for an unknown number in MLIR "
                "[fw-bad-threads]";
    numbers.push_back(number.getInt());
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure formwork::transforms::readTargets(
    Operation *op, transform::TransformState &state, Value handle,
    ArrayRef<int64_t> staticNumbers, ValueRange dynamicNumbers,
    SmallVectorImpl<TargetNumbers> &targets) {
  Builder builder(op->getContext());
  SmallVector<OpFoldResult> list =
      getMixedValues(staticNumbers, dynamicNumbers, builder);
  SmallVector<Operation *> ops = llvm::to_vector(state.getPayloadOps(handle));
  for (auto [index, target] : llvm::enumerate(ops)) {
    TargetNumbers &entry = targets.emplace_back(TargetNumbers{target, {}});
    DiagnosedSilenceableFailure read =
        readNumbers(op, state, list, index, ops.size(), entry.numbers);
    if (!read.succeeded())
      return read;
  }
  return DiagnosedSilenceableFailure::success();
}

std::optional<std::string>
formwork::transforms::checkNumbers(ArrayRef<int64_t> threads,
                                   ArrayRef<int64_t> width) {
  constexpr int64_t kMostThreads = 1024;
  int64_t product = 1;
  for (int64_t count : threads) {
    if (ShapedType::isDynamic(count))
      return std::nullopt;
    if (count < 1)
      return "requires numbers of threads of at least 1 but has " +
             std::to_string(count);
    if (count > kMostThreads / product)
      return "requires at most 1024 threads per block but has more";
    product *= count;
  }
  for (int64_t count : width)
    if (!ShapedType::isDynamic(count) && count < 1)
      return "requires a width of at least 1 but has " + std::to_string(count);
  return std::nullopt;
}

std::optional<std::string>
formwork::transforms::checkOneNumber(StringRef name, int64_t least,
                                     ArrayRef<int64_t> numbers) {
  if (numbers.size() != 1)
    return ("requires one " + name + " but has " + Twine(numbers.size())).str();
  if (!ShapedType::isDynamic(numbers.front()) && numbers.front() < least)
    return ("requires a " + name + " of at least " + Twine(least) +
            " but has " + Twine(numbers.front()))
        .str();
  return std::nullopt;
}

DiagnosedSilenceableFailure
formwork::transforms::refuseTarget(Operation *op, Operation *target,
                                   const Twine &message,
                                   std::optional<Location> where) {
  DiagnosedSilenceableFailure failure =
      emitSilenceableFailure(op->getLoc(), message);
  failure.attachNote(engine::getNearestLoc(target)) << "payload op";
  if (where && *where != engine::getNearestLoc(target))
    failure.attachNote(*where) << "here";
  return failure;
}
