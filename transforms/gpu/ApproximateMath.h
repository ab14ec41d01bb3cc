//===- ApproximateMath.h - Fast functions instead of exact ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets kernels use the approximate instructions of a GPU where their author
// asks for them. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_APPROXIMATEMATH_H
#define FORMWORK_TRANSFORMS_GPU_APPROXIMATEMATH_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Functions of f32 that may be approximated. With `Fma`, a sum and a product
/// of its operands are rounded once.
enum class Approximate { Exp, Division, Rsqrt, Fma };

/// A set of them: bit `1 << function` for each.
using ApproximateSet = unsigned;

/// Marks the operations of `functions` in the kernels of `outlined`, so that
/// they become approximate instructions. One remark for each kind that is there
/// says where the first is, how many there are, and the largest error
/// (fw-approximates). Source: CUDA C++ Programming Guide 13.0, intrinsic
/// functions, and PTX ISA 9.0, div.approx and rsqrt.approx.
void approximateMath(mlir::ModuleOp outlined, ApproximateSet functions);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_APPROXIMATEMATH_H
