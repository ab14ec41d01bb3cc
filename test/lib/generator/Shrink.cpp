//===- Shrink.cpp - Smaller modules that still fail -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Shrink.h"

#include "engine/Check.h"
#include "test/lib/generator/ShrinkEdits.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <array>

using namespace mlir;

namespace formwork::testing {

namespace {

/// Compared lexicographically; every accepted edit makes it smaller, so the
/// search ends.
using Measure = std::array<uint64_t, 4>;

Measure measure(ModuleOp module) {
  Measure result = {};
  auto &[substantial, trips, ops, carried] = result;
  module.walk([&](Operation *op) {
    substantial += !isFiller(op);
    trips += countTrips(op);
    ++ops;
    carried += countCarried(op);
  });
  return result;
}

/// The ops that `removeOps` may be asked for, in pre-order.
SmallVector<Operation *> getRemovable(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && !isa<func::FuncOp>(op) &&
        !op->hasTrait<OpTrait::IsTerminator>())
      ops.push_back(op);
  });
  return ops;
}

SmallVector<Operation *> getAll(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

class Shrinker {
public:
  using Edit = function_ref<bool(ModuleOp)>;

  Shrinker(ModuleOp failing, function_ref<bool(ModuleOp)> stillFails,
           ShrinkLimits limits)
      : best(failing.clone()), size(measure(*best)), stillFails(stillFails),
        limits(limits) {}

  void run() {
    removeFunctions();
    bool changed = true;
    while (changed && !isExhausted()) {
      changed = removeChunks();
      changed |=
          editEach([](Operation *op) { return op->getNumRegions(); }, unwrap);
      changed |=
          editEach([](Operation *op) -> unsigned { return countTrips(op) > 1; },
                   [](Operation *op, unsigned) { return runOnce(op); });
      changed |= editEach(countCarried, dropCarried);
      changed |= removeFunctions();
    }
    report.isMinimal = !isExhausted();
  }

  OwningOpRef<ModuleOp> best;
  ShrinkReport report;

private:
  bool isExhausted() const { return report.candidates >= limits.maxCandidates; }

  /// Applies `edit` to a copy of the best module; if that still fails, it is
  /// the best from now on.
  bool attempt(Edit edit) {
    if (isExhausted())
      return false;
    OwningOpRef<ModuleOp> candidate = best->clone();
    if (!edit(*candidate))
      return false;
    Measure candidateSize = measure(*candidate);
    if (candidateSize >= size)
      return false;
    {
      // An edit that the verifier refuses is nobody's error.
      ScopedDiagnosticHandler quiet(candidate->getContext(),
                                    [](Diagnostic &) {});
      if (failed(verify(*candidate)))
        return false;
    }
    ++report.candidates;
    OwningOpRef<ModuleOp> shown = candidate->clone();
    if (!stillFails(*shown))
      return false;
    ++report.accepted;
    best = std::move(candidate);
    size = candidateSize;
    return true;
  }

  /// Removes ranges of what `count` counts, from the back, in halving sizes.
  bool removeRanges(function_ref<size_t()> count,
                    function_ref<bool(size_t begin, size_t end)> remove) {
    bool changed = false;
    size_t length = std::max<size_t>(count() / 2, 1);
    while (true) {
      // Sizes change as ranges go, so the end is looked up each time.
      for (size_t end = count(); end > 0;) {
        size_t begin = end > length ? end - length : 0;
        if (remove(begin, end)) {
          changed = true;
          end = std::min(begin, count());
        } else {
          end = begin;
        }
      }
      if (length == 1 || isExhausted())
        return changed;
      length /= 2;
    }
  }

  bool removeFunctions() {
    auto list = [](ModuleOp module) {
      return llvm::to_vector(module.getOps<func::FuncOp>());
    };
    return removeRanges([&] { return list(*best).size(); },
                        [&](size_t begin, size_t end) {
                          return attempt([&](ModuleOp module) {
                            auto functions = list(module);
                            for (size_t i = end; i > begin; --i)
                              if (!removeFunction(functions[i - 1]))
                                return false;
                            return true;
                          });
                        });
  }

  bool removeChunks() {
    return removeRanges(
        [&] { return getRemovable(*best).size(); },
        [&](size_t begin, size_t end) {
          for (Substitute substitute :
               {Substitute::Operand, Substitute::Argument, Substitute::Filler})
            if (removeRange(begin, end, substitute))
              return true;
          return false;
        });
  }

  bool removeRange(size_t begin, size_t end, Substitute substitute) {
    return attempt([&](ModuleOp module) {
      SmallVector<Operation *> all = getRemovable(module);
      SmallVector<Operation *> roots;
      for (Operation *op : ArrayRef(all).slice(begin, end - begin))
        if (roots.empty() || !roots.back()->isAncestor(op))
          roots.push_back(op);
      return removeOps(roots, substitute);
    });
  }

  /// Tries `edit` on every op, once for each number below `variants`.
  bool editEach(function_ref<unsigned(Operation *)> variants,
                function_ref<bool(Operation *, unsigned)> edit) {
    bool changed = false;
    for (size_t i = getAll(*best).size(); i > 0;) {
      --i;
      SmallVector<Operation *> ops = getAll(*best);
      if (i >= ops.size())
        continue;
      for (unsigned variant = variants(ops[i]); variant > 0; --variant)
        if (attempt([&](ModuleOp module) {
              return edit(getAll(module)[i], variant - 1);
            })) {
          changed = true;
          break;
        }
    }
    return changed;
  }

  Measure size;
  function_ref<bool(ModuleOp)> stillFails;
  ShrinkLimits limits;
};

} // namespace

OwningOpRef<ModuleOp> shrink(ModuleOp failing,
                             function_ref<bool(ModuleOp)> stillFails,
                             ShrinkLimits limits, ShrinkReport *report) {
  OwningOpRef<ModuleOp> shown = failing.clone();
  bool fails = stillFails(*shown);
  FW_CHECK(fails, "the module to shrink has the property");
  Shrinker shrinker(failing, stillFails, limits);
  shrinker.run();
  if (report)
    *report = shrinker.report;
  return std::move(shrinker.best);
}

} // namespace formwork::testing
