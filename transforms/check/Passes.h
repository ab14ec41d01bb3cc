//===- Passes.h - The verifier as passes ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of Passes.td, for tests of the verifier. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_CHECK_PASSES_H
#define FORMWORK_TRANSFORMS_CHECK_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace formwork::transforms {

#define GEN_PASS_DECL
#include "transforms/check/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transforms/check/Passes.h.inc"

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_CHECK_PASSES_H
