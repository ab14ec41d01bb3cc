//===- LaunchSizes.cpp - Constant sizes of launches -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/LaunchSizes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::transforms;

LaunchSizes formwork::transforms::getLaunchSizes(gpu::KernelDim3 dims) {
  return {getConstantIntValue(dims.x), getConstantIntValue(dims.y),
          getConstantIntValue(dims.z)};
}

std::optional<std::array<int64_t, 3>>
formwork::transforms::getStaticLaunchSizes(gpu::KernelDim3 dims) {
  std::array<int64_t, 3> sizes;
  for (auto [axis, size] : llvm::enumerate(getLaunchSizes(dims))) {
    if (!size || *size < 1)
      return std::nullopt;
    sizes[axis] = *size;
  }
  return sizes;
}
