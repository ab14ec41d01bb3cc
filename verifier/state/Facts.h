//===- Facts.h - Shapes, loops and counts, as values ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter knows of one payload op beyond its place: how many ops,
// which iteration space, which loop. Layer: verifier; plain values that point
// at no payload.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_FACTS_H
#define FORMWORK_VERIFIER_STATE_FACTS_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace formwork::verifier {

/// Three values, ordered by how sure a statement is.
enum class Certainty { No, Maybe, Yes };

/// How many payload ops: a closed interval. Example: a `match` that finds two
/// ops for sure, and one more if an earlier step left it, has [2, 3].
struct Count {
  static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
  int64_t lo = 0;
  int64_t hi = unbounded;

  static Count exactly(int64_t n) { return {n, n}; }
  bool isExactly(int64_t n) const { return lo == n && hi == n; }
  bool isExact() const { return lo == hi; }
  bool operator==(const Count &other) const = default;

  Count operator+(const Count &other) const {
    return {lo + other.lo, hi == unbounded || other.hi == unbounded
                               ? unbounded
                               : hi + other.hi};
  }
};

/// A size that is known before running; none when it is dynamic or unknown.
using Size = std::optional<int64_t>;

/// Why a size is not static.
struct DynamicReason {
  /// The schedule op whose tile size does not divide; null when the payload's
  /// own shape is dynamic, or when nothing is known.
  mlir::Operation *tiledBy = nullptr;
  unsigned dim = 0;
  int64_t size = 0;
  int64_t tile = 0;
  /// True when the size is dynamic whatever clean-up runs; false when folding
  /// can still make it static.
  bool definite = false;
};

/// One loop dimension of a structured op.
struct Extent {
  Size size;
  DynamicReason reason; ///< meaningful only without a size
};

/// The iteration space of a structured op, as linalg describes it.
struct IterationSpace {
  llvm::SmallVector<Extent, 4> loops;
  llvm::SmallVector<mlir::utils::IteratorType, 4> iterators;
  /// Per operand, inits last.
  llvm::SmallVector<mlir::AffineMap, 3> maps;
  llvm::SmallVector<mlir::Type, 3> elementTypes;
  unsigned numInits = 1;
  bool onTensors = true;
};

/// An `scf.forall` or `scf.for`.
struct LoopFacts {
  llvm::SmallVector<Extent, 3> trips;
  llvm::SmallVector<mlir::Attribute, 3> mapping;
  bool isForall = false;
  /// Whether it yields tensors: true until it is bufferized.
  bool hasResults = false;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_FACTS_H
