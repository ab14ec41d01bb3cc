//===- Normalizer.cpp - Rules and procedures to a fixpoint ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Normalizer.h"

#include "engine/ContextClone.h"
#include "engine/Cycle.h"
#include "engine/DriverKey.h"
#include "engine/SourcePlace.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace formwork::engine;

/// Adds the rest of a driver (greedy or not, procedures) to the key of its
/// rules.
template <typename Names>
static Fingerprint mixDriver(Fingerprint rules, bool greedy, Names names) {
  rules.mix(greedy);
  for (const std::string &name : names)
    rules.mix(llvm::hash_value(name));
  return rules;
}

Fingerprint Driver::getKey() const {
  return mixDriver(
      rules->getKey(), greedy,
      llvm::map_range(procedures,
                      [](const Procedure &procedure) -> const std::string & {
                        return procedure.name;
                      }));
}

Fingerprint
formwork::engine::computeDriverKey(ArrayRef<Operation *> descriptors,
                                   MLIRContext *context, bool greedy,
                                   ArrayRef<std::string> procedures) {
  return mixDriver(computeRuleSetKey(descriptors, context), greedy, procedures);
}

StringRef formwork::engine::stringifyStopReason(StopReason reason) {
  static constexpr StringLiteral names[] = {"fixpoint", "cycle", "limit",
                                            "failed", "false skip"};
  return names[static_cast<unsigned>(reason)];
}

bool NormalCache::isNormal(const Fingerprint &anchor,
                           const Fingerprint &driver) {
  Fingerprint key = anchor;
  key.mix(driver);
  std::lock_guard<std::mutex> lock(mutex);
  return known.contains(key);
}

void NormalCache::remember(const Fingerprint &anchor,
                           const Fingerprint &driver) {
  // At most 16 MiB of keys. After so many distinct anchors, payload is unlikely
  // to meet the first of them again.
  constexpr size_t limit = 1 << 20;
  Fingerprint key = anchor;
  key.mix(driver);
  std::lock_guard<std::mutex> lock(mutex);
  if (known.size() >= limit)
    known.clear();
  known.insert(key);
}

void NormalCache::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  known.clear();
  fingerprinter = Fingerprinter();
}

Fingerprinter NormalCache::takeFingerprinter() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(fingerprinter, Fingerprinter());
}

void NormalCache::giveBack(Fingerprinter other) {
  std::lock_guard<std::mutex> lock(mutex);
  fingerprinter = std::move(other);
}

//===----------------------------------------------------------------------===//
// Recorder
//===----------------------------------------------------------------------===//

/// Counts the rules that fire and forwards every notification.
class Normalizer::Recorder : public RewriterBase::ForwardingListener {
public:
  explicit Recorder(RewriterBase::Listener *next)
      : RewriterBase::ForwardingListener(next) {}

  void notifyPatternBegin(const Pattern &pattern, Operation *op) override {
    inPattern = true;
    inserted = false;
    where = getNearestLoc(op);
    RewriterBase::ForwardingListener::notifyPatternBegin(pattern, op);
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    RewriterBase::ForwardingListener::notifyPatternEnd(pattern, status);
    inPattern = false;
    rewrites += succeeded(status);
    // Some rules make ops before they find that they do not apply.
    if (succeeded(status) || inserted)
      count(pattern.getDebugName(), *where);
  }
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    inserted = true;
    RewriterBase::ForwardingListener::notifyOperationInserted(op, previous);
  }
  void notifyOperationModified(Operation *op) override {
    touch("driver.fold", op);
    RewriterBase::ForwardingListener::notifyOperationModified(op);
  }
  void notifyOperationReplaced(Operation *op, ValueRange values) override {
    touch("driver.fold", op);
    replaced = op;
    RewriterBase::ForwardingListener::notifyOperationReplaced(op, values);
  }
  void notifyOperationReplaced(Operation *op, Operation *newOp) override {
    notifyOperationReplaced(op, newOp->getResults());
  }
  void notifyOperationErased(Operation *op) override {
    // A replaced op is erased too; that is one event, not two.
    if (op != replaced)
      touch("driver.dead", op);
    replaced = nullptr;
    RewriterBase::ForwardingListener::notifyOperationErased(op);
  }

  void beginProcedure() { inProcedure = true; }
  void endProcedure(StringRef name, bool changed, Location loc) {
    inProcedure = false;
    if (changed)
      count(name, loc);
  }

  uint64_t getRewrites() const { return rewrites; }
  std::vector<RuleFires> takeFires() {
    std::vector<RuleFires> out;
    for (auto &[name, fires] : counts)
      out.push_back(fires);
    return out;
  }

