//===- IdleReasons.h - Why MLIR leaves an op as it is -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reasons why MLIR 22.1 skips a target without a word, which are found in the
// payload alone and not in a contract. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_FINDINGS_IDLEREASONS_H
#define FORMWORK_VERIFIER_FINDINGS_IDLEREASONS_H

#include "verifier/state/PayloadModel.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Hashing.h"

#include <optional>
#include <string>

namespace formwork::verifier {

/// Returns why `step` surely has no effect on the payload op `target` as it is
/// now: "a view outside of loops uses it". Returns none if the step may have
/// its effect, or if this function knows no reason. Cost: linear in `target`
/// and its uses.
std::optional<std::string> explainIdle(mlir::Operation *step,
                                       mlir::Operation *target);

/// Whether `step` surely leaves each op as it is of which `target` is what is
/// known.
bool isSkipped(mlir::Operation *step, const Node &target);

/// Returns a measure of what `step` may do to `target` besides the effect that
/// its contract states: the size of a block, which
/// `map_nested_forall_to_threads` sets whether it maps a loop or not, and the
/// slices that `vectorize_children` folds into transfers. A step without its
/// effect, behind which the measure is another one, has a part of the effect.
/// Returns none for the other steps. Cost: linear in `target`.
std::optional<llvm::hash_code> measureBesides(mlir::Operation *step,
                                              mlir::Operation *target);
/// Whether `step` may change that measure for `target`.
bool mayDoBesides(mlir::Operation *step, const PayloadModel &payload,
                  NodeId target);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_FINDINGS_IDLEREASONS_H
