//===- SmallerSizes.cpp - Smaller sizes for a faster payload ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reduce/SmallerSizes.h"

#include "engine/Fingerprint.h"
#include "transforms/reduce/Edits.h"
#include "transforms/schedule/Trial.h"
#include "transforms/settle/WatchedRun.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <map>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
namespace json = llvm::json;

/// The largest number of trial runs.
static constexpr unsigned maxTrials = 40;

/// A row of more elements may become one vector, for which MLIR's and LLVM's
/// code grows faster than the row.
static constexpr int64_t longRow = 4096;

static uint64_t multiply(ArrayRef<int64_t> extents) {
  uint64_t product = 1;
  for (int64_t extent : extents)
    product = llvm::SaturatingMultiply(
        product, ShapedType::isDynamic(extent) ? uint64_t(1)
                                               : static_cast<uint64_t>(extent));
  return product;
}

uint64_t formwork::transforms::countElements(ModuleOp payload) {
  uint64_t sum = 0;
  payload.walk([&](Operation *op) {
    uint64_t most = 0;
    auto take = [&](Type type) {
      if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
        most = std::max(most, multiply(shaped.getShape()));
    };
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      most = multiply(structured.getStaticLoopRanges());
    llvm::for_each(op->getOperandTypes(), take);
    llvm::for_each(op->getResultTypes(), take);
    sum = llvm::SaturatingAdd(sum, most);
  });
  return sum;
}

/// The number of loops of `payload` that are known to run once. An error that
/// needs two iterations does not show in such loops.
static unsigned countSingleLoops(ModuleOp payload) {
  unsigned count = 0;
  payload.walk([&](Operation *op) {
    if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
      gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
      for (Value size : {grid.x, grid.y, grid.z})
        count += isConstantIntValue(size, 1);
    }
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop)
      return;
    auto lower = loop.getLoopLowerBounds();
    auto upper = loop.getLoopUpperBounds();
    auto step = loop.getLoopSteps();
    if (!lower || !upper || !step)
      return;
    for (auto [from, to, by] : llvm::zip_equal(*lower, *upper, *step)) {
      auto first = getConstantIntValue(from), last = getConstantIntValue(to),
           size = getConstantIntValue(by);
      count += first && last && size && *last - *first <= *size;
    }
  });
  return count;
}

/// Describes what `entry` does to a copy of `payload`: the steps that change
/// the payload, in order, the kinds of the ops that are left, and the count of
/// each kind. Empty if the run fails. Runs in a child process.
static json::Object describeRun(ModuleOp payload,
                                transform::NamedSequenceOp entry,
                                const normalforms::ContractLibrary &contracts) {
  std::optional<json::Object> answer =
      answerInChild(payload.getContext(), [&] {
        ScopedDiagnosticHandler quiet(payload.getContext(),
                                      [](Diagnostic &) {});
        OwningOpRef<ModuleOp> copy = payload.clone();
        std::string steps, kinds, numbers;
        llvm::raw_string_ostream os(steps);
        engine::Fingerprinter fingerprinter;
        engine::Fingerprint last = fingerprinter.ofBody(*copy);
        LogicalResult ran = runWatched(
            *copy, entry, contracts, [](Value) { return std::string(); },
            [&](Operation *step, bool isDone, const auto &) {
              engine::Fingerprint now;
              if (!isDone || (now = fingerprinter.ofBody(*copy)) == last)
                return;
              last = now;
              os << reinterpret_cast<uintptr_t>(step) << ':'
                 << countSingleLoops(*copy) << ' ';
            });
        if (failed(ran))
          return json::Object{};
        std::map<StringRef, unsigned> counts;
        copy->walk(
            [&](Operation *op) { ++counts[op->getName().getStringRef()]; });
        for (auto [kind, count] : counts) {
          kinds += (kind + " ").str();
          numbers += std::to_string(count) + ' ';
        }
        return json::Object{
            {"steps", steps}, {"kinds", kinds}, {"counts", numbers}};
      }).object;
  return answer ? std::move(*answer) : json::Object();
}

