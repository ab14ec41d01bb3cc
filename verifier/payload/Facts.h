//===- Facts.h - Shapes, loops and counts, as values ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about one payload op beyond its place: how many ops, which iteration
// space, which loop. Layer: verifier; plain values that point
// at no payload.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PAYLOAD_FACTS_H
#define FORMWORK_VERIFIER_PAYLOAD_FACTS_H

#include "verifier/solver/Term.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace formwork::verifier {

/// Three values, ordered by how sure a statement is.
enum class Certainty : uint8_t { No, Maybe, Yes };

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

  /// As many for each: [2, 3] * 4 is [8, 12].
  Count operator*(int64_t n) const {
    return {lo * n, n == 0 ? 0 : (hi == unbounded ? unbounded : hi * n)};
  }
  Count operator+(const Count &other) const {
    return {lo + other.lo, hi == unbounded || other.hi == unbounded
                               ? unbounded
                               : hi + other.hi};
  }
};

/// A size that is known before running: a number, or a *symbolic* one, a term
/// over the knobs that are open. It is true, and has a value, only as a number,
/// so that what knows nothing of knobs takes a symbolic size for an unknown
/// one. Example: with a knob @t, the tile of a loop of 64 by [@t] has the
/// symbolic size @t, and 64 ceildiv @t trips.
class Size {
public:
  Size() = default;
  Size(std::nullopt_t) {}
  Size(int64_t number) : number(number) {}
  Size(std::optional<int64_t> number) : number(number) {}
  /// The number that `term` folded to, or a symbolic size.
  static Size of(solver::IntTerm term) {
    return term.isConstant() ? Size(term.getConstant()) : symbolic(term);
  }
  /// Symbolic also where `term` is a constant: the size is that, provided that
  /// something else holds.
  static Size symbolic(solver::IntTerm term) {
    Size size;
    size.term = term;
    return size;
  }

  explicit operator bool() const { return number.has_value(); }
  int64_t operator*() const { return *number; }
  bool isSymbolic() const { return term.has_value(); }
  /// Neither a number nor symbolic.
  bool isUnknown() const { return !number && !term; }
  solver::IntTerm getTerm() const { return *term; }
  friend bool operator==(const Size &, const Size &) = default;

private:
  std::optional<int64_t> number;
  std::optional<solver::IntTerm> term;
};

/// Why a size is not static.
struct DynamicReason {
  /// The schedule op whose tile size does not divide; null when the payload's
  /// own shape is dynamic, or when nothing is known.
  mlir::Operation *tiledBy = nullptr;
  unsigned dim = 0;
  int64_t size = 0;
  int64_t tile = 0; ///< 0: scalable, a size that only the machine knows
  /// True when the size is dynamic whatever clean-up runs; false when folding
  /// can still make it static.
  bool definite = false;
  /// There are threads without a tile, so that the size is the maximum of that
  /// and 0: upstream finds no upper bound of it.
  bool hasIdleThreads = false;
};

/// When a size that is symbolic is static, as opposed to smaller in the last
/// tile.
struct StaticCondition {
  solver::BoolTerm holds;
  /// The step whose tile size must divide.
  mlir::Operation *tiledBy;
  unsigned dim;
  /// For a reader: the tile sizes, and what they must divide: "x, then y",
  /// "12".
  std::string tiles, whole;
};

/// One loop dimension of a structured op.
struct Extent {
  Size size;
  DynamicReason reason; ///< meaningful only without a size
  /// When a symbolic size, which is that of a full tile, is static; null where
  /// that is not known.
  std::shared_ptr<const StaticCondition> condition = nullptr;
  /// Some operand has the dimension without a size in its type, though the size
  /// is known of another: the op counts as dynamic all the same.
  bool isMixed = false;

  /// A number, in the types of all operands.
  bool isStatic() const { return size && !isMixed; }
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

  /// Whether the op, and so a loop over tiles of it, has results.
  bool hasResults() const { return onTensors && numInits != 0; }
};

/// An `scf.forall` or `scf.for`.
struct LoopFacts {
  llvm::SmallVector<Extent, 1> trips;
  llvm::SmallVector<mlir::Attribute, 3> mapping;
  bool isForall = false;
  /// Whether it yields tensors: true until it is bufferized.
  bool hasResults = false;
  /// The sizes of its results are in their types.
  bool hasStaticResults = false;
  /// For an `scf.forall` with one result: the number of dimensions of the
  /// tensor, and the type of its elements; null where that is not known.
  unsigned resultRank = 0;
  mlir::Type resultElement = nullptr;
  /// The values that it carries in place of these may be vectors, which a step
  /// put there.
  bool mayCarryVectors = false;
  /// Set where the trip counts are static but not known: their product is at
  /// most that.
  std::optional<int64_t> totalAtMost = std::nullopt;
  /// It cannot be taken away while it runs more than once: it writes, or what
  /// it yields is computed in it.
  bool doesWork = true;
  /// That is so only while what it computes is not moved in front of it.
  bool mayWorkMove = false;
  /// Made to share a copy among threads.
  bool isCopy = false;
  /// For an `scf.for` that a step made, with constant bounds and step: the
  /// length of its range, and the step; else 0, also where it was given.
  int64_t range = 0, step = 0;
  /// For an `scf.for`: folding does not show whether the last step is a whole
  /// one.
  bool endsOpen = false;
};

/// A linalg.pack or linalg.unpack that a step made for an operand of a
/// structured op, or for a result of it.
struct PackFacts {
  unsigned operand = 0; ///< which one, or that with the result's value before
  unsigned result = 0;  ///< meaningful only of a linalg.unpack
  unsigned rank = 0;    ///< of what is not packed
  unsigned numTiles = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PAYLOAD_FACTS_H
