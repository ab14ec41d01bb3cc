//===- LaunchSizes.h - Constant sizes of launches ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many blocks or threads a launch has along x, y and z, where that is
// constant. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_LAUNCHSIZES_H
#define FORMWORK_TRANSFORMS_GPU_LAUNCHSIZES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>
#include <optional>

namespace formwork::transforms {

/// The sizes along x, y and z; nothing where one is no constant.
using LaunchSizes = std::array<std::optional<int64_t>, 3>;

LaunchSizes getLaunchSizes(mlir::gpu::KernelDim3 dims);

/// The three sizes, if each is a constant and at least 1.
std::optional<std::array<int64_t, 3>>
getStaticLaunchSizes(mlir::gpu::KernelDim3 dims);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_LAUNCHSIZES_H
