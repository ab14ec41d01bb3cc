//===- Passes.h - Passes that prepare a payload -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that the shipped strategies run on a payload and that MLIR lacks.
// Layer: transforms. Passes.td documents each.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_PASSES_H
#define FORMWORK_TRANSFORMS_STRATEGIES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace formwork::transforms {

#define GEN_PASS_DECL
#include "transforms/strategies/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transforms/strategies/Passes.h.inc"

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_PASSES_H
