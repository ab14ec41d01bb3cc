//===- Normalizer.h - Rules and procedures to a fixpoint --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a rule set and procedures below an anchor until neither changes anything
// or a limit is hit, and reports as a value. Layer: engine; it knows nothing of
// forms, contracts or handles: who has handles passes a listener.
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

/// What is run: rules and procedures, in this order, round after round.
struct Driver {
  std::shared_ptr<const RuleSet> rules;
  std::vector<Procedure> procedures;
  /// Whether the greedy driver runs: always with rules, and without any for its
  /// own folding, constant uniquing and dead-op erasure.
  bool greedy = true;

  bool empty() const { return !greedy && procedures.empty(); }
  /// Equal for drivers that do the same.
  Fingerprint getKey() const;
};

/// Bounds, so that any rule set ends. Linear in the size of the anchor.
struct Limits {
  /// Rounds of rules, then procedures.
  unsigned maxRounds = 32;
  /// Rule applications in one round: base plus so many per op.
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

/// How often one rule or procedure did something. The work of the greedy driver
/// itself has the names `driver.fold` and `driver.dead`.
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

/// Anchors known to be in the fixpoint of a driver, by content. Thread-safe.
class NormalCache {
public:
  bool isNormal(const Fingerprint &anchor, const Fingerprint &driver);
  void remember(const Fingerprint &anchor, const Fingerprint &driver);
  void clear();

  /// Lends what fingerprinting has learned about attributes, so that it need
  /// not be learned again; an empty one while it is lent already.
  Fingerprinter takeFingerprinter();
  void giveBack(Fingerprinter fingerprinter);

private:
  std::mutex mutex;
  llvm::DenseSet<Fingerprint> known;
  Fingerprinter fingerprinter;
};

struct NormalizerOptions {
  Limits limits;
  /// Whether what is above is looked at before what it holds. Upstream's
  /// `apply_patterns` starts below, so that the same rules written out leave
  /// the same where the order makes a difference.
  bool topDown = false;
  /// Hears of every change; may be null.
  mlir::RewriterBase::Listener *listener = nullptr;
  /// Told the name of each procedure before it runs and "" after it.
  std::function<void(llvm::StringRef)> onProcedure;
  /// Told of each scope that is about to be rewritten: that was not skipped.
  std::function<void(mlir::Operation *)> onScope;
  /// Ops in a symbol table that are none of the payload (a schedule beside it)
  /// and stay as they are; may be empty.
  std::function<bool(mlir::Operation *)> isForeign;
  /// Remembers normal anchors; null means that none is skipped.
  NormalCache *cache = nullptr;
  /// Drivers of which each rule is also one of the driver that is run: what is
  /// normal for it is normal for these. Asked for when something is remembered;
  /// may be empty.
  std::function<llvm::ArrayRef<Fingerprint>()> implied;
  /// Runs skipped anchors on a clone and reports FalseSkip on any difference.
  bool verifySkips = false;
  /// Whether a limit is followed by a search for the rules that cycle.
  bool explainCycles = true;
};

/// Rewrites strictly below an anchor.
///
/// Laws: after a fixpoint a second run changes nothing; symbol tables are
/// normalized scope by scope (each isolated op in them by itself, then what is
/// left), which is what a driver that never crosses isolation does anyway, so
/// that one changed function of a thousand costs one function. May run on many
/// anchors; not thread-safe.
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

  /// Each returns the fingerprint of the scope as it leaves it.
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

/// Whether running `driver` on a clone of `anchor` changes nothing below it,
/// decided by comparing fingerprints; what would fire, and where, is in the
/// report (`changed` is exact). The payload is not touched; of `options`, the
/// limits, the traversal and `isForeign` count.
Report checkIrreducible(const Driver &driver, mlir::Operation *anchor,
                        const NormalizerOptions &options = {});

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_NORMALIZER_H
