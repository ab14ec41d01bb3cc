//===- FiberStacks.cpp - Stacks for fibers --------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/FiberStacks.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"

#include <sys/mman.h>

namespace formwork::transforms::emulate {

llvm::Expected<FiberStacks> FiberStacks::map(size_t count, size_t bytes) {
  size_t page = llvm::sys::Process::getPageSizeEstimate();
  size_t stride = llvm::alignTo(bytes, page) + page;
  void *memory = mmap(nullptr, count * stride, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return llvm::createStringError(
        llvm::errnoAsErrorCode(),
        "cannot map %zu stacks of %zu bytes for the threads of a block", count,
        bytes);
  FiberStacks stacks(static_cast<std::byte *>(memory), count, stride);
  for (size_t i = 0; i != count; ++i)
    if (mprotect(stacks.base + i * stride, page, PROT_NONE) != 0)
      return llvm::createStringError(llvm::errnoAsErrorCode(),
                                     "cannot protect the stack of a thread");
  return stacks;
}

FiberStacks::FiberStacks(FiberStacks &&other)
    : base(std::exchange(other.base, nullptr)), count(other.count),
      stride(other.stride) {}

FiberStacks::~FiberStacks() {
  if (base)
    munmap(base, count * stride);
}

size_t FiberStacks::getBytes() const {
  return stride - llvm::sys::Process::getPageSizeEstimate();
}

} // namespace formwork::transforms::emulate
