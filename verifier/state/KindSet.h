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
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace formwork::verifier {

using normalforms::KindPattern;
using normalforms::KindPatterns;

/// Whether an op called `name` is of the kind `pattern`. An op that is not
/// registered is of no class.
bool matchesKind(mlir::OperationName name, const KindPattern &pattern);
bool matchesAnyKind(mlir::OperationName name,
                    llvm::ArrayRef<KindPattern> patterns);

/// A growing set of patterns; few, since they come from contracts. One that
/// ends with `?static` is that of structured ops of static shape, one with
/// `?may-alias` that of a bufferization.to_tensor that is not `restrict`.
class KindSet {
public:
  /// Drops the patterns for which one of `kinds` stands.
  void erase(llvm::ArrayRef<KindPattern> kinds);
  /// Returns whether the set grew.
  bool insert(llvm::ArrayRef<KindPattern> more);
  bool empty() const { return patterns.empty(); }
  llvm::ArrayRef<KindPattern> getPatterns() const { return patterns; }
  /// Whether it holds `"*"`.
  bool isAny() const;

  /// Whether an op called `name` may be of one of the kinds.
  bool contains(llvm::StringRef name) const;
  /// Whether an op of one of the kinds can have what `pattern` asks for; true
  /// for a class, unless no dialect of the set has such an op.
  bool intersects(const KindPattern &pattern) const;
  /// Whether a structured op of one of the kinds may have a size that is not
  /// static.
  bool mayBeDynamic() const;

private:
  bool has(const KindPattern &pattern) const;

  llvm::SmallVector<KindPattern, 0> patterns;
  /// A bit for the hash of each: what has none of them is not in the set.
  uint64_t bits = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_KINDSET_H