private:
  void touch(StringRef name, Operation *op) {
    if (!inPattern && !inProcedure)
      count(name, getNearestLoc(op));
  }
  void count(StringRef name, Location loc) {
    auto [it, inserted] = counts.try_emplace(name, RuleFires{"", 0, loc});
    if (inserted)
      it->second.rule = getRuleName(name);
    ++it->second.count;
  }

  // Debug names and procedure names outlive the run.
  llvm::MapVector<StringRef, RuleFires> counts;
  std::optional<Location> where;
  Operation *replaced = nullptr;
  bool inPattern = false;
  bool inserted = false; ///< an op, by the current pattern
  bool inProcedure = false;
  uint64_t rewrites = 0;
};

//===----------------------------------------------------------------------===//
// Normalizer
//===----------------------------------------------------------------------===//

static bool isIsolated(Operation *op) {
  return op->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

static uint64_t countOps(Operation *scope) {
  uint64_t count = 0;
  scope->walk([&](Operation *) { ++count; });
  return count;
}

bool Normalizer::applyRules(Operation *scope, Recorder &recorder,
                            ArrayRef<Operation *> onlyOps, bool &converged) {
  converged = true;
  if (!driver.greedy)
    return false;
  const Limits &limits = options.limits;
  uint64_t budget =
      limits.baseRewrites + limits.rewritesPerOp * countOps(scope);

  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(options.topDown);
  config.setListener(&recorder);
  // This limit bounds one of the driver's iterations, and the driver makes ten.
  config.setMaxNumRewrites(std::max<uint64_t>(budget / 10, 1));

  if (!onlyOps.empty()) {
    bool changed = false;
    converged = succeeded(applyOpPatternsGreedily(
        onlyOps, driver.rules->getPatterns(), config, &changed));
    return changed;
  }

  bool any = false;
  std::optional<Fingerprint> last;
  for (uint64_t spent = 0; spent < budget;) {
    bool changed = false;
    uint64_t start = recorder.getRewrites();
    LogicalResult done = success();
    if (isIsolated(scope)) {
      done = applyPatternsGreedily(scope, driver.rules->getPatterns(), config,
                                   &changed);
    } else {
      SmallVector<Operation *> ops;
      scope->walk([&](Operation *op) {
        if (op != scope)
          ops.push_back(op);
      });
      done = applyOpPatternsGreedily(ops, driver.rules->getPatterns(), config,
                                     &changed);
    }
    any |= changed;
    converged = succeeded(done);
    if (converged)
      return any;
    // Ten iterations were not enough. Deep nesting needs many short ones, but
    // when a state comes back, more iterations gain nothing. If rules applied,
    // the return is a cycle. Otherwise it is the fixpoint: a rule made ops
    // before it found that it does not apply, and the driver erased them.
    Fingerprint state = fingerprinter.ofBody(scope);
    uint64_t made = recorder.getRewrites() - start;
    if (last && *last == state) {
      converged = made == 0;
      return any;
    }
    last = state;
    spent += made + limits.rewritesPerOp;
  }
  return any;
}

void Normalizer::runLeaf(Operation *scope, Recorder &recorder, Report &report) {
  llvm::DenseSet<Fingerprint> seen;
  std::optional<Fingerprint> last;
  IRRewriter rewriter(scope->getContext(), &recorder);
  for (unsigned round = 0;; ++round) {
    if (round == options.limits.maxRounds) {
      report.reason = StopReason::Limit;
      return;
    }
    report.rounds = std::max(report.rounds, round + 1);
    bool converged = true;
    applyRules(scope, recorder, {}, converged);
    if (!converged) {
      report.reason = StopReason::Limit;
      return;
    }

    // Needed from the second round on only: most anchors end after one round.
    std::optional<Fingerprint> afterRules;
    if (last)
      afterRules = fingerprinter.ofBody(scope);

    bool again = false;
    for (const Procedure &procedure : driver.procedures) {
      if (!procedure.anyAnchor && !isIsolated(scope))
        continue;
      if (options.onProcedure)
        options.onProcedure(procedure.name);
      recorder.beginProcedure();
      FailureOr<bool> changed = procedure.run(rewriter, scope);
      recorder.endProcedure(procedure.name, succeeded(changed) && *changed,
                            scope->getLoc());
      if (options.onProcedure)
        options.onProcedure("");
      if (failed(changed)) {
        report.reason = StopReason::Failed;
        report.failed = procedure.name;
        return;
      }
      again |= *changed;
    }
    // The rules are at their fixpoint when no procedure changed anything after
    // them.
    if (!again)
      return;
    Fingerprint after = fingerprinter.ofBody(scope);
    // A procedure may report a change although the round changed nothing.
    if (last && *last == after && *afterRules == after)
      return;
    if (!seen.insert(after).second) {
      report.reason = StopReason::Cycle;
      return;
    }
    last = after;
  }
}

/// Whether `op`, directly in a symbol table, is normalized by itself.
static bool isSubscope(Operation *op) {
  return op->getNumRegions() != 0 && isIsolated(op);
}

/// Whether `scope` is normalized op by op: a symbol table with isolated ops.
static bool isTableOfScopes(Operation *scope) {
  return isIsolated(scope) && scope->hasTrait<OpTrait::SymbolTable>() &&
         scope->getNumRegions() == 1 && scope->getRegion(0).hasOneBlock() &&
         llvm::any_of(scope->getRegion(0).front(),
                      [](Operation &op) { return isSubscope(&op); });
}

bool Normalizer::isKnown(const Fingerprint &scope) {
  return options.cache && options.cache->isNormal(scope, key);
}

void Normalizer::remember(const Fingerprint &scope) {
  if (!options.cache)
    return;
  options.cache->remember(scope, key);
  if (options.implied)
    for (const Fingerprint &implied : options.implied())
      options.cache->remember(scope, implied);
}

Fingerprint Normalizer::runWhole(Operation *scope, Recorder &recorder,
                                 Report &report) {
  Fingerprint before = fingerprinter.ofAnchor(scope);
  if (isKnown(before)) {
    ++report.skipped;
    if (options.verifySkips && checkIrreducible(driver, scope, options).changed)
      report.reason = StopReason::FalseSkip;
    return before;
  }
  if (options.onScope)
    options.onScope(scope);
  runLeaf(scope, recorder, report);
  Fingerprint after = fingerprinter.ofAnchor(scope);
  report.changed |= after != before;
  if (report.reason == StopReason::Fixpoint)
    remember(after);
  return after;
}

Fingerprint Normalizer::runScope(Operation *scope, Recorder &recorder,
                                 Report &report) {
  if (!isTableOfScopes(scope))
    return runWhole(scope, recorder, report);

  // Rules on the ops of the table itself (globals, function declarations) may
  // enable rules inside functions, and the other way round.
  for (unsigned round = 0; round < options.limits.maxRounds; ++round) {
    SmallVector<Operation *> ops;
    for (Operation &op : scope->getRegion(0).front())
      if (!options.isForeign || !options.isForeign(&op))
        ops.push_back(&op);
    Fingerprint table = fingerprinter.ofSurroundings(scope);
    for (Operation *op : ops) {
      if (!isSubscope(op)) {
        table.mix(fingerprinter.ofBody(op));
        continue;
      }
      table.mix(runScope(op, recorder, report));
      if (report.reason != StopReason::Fixpoint)
        return table;
    }
    if (!driver.greedy || ops.empty() || isKnown(table))
      return table;
    bool converged = true;
    bool changed = applyRules(scope, recorder, ops, converged);
    report.changed |= changed;
    if (!converged)
      break;
    if (!changed) {
      remember(table);
      return table;
    }
  }
  report.reason = StopReason::Limit;
  return Fingerprint();
}

Report Normalizer::run(Operation *anchor) {
  Report report;
  Recorder recorder(options.listener);
  runScope(anchor, recorder, report);
  report.fires = recorder.takeFires();
  if (options.explainCycles && (report.reason == StopReason::Limit ||
                                report.reason == StopReason::Cycle)) {
    report.cycle = findCycle(driver, anchor);
    report.reason =
        report.cycle.empty() ? StopReason::Limit : StopReason::Cycle;
  }
  return report;
}

Report formwork::engine::checkIrreducible(const Driver &driver,
                                          Operation *anchor,
                                          const NormalizerOptions &options) {
  ContextClone clone(anchor);
  Fingerprinter fingerprinter;
  Fingerprint before = fingerprinter.ofBody(clone.getAnchor());
  NormalizerOptions quiet;
  quiet.limits = options.limits;
  quiet.topDown = options.topDown;
  quiet.isForeign = options.isForeign;
  quiet.explainCycles = false;
  Report report = Normalizer(driver, quiet).run(clone.getAnchor());
  report.changed = fingerprinter.ofBody(clone.getAnchor()) != before;
  return report;
}
