//===- Cycle.cpp - Which rules undo each other ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Cycle.h"

#include "engine/ContextClone.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <set>

using namespace mlir;
using namespace formwork::engine;

namespace {
/// Records the debug names of the rules that fired, and of rules that made ops
/// although they did not apply.
struct NameListener : RewriterBase::Listener {
  void notifyPatternBegin(const Pattern &, Operation *) override {
    inserted = false;
  }
  void notifyOperationInserted(Operation *, OpBuilder::InsertPoint) override {
    inserted = true;
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    if (succeeded(status) || inserted)
      names.insert(pattern.getDebugName().str());
  }
  bool inserted = false;
  std::set<std::string> names;
};

/// Runs a clone of the anchor step by step: one rewrite or procedure at a time.
class Stepper {
public:
  Stepper(const Driver &driver, Operation *anchor)
      : driver(driver), clone(anchor) {}

  /// Runs until a state comes back. Then `names` are the rules and procedures
  /// that changed something between the two visits. False when no state comes
  /// back within `steps` steps.
  bool findReturn(unsigned steps, std::set<std::string> &names) {
    llvm::DenseMap<Fingerprint, unsigned> seen;
    std::vector<std::set<std::string>> fired;
    for (unsigned step = 0; step <= steps; ++step) {
      auto [it, inserted] =
          seen.try_emplace(fingerprinter.ofBody(clone.getAnchor()), step);
      if (!inserted) {
        for (unsigned i = it->second; i < step; ++i)
          names.insert(fired[i].begin(), fired[i].end());
        return !names.empty();
      }
      fired.emplace_back();
      if (!runOne(fired.back()))
        return false;
    }
    return false;
  }

private:
  /// Applies one rewrite; when no rule applies, runs all procedures. False at a
  /// fixpoint.
  bool runOne(std::set<std::string> &names) {
    NameListener listener;
    Operation *anchor = clone.getAnchor();
    if (driver.greedy) {
      GreedyRewriteConfig config;
      config.setMaxIterations(1).setMaxNumRewrites(1).setListener(&listener);
      config.setUseTopDownTraversal(true);
      if (anchor->hasTrait<OpTrait::IsIsolatedFromAbove>()) {
        (void)applyPatternsGreedily(anchor, driver.rules->getPatterns(),
                                    config);
      } else {
        SmallVector<Operation *> ops;
        anchor->walk([&](Operation *op) {
          if (op != anchor)
            ops.push_back(op);
        });
        (void)applyOpPatternsGreedily(ops, driver.rules->getPatterns(), config);
      }
      if (!listener.names.empty()) {
        names = std::move(listener.names);
        return true;
      }
    }
    IRRewriter rewriter(anchor->getContext());
    for (const Procedure &procedure : driver.procedures) {
      FailureOr<bool> changed = procedure.run(rewriter, anchor);
      if (succeeded(changed) && *changed)
        names.insert(procedure.name);
    }
    return !names.empty();
  }

  const Driver &driver;
  ContextClone clone;
  Fingerprinter fingerprinter;
};
} // namespace

/// The part of `driver` whose names are in `names`.
static Driver restrictTo(const Driver &driver, ArrayRef<std::string> names) {
  Driver part;
  part.rules = driver.rules->only(names);
  part.greedy = driver.greedy;
  for (const Procedure &procedure : driver.procedures)
    if (llvm::is_contained(names, procedure.name))
      part.procedures.push_back(procedure);
  return part;
}

std::vector<std::string> formwork::engine::findCycle(const Driver &driver,
                                                     Operation *anchor) {
  uint64_t ops = 0;
  anchor->walk([&](Operation *) { ++ops; });
  // Each step visits the whole anchor. This allows a few million op visits in
  // all.
  unsigned steps =
      std::clamp<uint64_t>(2'000'000 / std::max<uint64_t>(ops, 1), 16, 256);

  std::set<std::string> names;
  if (!Stepper(driver, anchor).findReturn(steps, names))
    return {};
  std::vector<std::string> set(names.begin(), names.end());

  auto cycles = [&](ArrayRef<std::string> candidate) {
    std::set<std::string> ignored;
    Driver part = restrictTo(driver, candidate);
    return Stepper(part, anchor).findReturn(steps, ignored);
  };
  auto pick = [&](unsigned mask) {
    std::vector<std::string> candidate;
    for (auto [i, name] : llvm::enumerate(set))
      if (mask & (1u << i))
        candidate.push_back(name);
    return candidate;
  };

  constexpr size_t exhaustive = 6;
  if (set.size() <= exhaustive) {
    SmallVector<unsigned> masks;
    for (unsigned mask = 1; mask < (1u << set.size()); ++mask)
      masks.push_back(mask);
    llvm::stable_sort(masks, [](unsigned a, unsigned b) {
      return llvm::popcount(a) < llvm::popcount(b);
    });
    for (unsigned mask : masks)
      if (cycles(pick(mask))) {
        set = pick(mask);
        break;
      }
  } else {
    for (size_t i = 0; i < set.size();) {
      std::vector<std::string> smaller = set;
      smaller.erase(smaller.begin() + i);
      if (cycles(smaller))
        set = std::move(smaller);
      else
        ++i;
    }
  }
  for (std::string &name : set)
    name = getRuleName(name);
  llvm::sort(set);
  return set;
}
