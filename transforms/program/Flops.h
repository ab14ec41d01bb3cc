//===- Flops.h - The arithmetic of a payload, counted -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many floating-point operations a payload is, where that is a matter of
// definition and not of a guess. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_FLOPS_H
#define FORMWORK_TRANSFORMS_PROGRAM_FLOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace formwork::transforms {

/// Twice the iteration space of the contractions in `entry` (a multiplication
/// and an addition each), if all structured operations in it are contractions,
/// fills or copies of static shape outside of loops, and it calls nothing.
std::optional<double> countFlops(mlir::func::FuncOp entry);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_FLOPS_H
