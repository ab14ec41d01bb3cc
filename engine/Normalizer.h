//===- Normalizer.h - Rules and procedures to a fixpoint --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a rule set and procedures below an anchor until nothing changes or a
// limit is hit, and returns a report. Layer: engine; it knows nothing of forms,
// contracts or handles. A caller with handles passes a listener.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_NORMALIZER_H
#define FORMWORK_ENGINE_NORMALIZER_H

#include "engine/Fingerprint.h"
#include "engine/Procedures.h"
#include "engine/RuleSet.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace formwork::engine {

/// The rules and procedures to run, in this order, round after round.
struct Driver {
  std::shared_ptr<const RuleSet> rules;
  std::vector<Procedure> procedures;
  /// Whether the greedy driver runs. It always runs with rules. It can run
  /// without rules for its own folding, constant uniquing and dead-op erasure.
  bool greedy = true;

  bool empty() const { return !greedy && procedures.empty(); }
  /// Equal for drivers that do the same work.
  Fingerprint getKey() const;
};

/// Bounds that end every rule set. They are linear in the size of the anchor.
struct Limits {
  /// Rounds of rules, then procedures.
  unsigned maxRounds = 32;
  /// Rule applications in one round: `baseRewrites` + `rewritesPerOp` per op.
  uint64_t baseRewrites = 1 << 16;
  uint64_t rewritesPerOp = 64;
};

enum class StopReason {
  Fixpoint, ///< nothing changes any more
  Cycle,    ///< a state came back; see `cycle`
  Limit,    ///< no state came back, but a bound was hit
  Failed,   ///< a procedure failed; see `failed`
  FalseSkip ///< a skipped anchor was not normal (only with `verifySkips`)
};
llvm::StringRef stringifyStopReason(StopReason reason);

/// How often one rule or procedure changed something. The greedy driver's own
/// work is counted as `driver.fold` and `driver.dead`.
struct RuleFires {
  std::string rule;
  uint64_t count = 0;
  mlir::Location first; ///< where it fired first
};

struct Report {
  bool changed = false;
  /// Rounds run; 0 when the anchor was skipped.
  unsigned rounds = 0;
  unsigned skipped = 0; ///< scopes skipped as known to be normal
  StopReason reason = StopReason::Fixpoint;
  std::vector<RuleFires> fires;   ///< in order of first firing
  std::vector<std::string> cycle; ///< smallest set found, sorted
  std::string failed;             ///< the procedure that failed

  bool reachedFixpoint() const { return reason == StopReason::Fixpoint; }
};

/// Anchors known to be at the fixpoint of a driver, by content. Thread-safe.
class NormalCache {
public:
  bool isNormal(const Fingerprint &anchor, const Fingerprint &driver);
  void remember(const Fingerprint &anchor, const Fingerprint &driver);
  void clear();

  /// Lends a fingerprinter that remembers earlier attributes. Returns an empty
  /// one while the first is lent.
  Fingerprinter takeFingerprinter();
  void giveBack(Fingerprinter fingerprinter);

private:
  std::mutex mutex;
  llvm::DenseSet<Fingerprint> known;
  Fingerprinter fingerprinter;
};

struct NormalizerOptions {
  Limits limits;
  /// Whether an op is visited before the ops inside it. Upstream's
  /// `apply_patterns` starts at the innermost ops; with false, the same rules
  /// give the same result even where the order matters.
  bool topDown = false;
  /// Is notified of every change; may be null.
  mlir::RewriterBase::Listener *listener = nullptr;
  /// Called with the name of each procedure before it runs and with "" after
  /// it.
  std::function<void(llvm::StringRef)> onProcedure;
  /// Called with each scope before it is rewritten; skipped scopes are left
  /// out.
  std::function<void(mlir::Operation *)> onScope;
  /// Whether an op in a symbol table is not part of the payload (a schedule
  /// beside it). Such ops stay as they are. May be empty.
  std::function<bool(mlir::Operation *)> isForeign;
  /// Remembers normal anchors; with null, no anchor is skipped.
  NormalCache *cache = nullptr;
  /// The keys of drivers whose rules are a subset of the rules that are run. An
  /// anchor that is normal for this driver is normal for those drivers, too.
  /// Called when an anchor is remembered; may be empty.
  std::function<llvm::ArrayRef<Fingerprint>()> implied;
  /// Runs skipped anchors on a clone and reports FalseSkip on any difference.
  bool verifySkips = false;
  /// Whether to search for the rules that cycle after a limit was hit.
  bool explainCycles = true;
};

/// Rewrites strictly below an anchor.
///
/// Laws: after a fixpoint, a second run changes nothing. Symbol tables are
/// normalized scope by scope: each isolated op by itself, then the rest. A
/// driver that never crosses isolation has the same result. One changed
/// function among a thousand then costs one function. May run on many anchors;
/// not thread-safe.
class Normalizer {
public:
  explicit Normalizer(Driver driver, NormalizerOptions options = {})
      : driver(std::move(driver)), options(std::move(options)),
        key(this->driver.getKey()) {
    if (this->options.cache)
      fingerprinter = this->options.cache->takeFingerprinter();
  }
  ~Normalizer() {
    if (options.cache)
      options.cache->giveBack(std::move(fingerprinter));
  }
  Normalizer(const Normalizer &) = delete;
  Normalizer &operator=(const Normalizer &) = delete;

  /// Cost: that of the rules; linear in the anchor when it is known as normal.
  Report run(mlir::Operation *anchor);

private:
  class Recorder;

  /// Each returns the fingerprint of the scope after its run.
  Fingerprint runScope(mlir::Operation *scope, Recorder &recorder,
                       Report &report);
  Fingerprint runWhole(mlir::Operation *scope, Recorder &recorder,
                       Report &report);
  void runLeaf(mlir::Operation *scope, Recorder &recorder, Report &report);
  bool applyRules(mlir::Operation *scope, Recorder &recorder,
                  llvm::ArrayRef<mlir::Operation *> onlyOps, bool &converged);

  bool isKnown(const Fingerprint &scope);
  void remember(const Fingerprint &scope);

  Driver driver;
  NormalizerOptions options;
  Fingerprint key;
  Fingerprinter fingerprinter;
};

/// Whether `driver` changes nothing below `anchor`. Runs on a clone and
/// compares fingerprints; `changed` in the report is exact. The report also
/// lists the rules that would fire, and where. The payload is not touched. Only
/// the limits, the traversal order and `isForeign` of `options` are used.
Report checkIrreducible(const Driver &driver, mlir::Operation *anchor,
                        const NormalizerOptions &options = {});

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_NORMALIZER_H
