//===- Warp.h - The threads that run in step --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many threads of a block form a warp, for all parts of the emulation.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_WARP_H
#define FORMWORK_TRANSFORMS_EMULATE_WARP_H

#include <cstdint>

namespace formwork::transforms::emulate {

/// The lanes of a warp, the same on every NVIDIA GPU.
inline constexpr uint32_t warpSize = 32;

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_WARP_H
