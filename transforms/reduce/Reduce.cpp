//===- Reduce.cpp - Reduces a pair that shows a finding ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reduce/Reduce.h"

#include "engine/Fingerprint.h"
#include "transforms/reduce/Edits.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

namespace {
class Reducer {
public:
  Reducer(ModuleOp payload, ModuleOp schedule, const ReduceOptions &options,
          Symptom shows)
      : shows(shows), entryPoint(options.entryPoint), function(options.entry),
        end(std::chrono::steady_clock::now() + options.budget) {
    if (payload)
      pair.payload = payload.clone();
    pair.schedule = schedule.clone();
    findFunction();
    pair.payloadBefore = countPayload();
    pair.scheduleBefore = countSchedule();
  }

  ReducedPair run() {
    do {
      isSmaller = false;
      reduceSchedule();
      if (pair.payload)
        reducePayload();
      findFunction();
    } while (isSmaller && !isOver());
    pair.isCut = isOver();
    pair.payloadAfter = countPayload();
    pair.scheduleAfter = countSchedule();
    return std::move(pair);
  }

private:
  using Edit = llvm::function_ref<bool(ModuleOp)>;

  /// Without an entry, the only function is one.
  void findFunction() {
    if (!pair.payload || !function.empty())
      return;
    auto functions = pair.payload->getOps<func::FuncOp>();
    if (llvm::hasSingleElement(functions))
      function = (*functions.begin()).getSymName().str();
  }

  unsigned countPayload() const {
    return pair.payload ? listReducible(*pair.payload, function).size() : 0;
  }
  unsigned countSchedule() const {
    return listReducible(*pair.schedule, entryPoint).size();
  }
  bool isOver() const { return std::chrono::steady_clock::now() >= end; }

  /// Makes `edit` on a copy of `module`, and keeps the copy if the pair still
  /// shows the symptom.
  bool tryOn(OwningOpRef<ModuleOp> &module, Edit edit) {
    if (isOver())
      return false;
    OwningOpRef<ModuleOp> copy = module->clone();
    {
      ScopedDiagnosticHandler silent(copy->getContext(), [](Diagnostic &) {});
      if (!edit(*copy) || failed(verify(*copy)) ||
          fingerprinter.ofBody(*copy) == fingerprinter.ofBody(*module))
        return false;
    }
    std::swap(module, copy);
    ++pair.numTrials;
    if (shows(pair.payload ? *pair.payload : ModuleOp(), *pair.schedule)) {
      isSmaller = true;
      return true;
    }
    std::swap(module, copy);
    return false;
  }

  /// Erases ranges of operations, large ones first, and from the end.
  void eraseRanges(OwningOpRef<ModuleOp> &module, StringRef entry) {
    unsigned size = listReducible(*module, entry).size();
    for (unsigned count = size; count != 0 && !isOver(); count /= 2) {
      unsigned end = size;
      while (end != 0) {
        unsigned first = end - std::min(end, count);
        if (tryOn(module, [&](ModuleOp copy) {
              return eraseWithUsers(copy, entry, first, end - first);
            }))
          size = listReducible(*module, entry).size();
        end = std::min(first, size);
      }
    }
  }

  void bypassAll(OwningOpRef<ModuleOp> &module, StringRef entry) {
    for (unsigned i = listReducible(*module, entry).size(); i-- > 0;)
      tryOn(module, [&](ModuleOp copy) { return bypass(copy, entry, i); });
  }

  void dropAttributes(OwningOpRef<ModuleOp> &module, StringRef entry) {
    SmallVector<Operation *> all = listReducible(*module, entry);
    SmallVector<unsigned> counts;
    for (Operation *op : all)
      counts.push_back(op->getAttrs().size());
    for (auto [i, count] : llvm::enumerate(counts))
      for (unsigned k = count; k-- > 0;)
        tryOn(module, [&, number = unsigned(i)](ModuleOp copy) {
          return dropAttribute(copy, entry, number, k);
        });
  }

  void reduceSchedule() {
    eraseRanges(pair.schedule, entryPoint);
    bypassAll(pair.schedule, entryPoint);
    dropAttributes(pair.schedule, entryPoint);
  }

  void reducePayload() {
    eraseRanges(pair.payload, function);
    if (!function.empty()) {
      for (unsigned i = 16; i-- > 0;)
        tryOn(pair.payload,
              [&](ModuleOp copy) { return dropResult(copy, function, i); });
      eraseRanges(pair.payload, function);
    }
    bypassAll(pair.payload, function);
    if (!function.empty()) {
      for (unsigned i = countPayload(); i-- > 0;)
        tryOn(pair.payload,
              [&](ModuleOp copy) { return makeArgument(copy, function, i); });
      for (unsigned i = 64; i-- > 0;)
        tryOn(pair.payload,
              [&](ModuleOp copy) { return dropArgument(copy, function, i); });
    }
    dropAttributes(pair.payload, function);
    shrinkExtents();
  }

  /// Tries small sizes first: a pair that shows the symptom with size 2 is the
  /// easiest to read.
  void shrinkExtents() {
    for (int64_t extent : listExtents(*pair.payload))
      for (int64_t smaller :
           {int64_t(1), int64_t(2), int64_t(3), int64_t(4), int64_t(5),
            int64_t(8), extent / 8, extent / 4, extent / 2, extent / 2 + 1})
        if (smaller > 0 && smaller < extent &&
            tryOn(
                pair.payload,
                [&](ModuleOp copy) {
                  return shrinkExtent(copy, extent, smaller);
                }))
          break;
  }

  ReducedPair pair;
  Symptom shows;
  std::string entryPoint, function;
  std::chrono::steady_clock::time_point end;
  engine::Fingerprinter fingerprinter;
  bool isSmaller = false;
};
} // namespace

ReducedPair formwork::transforms::reduce(ModuleOp payload, ModuleOp schedule,
                                         const ReduceOptions &options,
                                         Symptom shows) {
  return Reducer(payload, schedule, options, shows).run();
}

void formwork::transforms::keepNames(
    Operation *root,
    const std::function<std::optional<std::string>(Value)> &nameOf) {
  auto getLoc = [&](Value value, Location loc) -> Location {
    std::optional<std::string> name = nameOf(value);
    if (!name)
      return loc;
    StringRef base = StringRef(*name).split('#').first;
    base.consume_front("%");
    // Values without a name are printed as numbers.
    if (base.empty() || llvm::isDigit(base.front()))
      return loc;
    return NameLoc::get(StringAttr::get(loc.getContext(), base), loc);
  };
  SmallVector<Operation *> all;
  root->walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : all) {
    if (op->getNumResults() != 0)
      op->setLoc(getLoc(op->getResult(0), op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(getLoc(argument, argument.getLoc()));
  }
}

std::string formwork::transforms::printPair(ModuleOp payload,
                                            ModuleOp schedule) {
  OwningOpRef<ModuleOp> both;
  if (payload) {
    both = payload.clone();
    OpBuilder builder = OpBuilder::atBlockEnd(both->getBody());
    builder.clone(*schedule);
  } else {
    both = schedule.clone();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.printNameLocAsPrefix();
  both->print(os, flags);
  os << '\n';
  return text;
}
