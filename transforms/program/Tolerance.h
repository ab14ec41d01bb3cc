//===- Tolerance.h - How exact results can be -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result is no more exact than what it is computed of: a chain that rounds to
// bf16 on the way and returns f32 has errors of bf16. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_TOLERANCE_H
#define FORMWORK_TRANSFORMS_PROGRAM_TOLERANCE_H

#include "transforms/program/EntryPoint.h"

namespace formwork::transforms {

/// Sets the least tolerance of each result of `entry`, which is a function of
/// `payload`, untouched by its schedule, where that is more than the tolerance
/// of its type, and the reason:
///
/// - If the longest way from the arguments to the result has n roundings to a
///   narrower type: 2 units in the last place of that type for each, since a
///   value between two numbers of the type may be rounded to either; but no
///   more than the tolerance of that type. For sums in that type, or roundings
///   in a loop, all of that tolerance.
/// - If a kernel in `lowered` rounds factors to tf32: 2^-8, four units in its
///   last place.
///
/// Constants and arguments are exact, and so are extensions, extrema, choices,
/// and all that only moves elements. Sums of f16 and bf16 on tensors are made
/// in f32 and round once; see transforms/sums. Example: `truncf(x + y)` of f32
/// to bf16, extended again, has a least tolerance of 2^-6.
///
/// Cost: some walks over the payload.
void setLeastTolerances(EntryPoint &entry, mlir::ModuleOp payload,
                        mlir::ModuleOp lowered);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_TOLERANCE_H
