//===- GlobalMemory.h - The buffers that kernels are given ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ranges of the host's memory stand for buffers in global memory. Layer:
// transforms. Knows nothing of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_GLOBALMEMORY_H
#define FORMWORK_TRANSFORMS_EMULATE_GLOBALMEMORY_H

#include "llvm/ADT/BitVector.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace formwork::transforms::emulate {

struct GlobalBuffer {
  std::byte *begin = nullptr;
  uint64_t bytes = 0;
  std::string name;
  /// A bit for each byte that a launch of sampled blocks wrote; empty without
  /// one.
  llvm::BitVector written = {};
};

class GlobalMemory {
public:
  /// The range must not overlap one that is there.
  void add(void *begin, uint64_t bytes, std::string name) {
    auto *first = static_cast<std::byte *>(begin);
    buffers[first] = {first, bytes, std::move(name), {}};
  }
  /// Nothing happens when no range begins there.
  void remove(void *begin) { buffers.erase(static_cast<std::byte *>(begin)); }

  /// The buffer that holds `address`, or null. Cost: logarithmic.
  GlobalBuffer *find(const std::byte *address) {
    auto after = buffers.upper_bound(const_cast<std::byte *>(address));
    if (after == buffers.begin())
      return nullptr;
    GlobalBuffer &buffer = std::prev(after)->second;
    return uint64_t(address - buffer.begin) < buffer.bytes ? &buffer : nullptr;
  }

  /// Whether sampled blocks wrote the byte at `address`; also if no kernel that
  /// ran some of its blocks only can have.
  bool wasWritten(const std::byte *address) {
    const GlobalBuffer *buffer = find(address);
    return !buffer || buffer->written.empty() ||
           buffer->written.test(address - buffer->begin);
  }

private:
  std::map<std::byte *, GlobalBuffer> buffers;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_GLOBALMEMORY_H
