//===- Place.h - Where in the source, and in a grid -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions of instructions and of threads, as values. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_PLACE_H
#define FORMWORK_TRANSFORMS_EMULATE_PLACE_H

#include <cstdint>
#include <string>

namespace formwork::transforms::emulate {

/// The extent of a grid or block, or a position in one.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;

  uint64_t count() const { return uint64_t(x) * y * z; }
  bool operator==(const Dim3 &) const = default;
};

/// The position with the linear index `index` within `extent`.
inline Dim3 getPosition(uint64_t index, const Dim3 &extent) {
  return {uint32_t(index % extent.x), uint32_t(index / extent.x % extent.y),
          uint32_t(index / extent.x / extent.y)};
}

/// A place in the kernel's source. `line` is zero when the module carries no
/// debug location there; then only `function` says where it is.
struct Place {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string function;
  /// The step of the schedule that made it, where that is known.
  std::string stepFile = {};
  uint32_t stepLine = 0, stepColumn = 0;

  /// "file:line:column", or "function 'name'" without a debug location.
  std::string str() const;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_PLACE_H
