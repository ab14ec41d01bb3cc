//===- PrivateBuffers.h - Buffers that are one thread's own -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which allocations in a kernel can be memory of each thread:
// registers, as a rule. Layer: normalforms; it knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PREDICATES_PRIVATEBUFFERS_H
#define FORMWORK_NORMALFORMS_PREDICATES_PRIVATEBUFFERS_H

#include "mlir/IR/Operation.h"

namespace formwork::normalforms {

/// The most that one thread holds: 256 registers of 4 bytes.
inline constexpr int64_t maxPrivateBytes = 1024;

/// Whether every thread can have a buffer of its own instead of the one that
/// `alloc`, below `kernel` (a gpu.launch or gpu.func), allocates.
///
/// Holds when the buffer has a static shape, the default memory space and at
/// most `maxPrivateBytes` bytes, when nothing but reads, writes and views has
/// it, and when neither the place nor the time of an access depends on the
/// thread. All threads then access the same elements in the same order. Where
/// that is no data race, each reads what it wrote itself.
bool isPrivateBuffer(mlir::Operation *alloc, mlir::Operation *kernel);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PREDICATES_PRIVATEBUFFERS_H
