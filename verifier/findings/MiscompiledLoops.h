//===- MiscompiledLoops.h - Loops that compute something else ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MLIR 22.1 gets wrong when a step changes the order of iterations:
// `loop.unroll_and_jam` and `loop.fuse_sibling` do not look at memory, and
// `loop.coalesce` takes a value of the outer loop for that of the inner one.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_FINDINGS_MISCOMPILEDLOOPS_H
#define FORMWORK_VERIFIER_FINDINGS_MISCOMPILEDLOOPS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Whether `step` changes the order of the iterations of its targets.
bool reordersIterations(mlir::Operation *step);

/// How the loop of `id` computes something else after `step`; none if it does
/// not, as far as is known. Only loops of the given payload are known. Cost:
/// linear in the accesses of memory that the loop carries out, of which it
/// looks at some ten thousand at most.
std::optional<std::string> findMiscompiledLoop(const Step &step, NodeId id);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_FINDINGS_MISCOMPILEDLOOPS_H
