//===- EntryBoundary.h - What an entry function is given --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets more functions be executed than those with an EntryPoint: those that
// take vectors or buffers of any layout, or return vectors or scalars. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_ENTRYBOUNDARY_H
#define FORMWORK_TRANSFORMS_RESULTS_ENTRYBOUNDARY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace formwork::transforms {

/// Changes the types of `entry` to those of an EntryPoint. A vector becomes a
/// tensor of its elements, and a scalar result a tensor of one element. A
/// buffer of another layout than row-major becomes one of one dimension that
/// holds all of it. There, open sizes are `dynamicSize`, and open strides those
/// of a row-major layout. Other types stay. Functions that call `entry`, itself
/// included, call a private copy of the former function.
void passElements(mlir::func::FuncOp entry, std::optional<int64_t> dynamicSize);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_ENTRYBOUNDARY_H
