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

namespace formwork::verifier {

/// Checks what both mappings ask of a forall; false: nothing more to say.
bool checkMappable(const Step &step, NodeId forall, bool present,
                   bool toThreads);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_MAPFORALL_H
