//===- RuleSet.h - Frozen rule groups and their cache -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frozen rewrite patterns of a list of `transform.apply_patterns.*`
// descriptors. Upstream's apply_patterns collects and freezes them on every
// use, which costs more than rewriting a small function. Layer: engine; it
// knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_RULESET_H
#define FORMWORK_ENGINE_RULESET_H

#include "engine/Fingerprint.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <mutex>
#include <string>

namespace formwork::engine {

/// An immutable list of descriptors with the patterns that they populate.
class RuleSet {
public:
  const mlir::FrozenRewritePatternSet &getPatterns() const { return patterns; }
  bool empty() const { return descriptors.empty(); }

  /// Equal for rule sets with equal descriptors, attributes and dialects. Part
  /// of the key under which normal anchors are remembered.
  const Fingerprint &getKey() const { return key; }

  /// A copy with only the rules whose debug names are in `enabled`; never
  /// cached.
  std::shared_ptr<const RuleSet>
  only(llvm::ArrayRef<std::string> enabled) const;

  /// A copy that shuffles, by `seed`, the rules of equal benefit; used to test
  /// independence of the order. Never cached.
  std::shared_ptr<const RuleSet> shuffled(uint64_t seed) const;

  /// Populates, without a transform state, and freezes.
  static std::shared_ptr<const RuleSet>
  create(llvm::ArrayRef<mlir::Operation *> descriptors,
         mlir::MLIRContext *context);

private:
  llvm::SmallVector<mlir::Operation *> descriptors;
  mlir::FrozenRewritePatternSet patterns;
  Fingerprint key;
};

/// Whether `op` is a rule group, that is, implements upstream's descriptor
/// interface.
bool isRuleGroup(mlir::Operation *op);

/// Whether the patterns of rule group `op` depend on the transform state: the
/// group takes handles, or is known to read the payload root. Such a group
/// cannot be part of a cached set.
bool needsTransformState(mlir::Operation *op);

/// The short name of a rule: the last component of its pattern's debug name.
std::string getRuleName(llvm::StringRef debugName);

/// The rule sets of one context. Thread-safe.
///
/// The key is each descriptor's name and attributes, in order, and the number
/// of loaded dialects. Canonicalization collects patterns from all loaded
/// dialects, and dialects are never unloaded.
class RuleSetCache {
public:
  /// The rule set of `descriptors`, which must outlive the cache.
  std::shared_ptr<const RuleSet>
  get(llvm::ArrayRef<mlir::Operation *> descriptors,
      mlir::MLIRContext *context);

  /// Forgets all sets; sets in use stay valid.
  void clear();

private:
  std::mutex mutex;
  llvm::DenseMap<Fingerprint, std::shared_ptr<const RuleSet>> sets;
};

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_RULESET_H
