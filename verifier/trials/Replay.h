//===- Replay.h - A step, tried where it stands -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a step succeeds on the code that the steps before it leave of the
// payload: MLIR says it, in a child process. For operations that depend on each
// operation of a kernel, of which the payload model knows kinds only. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_TRIALS_REPLAY_H
#define FORMWORK_VERIFIER_TRIALS_REPLAY_H

#include "verifier/solver/Budget.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace formwork::verifier {

struct Replay {
  /// Why it is not known what the step does; empty when it is.
  std::string unknown;
  /// The first error of the step, without its id; none when the step succeeds
  /// and what it leaves is valid.
  std::optional<std::string> failure;
  /// The id in brackets behind that error; empty where there is none.
  std::string id;
  bool isSilenceable = false;
  /// The first note of that error, and where in the payload it is; none where
  /// the error has none.
  std::optional<std::pair<mlir::Location, std::string>> note;
  /// The bytes of workgroup memory that the step allocates in the kernel at or
  /// around each payload op of its first operand, in the order of the handle.
  /// A kernel that holds two of them has its bytes at the first. Negative where
  /// buffers come to have the same bytes.
  llvm::SmallVector<int64_t> bytes;
};

/// Whether a replay can go through `step` to a step in it.
bool canReplayInside(mlir::Operation *step);

/// The steps of one block on one payload, run in a child in which each of them
/// runs once: an answer goes on from the state that the one before it left.
/// Neither schedule nor payload changes here.
class ReplaySession {
public:
  /// The first argument of `block` holds `payload`. No child is made yet, and
  /// none goes on after `deadline`.
  ReplaySession(mlir::Block *block, mlir::Operation *payload,
                const solver::Deadline &deadline = std::nullopt);
  ~ReplaySession();

  /// The result of the last of `way`, after the steps before it. The others are
  /// the steps around it, of which the first is in the block: includes and
  /// sequences that pass failures on, and foreach over one op, which run as if
  /// their bodies stood there. Cost: that of the steps since the last requested
  /// one, and five to ten milliseconds the first time. A request for an earlier
  /// step starts again from the beginning.
  Replay replayTo(llvm::ArrayRef<mlir::Operation *> way);

private:
  struct Child;
  std::unique_ptr<Child> child;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_TRIALS_REPLAY_H
