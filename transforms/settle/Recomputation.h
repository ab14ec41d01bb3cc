//===- Recomputation.h - What fusing computes again -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Watches a run for steps that fuse a producer into a loop, and compares what is
// computed then with what the payload computed. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_RECOMPUTATION_H
#define FORMWORK_TRANSFORMS_SETTLE_RECOMPUTATION_H

#include "engine/Diagnostics.h"
#include "transforms/settle/StepEffects.h"

namespace formwork::transforms {

/// Watches one run. The work of a producer is counted in elements of its first
/// result; of one whose shape is not static, nothing is said.
class RecomputationWatch {
public:
  /// To be called in front of a step, and behind it if it came to its end.
  /// Cost: a walk of the payload for a step that fuses.
  void enter(const WatchedStep &step, mlir::transform::TransformState &state);
  void leave(const WatchedStep &step, mlir::transform::TransformState &state);

  /// Adds a warning (fw-fused-again) for each producer that a loop computes as a
  /// whole in each of its iterations, and for each that is computed in a loop and
  /// outside as well, because a reader outside stays. Where only such producers
  /// read one in the loop, it is a note of theirs.
  void addFindings(engine::Findings &findings) const;

private:
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
    /// The elements of the first result, before; and of what the loop computes in
    /// one iteration.
    int64_t elements, ofIteration = 0;
    /// The iterations of the loops around it; none if not constant.
    std::optional<int64_t> iterations = 1;
    /// The readers outside that are left.
    unsigned readers = 0;
    /// The loop takes a slice of what is computed as a whole.
    bool isSliced = false;
    /// The place in `fused` of the producer that is computed as a whole, and for
    /// that reads this one as a whole; none if there is none.
    std::optional<size_t> cause;

    bool isWhole() const {
      return ofIteration == elements && iterations.value_or(2) > 1;
    }
  };
  /// A part of the loop that computes a producer as a whole, and its cause.
  struct WholePart {
    mlir::Operation *op;
    size_t cause;
  };

  llvm::SmallVector<Fused, 4> pending;
  std::vector<Fused> fused;
  llvm::SmallVector<WholePart, 4> wholes;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_RECOMPUTATION_H
