//===- Recomputation.h - Finds recomputation by fused steps -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Watches a run for steps that fuse a producer into a loop, and compares the
// work done after the step with the work done before it. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_RECOMPUTATION_H
#define FORMWORK_TRANSFORMS_SETTLE_RECOMPUTATION_H

#include "engine/Diagnostics.h"
#include "transforms/settle/StepEffects.h"

#include <limits>

namespace formwork::transforms {

/// Watches one run. The work of a producer is counted in elements of its first
/// result. A producer of a dynamic shape counts as computed as a whole where
/// the loop has one of its type and takes a slice of that.
class RecomputationWatch {
public:
  /// The caller calls `enter` in front of each step, and `leave` behind it if
  /// the step came to its end. Cost: a walk of the payload for each step that
  /// fuses.
  void enter(const WatchedStep &step, mlir::transform::TransformState &state);
  void leave(const WatchedStep &step, mlir::transform::TransformState &state);

  /// Adds a warning (fw-step-miscompiles) for each producer that a loop writes
  /// to and that several operations in the loop read through that: MLIR fuses
  /// it for the first one, and gives the others what the producer writes to.
  /// Adds a warning (fw-fused-again) for each producer that a loop computes as
  /// a whole in each iteration. Adds one also for each producer that is
  /// computed both in a loop and outside of it, because a reader stays outside.
  /// If only such producers read another producer in the loop, a note on their
  /// warnings names it instead of a warning of its own.
  void addFindings(engine::Findings &findings) const;

private:
  /// The number of elements of a dynamic shape.
  static constexpr int64_t unknown = std::numeric_limits<int64_t>::max();
  /// That of the first result of `op`; none if there is none, or it is one.
  static std::optional<int64_t> countElements(mlir::Operation *op);

  /// One producer that a step fused.
  struct Fused {
    Fused(mlir::Operation *step, mlir::Operation *producer, int64_t elements)
        : step(step), producer(producer),
          name(producer->getName().getStringRef()), loc(producer->getLoc()),
          elements(elements) {}

    mlir::Operation *step; ///< as written
    mlir::Operation *producer;
    std::string name;
    mlir::Location loc;
    /// The elements of the first result before the step, and the elements that
    /// the loop computes in one iteration.
    int64_t elements, ofIteration = 0;
    /// The iterations of the loops around the producer; none if not constant.
    std::optional<int64_t> iterations = 1;
    /// The number of readers that stay outside of the loop.
    unsigned readers = 0;
    /// Whether the loop computes the whole result and takes a slice of it.
    bool isSliced = false;
    /// The index in `fused` of the producer that is computed as a whole and
    /// therefore reads this one as a whole; none if there is none.
    std::optional<size_t> cause;

    bool isWhole() const {
      return ofIteration == elements && iterations.value_or(2) > 1 &&
             (elements != unknown || isSliced);
    }
  };
  /// An operation in the loop that computes a producer as a whole, and the
  /// index in `fused` of its cause.
  struct WholePart {
    mlir::Operation *op;
    size_t cause;
  };

  /// A producer that the step would fuse for one of several readers.
  struct Lost {
    mlir::Operation *step; ///< as written
    std::string name;
    mlir::Location loc;
    size_t readers; ///< how many
  };

  llvm::SmallVector<Fused, 4> pending;
  llvm::SmallVector<Lost, 1> pendingLost, lost;
  std::vector<Fused> fused;
  llvm::SmallVector<WholePart, 4> wholes;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_RECOMPUTATION_H
