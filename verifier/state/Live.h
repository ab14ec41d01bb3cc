//===- Live.h - Whether a payload op is needed ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of the payload that clean-up keeps: looked for only when somebody
// asks, as many schedules do not. Layer: verifier; reads payload and changes
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_LIVE_H
#define FORMWORK_VERIFIER_STATE_LIVE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <concepts>
#include <optional>

namespace formwork::verifier {

/// The ops at or below `root` that are live whatever clean-up folds (see
/// Liveness.h). Until they are looked for, the payload must not change.
class LivePayload {
public:
  explicit LivePayload(mlir::Operation *root) : root(root) {}
  /// Looks for them, once. Cost: linear in the payload.
  void settle() const;
  bool contains(mlir::Operation *op) const {
    settle();
    return live->contains(op);
  }

private:
  mlir::Operation *root;
  mutable std::optional<llvm::SmallPtrSet<mlir::Operation *, 32>> live;
};

/// Whether an op is live: known, or that of an op of a payload.
class Live {
public:
  Live() = default;
  Live(std::same_as<bool> auto known) : known(known) {}
  /// As `given` is, of `payload`, which has to outlive it.
  Live(mlir::Operation *given, const LivePayload &payload)
      : given(given), payload(&payload) {}
  operator bool() const { return given ? payload->contains(given) : known; }

private:
  mlir::Operation *given = nullptr;
  const LivePayload *payload = nullptr;
  bool known = false;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_LIVE_H
