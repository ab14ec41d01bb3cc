//===- Matchers.h - Sequences that match payload ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which sequences of a schedule are matchers, in which no observer can stand.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_MATCHERS_H
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_MATCHERS_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::transforms {

/// Whether `sequence` is one of ops that match, or a `foreach_match` or
/// `collect_matching` of its schedule names it as a matcher. The interpreter
/// refuses any other op in a matcher, but only where it comes to it. Cost:
/// linear in the schedule.
bool isMatcher(mlir::transform::NamedSequenceOp sequence);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_MATCHERS_H
