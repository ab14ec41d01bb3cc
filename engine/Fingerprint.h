//===- Fingerprint.h - Structural fingerprints of payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash of everything that rules can see from an anchor. An anchor that is
// normal and unchanged need not be normalized again. Layer: engine; it knows
// nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_FINGERPRINT_H
#define FORMWORK_ENGINE_FINGERPRINT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace formwork::engine {

/// 128 bits from two independent mixes. Valid within one process and context
/// only: attributes and types are hashed by their uniqued address.
struct Fingerprint {
  uint64_t low = 0;
  uint64_t high = 0;

  void mix(uint64_t word);
  void mix(const void *pointer) { mix(reinterpret_cast<uintptr_t>(pointer)); }
  void mix(const Fingerprint &other) {
    mix(other.low);
    mix(other.high);
  }

  bool operator==(const Fingerprint &other) const {
    return low == other.low && high == other.high;
  }
  bool operator!=(const Fingerprint &other) const { return !(*this == other); }
};

/// Computes structural fingerprints. Two anchors have equal fingerprints if
/// they have equal ops, attributes, types, use-def and control-flow edges, in
/// equal surroundings. Addresses of ops and locations take no part.
///
/// The object caches the symbol references of attributes, so one object should
/// serve many anchors; not thread-safe.
class Fingerprinter {
public:
  /// Hashes everything strictly below `anchor`, and the anchor's own
  /// attributes. A value defined outside counts by its type and the order of
  /// its first use. Cost: linear in the ops below.
  Fingerprint ofBody(mlir::Operation *anchor);

  /// Hashes `ofBody` and everything else that rules can see from the anchor:
  /// the attributes of its ancestors and the symbols it refers to (without
  /// their bodies). For an anchor that is not isolated from above, hashes the
  /// nearest isolated op around it and the anchor's position in it. Loaded
  /// dialects are part of a rule set's key instead.
  Fingerprint ofAnchor(mlir::Operation *anchor);

  /// Hashes the head of `anchor` and everything that `ofAnchor` hashes around
  /// it, without the ops below.
  Fingerprint ofSurroundings(mlir::Operation *anchor);

  /// The symbol references in the attributes of `op` itself.
  llvm::ArrayRef<mlir::SymbolRefAttr> getSymbolRefs(mlir::Operation *op);

private:
  struct Walk;
  using OpKey = std::pair<const void *, std::pair<const void *, uint64_t>>;

  llvm::DenseMap<OpKey, llvm::SmallVector<mlir::SymbolRefAttr, 1>> symbolRefs;
};

} // namespace formwork::engine

template <> struct llvm::DenseMapInfo<formwork::engine::Fingerprint> {
  using Fingerprint = formwork::engine::Fingerprint;
  static Fingerprint getEmptyKey() { return {~uint64_t(0), ~uint64_t(0)}; }
  static Fingerprint getTombstoneKey() { return {~uint64_t(0), 0}; }
  static unsigned getHashValue(const Fingerprint &f) { return f.low; }
  static bool isEqual(const Fingerprint &a, const Fingerprint &b) {
    return a == b;
  }
};

#endif // FORMWORK_ENGINE_FINGERPRINT_H