/// The sizes of the arguments and results of functions, the largest first.
static SmallVector<int64_t> listFunctionExtents(ModuleOp payload) {
  SmallVector<int64_t> extents;
  for (auto function : payload.getOps<func::FuncOp>())
    for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                              function.getResultTypes()))
      if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
        for (int64_t extent : shaped.getShape())
          if (!ShapedType::isDynamic(extent) && extent > 1)
            extents.push_back(extent);
  llvm::sort(extents, std::greater<>());
  extents.erase(llvm::unique(extents), extents.end());
  return extents;
}

namespace {
/// Makes sizes smaller, one at a time.
class Shrinker {
public:
  explicit Shrinker(ModuleOp payload) : now(payload) {}

  ModuleOp get() const { return now; }

  /// Makes the size `from` the size `to`, if that is smaller and `isKept` of a
  /// payload with it, which verifies.
  bool take(int64_t from, int64_t to,
            llvm::function_ref<bool(ModuleOp)> isKept) {
    if (to < 1 || to >= from)
      return false;
    OwningOpRef<ModuleOp> copy = now.clone();
    shrinkExtent(*copy, from, to);
    ScopedDiagnosticHandler quiet(now.getContext(), [](Diagnostic &) {});
    if (failed(verify(*copy)) || !isKept(*copy))
      return false;
    smallest = std::move(copy);
    now = *smallest;
    int64_t origin = origins.contains(from) ? origins[from] : from;
    origins.erase(from);
    origins[to] = origin;
    return true;
  }

  SmallerSizes finish() {
    SmallerSizes sizes{std::move(smallest), ""};
    llvm::raw_string_ostream os(sizes.text);
    llvm::interleaveComma(llvm::reverse(origins), os, [&](const auto &one) {
      os << one.second << " is " << one.first;
    });
    return sizes;
  }

private:
  OwningOpRef<ModuleOp> smallest;
  ModuleOp now;
  /// Maps each present size to the original one.
  std::map<int64_t, int64_t> origins;
};
} // namespace

SmallerSizes formwork::transforms::findSmallerSizes(
    ModuleOp payload, transform::NamedSequenceOp entry,
    const normalforms::ContractLibrary &contracts, uint64_t limit) {
  json::Object expected = describeRun(payload, entry, contracts);
  if (expected.empty())
    return {};
  Shrinker shrinker(payload);
  unsigned trials = 0;
  bool comparesCounts = true;
  auto doesTheSame = [&](ModuleOp copy) {
    if (++trials > maxTrials)
      return false;
    json::Object run = describeRun(copy, entry, contracts);
    if (!comparesCounts)
      run.erase("counts");
    return run == expected;
  };
  auto shrink = [&] {
    for (int64_t extent : listFunctionExtents(shrinker.get()))
      // Keep odd sizes odd, so that their tiles still have an odd remainder.
      for (int64_t part : {8, 4, 2})
        if (shrinker.take(extent, extent / part | (extent & 1), doesTheSame))
          return true;
    return false;
  };
  while (countElements(shrinker.get()) > limit && trials < maxTrials &&
         shrink()) {
  }
  // Steps that unroll leave fewer ops of less.
  comparesCounts = false;
  expected.erase("counts");
  auto isLarge = [&] {
    SmallVector<int64_t> extents = listFunctionExtents(shrinker.get());
    return countElements(shrinker.get()) > limit ||
           (!extents.empty() && extents.front() > longRow);
  };
  while (isLarge() && trials < maxTrials && shrink()) {
  }
  return shrinker.finish();
}

SmallerSizes formwork::transforms::findSizesThatShow(
    ModuleOp payload, llvm::function_ref<bool(ModuleOp)> shows,
    std::chrono::milliseconds budget) {
  auto end = std::chrono::steady_clock::now() + budget;
  auto isKept = [&](ModuleOp copy) {
    return std::chrono::steady_clock::now() < end && shows(copy);
  };
  Shrinker shrinker(payload);
  for (int64_t extent : listFunctionExtents(payload))
    for (int64_t smaller : {int64_t(1), int64_t(2), int64_t(5), extent / 8,
                            extent / 4, extent / 2})
      if (shrinker.take(extent, smaller, isKept))
        break;
  return shrinker.finish();
}
