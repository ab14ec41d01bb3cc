//===- KindSet.h - Sets of op kinds -----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of op kinds in the notation of contracts: op names, `dialect.*`, `"*"`,
// and the classes `$isolated`, `$loop`, `$structured`, `$tileable`. Layer:
// verifier; values only.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_KINDSET_H
#define FORMWORK_VERIFIER_STATE_KINDSET_H

#include "normalforms/KindPattern.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <memory>

namespace formwork::verifier {

using normalforms::KindPattern;
using normalforms::KindPatterns;

/// Whether an op called `name` is of one of the kinds `patterns`. An op that is
/// not registered is of no class.
bool matchesAnyKind(mlir::OperationName name,
                    llvm::ArrayRef<KindPattern> patterns);

/// A growing set of patterns; it is small, since they come from contracts. A
/// pattern with the suffix `?static` stands for structured ops of static shape;
/// one with `?may-alias` stands for a bufferization.to_tensor that is not
/// `restrict`.
///
/// Copies share their patterns until one of them changes: a pattern that is
/// added to a node is added to all nodes around it. A set remembers comparisons
/// with other sets. Copies of one set to which the same set is added share the
/// result.
class KindSet {
public:
  KindSet() = default;
  explicit KindSet(llvm::ArrayRef<KindPattern> kinds) { insert(kinds); }
  /// Drops the patterns for which one of `kinds` stands.
  void erase(llvm::ArrayRef<KindPattern> kinds);
  /// Returns whether the set grew.
  bool insert(llvm::ArrayRef<KindPattern> more);
  bool insert(const KindSet &more);
  bool empty() const { return !shared || shared->patterns.get().empty(); }
  llvm::ArrayRef<KindPattern> getPatterns() const {
    return shared ? shared->patterns.get() : llvm::ArrayRef<KindPattern>();
  }
  /// Whether both are the same without looking; no set that is kept to compare
  /// with changes.
  bool isShared(const KindSet &other) const { return shared == other.shared; }
  /// Whether `pattern` itself is one of the set.
  bool has(const KindPattern &pattern) const {
    return shared && shared->patterns.has(pattern);
  }
  /// Whether it has all patterns of `other`.
  bool includes(const KindSet &other) const;
  /// Whether it holds `"*"`.
  bool isAny() const;

  /// Whether an op of the kind that `name` names may be of one of the kinds.
  bool contains(const KindPattern &name) const;
  /// Whether an op of one of the kinds can have what `pattern` asks for; true
  /// for a class, unless no dialect of the set has such an op.
  bool intersects(const KindPattern &pattern) const;
  /// Whether a structured op of one of the kinds may have a size that is not
  /// static.
  bool mayBeDynamic() const;

private:
  /// Patterns, each once, that are found by their hashes.
  class Patterns {
  public:
    bool has(const KindPattern &pattern) const;
    /// Adds a pattern that the set does not have.
    void add(const KindPattern &pattern);
    void reserve(size_t size) {
      list.reserve(size);
      next.reserve(size);
    }
    llvm::ArrayRef<KindPattern> get() const { return list; }

  private:
    static constexpr size_t numChains = 64;
    static size_t getChain(const KindPattern &pattern) {
      return pattern.getHash() % numChains;
    }

    llvm::SmallVector<KindPattern, 20> list;
    /// The last pattern of each chain and, for each pattern, the one before it
    /// there: as positions in the list plus 1, or 0.
    std::array<uint32_t, numChains> last = {};
    llvm::SmallVector<uint32_t, 20> next;
  };

  /// Stands for certain patterns in a certain order; 0 stands for none.
  using Version = uint64_t;
  struct Shared {
    Patterns patterns;
    Version version = 0;
    /// The dialects of the patterns: of what has none of them, no op is in the
    /// set.
    uint64_t dialects = 0;
    /// Some of which it has all patterns, the one found last at `lastCovered`.
    std::array<Version, 4> covered = {};
    unsigned lastCovered = 0;
    /// The result of adding the set `grownBy` to a copy: `grown`, as long as it
    /// exists and still has the version `grownTo`.
    Version grownBy = 0, grownTo = 0;
    std::weak_ptr<Shared> grown;

    bool covers(Version other) const {
      return llvm::is_contained(covered, other);
    }
    void cover(Version other) {
      lastCovered = (lastCovered + 1) % covered.size();
      covered[lastCovered] = other;
    }
  };
  /// The patterns, which no other set has any more, with room for `more`; they
  /// are to change.
  Shared &change(size_t more);

  /// Null while there are none.
  std::shared_ptr<Shared> shared;
};

/// The sets of the lists of what is introduced that were asked for last, so
/// that equal lists have one set.
class KnownKindSets {
public:
  /// The set has the kind of a pattern marked `+`, whether or not an op of that
  /// kind is already there. Valid until the next call.
  const KindSet &getIntroduced(llvm::ArrayRef<KindPattern> kinds);

private:
  struct Known {
    KindPatterns kinds;
    KindSet set;
  };
  static constexpr size_t numKnown = 8;
  llvm::SmallVector<Known, 0> known;
  size_t last = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_KINDSET_H
