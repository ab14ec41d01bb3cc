//===- MapForall.h - What mapping asks of an scf.forall ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loops can be mapped, and what grid or block they need; the same for
// blocks and threads. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_MAPFORALL_H
#define FORMWORK_VERIFIER_MODELS_GPU_MAPFORALL_H

#include "verifier/step/Step.h"

#include <array>

namespace formwork::verifier {

/// Behind a limit of the constraint `grid.limit`.
inline constexpr llvm::StringLiteral kMostOfGrid =
    ", the most that a grid can have";

/// Checks what both mappings ask of a forall; false: nothing more to say.
bool checkMappable(const Step &step, NodeId forall, bool present,
                   bool toThreads);

/// Requires that a device can have a grid of so many blocks along x, y and z,
/// which a loop made at `made` is mapped to. Returns false where an error says
/// that none can. Errors: fw-grid-too-large; constraint: grid.limit.
bool requireGridLimits(const Step &step, mlir::Location made,
                       const std::array<solver::IntTerm, 3> &grid,
                       bool present);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_MAPFORALL_H
