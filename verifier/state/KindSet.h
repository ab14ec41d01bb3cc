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

#include "verifier/payload/Kinds.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/SetVector.h"

#include <memory>

template <> struct llvm::DenseMapInfo<formwork::normalforms::KindPattern> {
  using KindPattern = formwork::normalforms::KindPattern;
  static KindPattern getEmptyKey() { return "<empty>"; }
  static KindPattern getTombstoneKey() { return "<removed>"; }
  static unsigned getHashValue(const KindPattern &kind) {
    return kind.getHash();
  }
  static bool isEqual(const KindPattern &a, const KindPattern &b) {
    return a == b;
  }
};

namespace formwork::verifier {

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
/// added to a node is added to all nodes around it.
class KindSet {
public:
  KindSet() = default;
  explicit KindSet(llvm::ArrayRef<KindPattern> kinds) { insert(kinds); }
  /// Drops the patterns for which one of `kinds` stands.
  void erase(llvm::ArrayRef<KindPattern> kinds);
  /// Returns whether the set grew.
  bool insert(llvm::ArrayRef<KindPattern> more);
  bool insert(const KindSet &more);
  bool empty() const { return getPatterns().empty(); }
  llvm::ArrayRef<KindPattern> getPatterns() const {
    return shared ? shared->patterns.getArrayRef()
                  : llvm::ArrayRef<KindPattern>();
  }
  /// Whether both are the same without looking; no set that is kept to compare
  /// with changes.
  bool isShared(const KindSet &other) const { return shared == other.shared; }
  /// Whether `pattern` itself is one of the set.
  bool has(const KindPattern &pattern) const {
    return shared && shared->patterns.contains(pattern);
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
  struct Shared {
    llvm::SetVector<KindPattern> patterns;
    /// The dialects of the patterns: of what has none of them, no op is in the
    /// set.
    uint64_t dialects = 0;
  };

  /// Null while there are none.
  std::shared_ptr<Shared> shared;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_KINDSET_H
