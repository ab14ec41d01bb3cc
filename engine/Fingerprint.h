//===- Fingerprint.h - Structural fingerprints of payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number for everything that rules can see from an anchor, so that an anchor
// that is normal and unchanged need not be normalized again. Layer: engine; it
// knows nothing of forms.
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

/// 128 bits of two independent mixes. Meaningful within one process and context
/// only: attributes and types take part by their uniqued address.
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

/// Computes fingerprints. Structural: two anchors with equal ops, attributes,
/// types, use-def and control-flow edges, in equal surroundings, have equal
/// fingerprints wherever they lie in memory; locations take no part.
///
/// Keeps what it learns about attributes, so one object should serve many
/// anchors; not thread-safe.
class Fingerprinter {
public:
  /// Everything strictly below `anchor`, and the anchor's own attributes. Of a
  /// value defined outside, its type and the position of its definition.
  /// Cost: linear in the ops below.
  Fingerprint ofBody(mlir::Operation *anchor);

  /// `ofBody`, and what else rules can see from there: the attributes of the
  /// anchor's ancestors and the symbols it refers to (without their bodies).
  /// For an anchor that is not isolated from above, all of the nearest isolated
  /// op around it, and the anchor's position in it. Loaded dialects are part of
  /// a rule set's key.
  Fingerprint ofAnchor(mlir::Operation *anchor);

  /// The head of `anchor` and what `ofAnchor` sees around it, without what is
  /// below.
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
