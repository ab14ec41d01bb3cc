//===- FiberStacks.h - Stacks for fibers ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory for the stacks of one block's threads: mapped once per launch, reused
// by all of its blocks, each with an inaccessible page below it so that an
// overflow cannot reach a neighbour. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_FIBERSTACKS_H
#define FORMWORK_TRANSFORMS_EMULATE_FIBERSTACKS_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>

namespace formwork::transforms::emulate {

class FiberStacks {
public:
  /// Maps `count` stacks of at least `bytes` each; pages are committed when
  /// they are first touched.
  static llvm::Expected<FiberStacks> map(size_t count, size_t bytes);

  FiberStacks(FiberStacks &&other);
  FiberStacks &operator=(FiberStacks &&) = delete;
  ~FiberStacks();

  /// One past the highest byte of stack `index`.
  void *getTop(size_t index) const { return base + (index + 1) * stride; }
  size_t getBytes() const;

private:
  FiberStacks(std::byte *base, size_t count, size_t stride)
      : base(base), count(count), stride(stride) {}

  std::byte *base;
  size_t count, stride;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_FIBERSTACKS_H
