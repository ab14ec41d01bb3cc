//===- PrivateBuffers.h - Buffers private to one thread ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which allocations in a kernel can be private memory of each thread,
// usually registers. Layer: normalforms; it knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PREDICATES_PRIVATEBUFFERS_H
#define FORMWORK_NORMALFORMS_PREDICATES_PRIVATEBUFFERS_H

#include "mlir/IR/Operation.h"

namespace formwork::normalforms {

/// The limit for one thread: 256 registers of 4 bytes.
inline constexpr int64_t maxPrivateBytes = 1024;

/// Whether each thread can have its own buffer instead of the one that `alloc`
/// allocates. `alloc` is below `kernel`, a gpu.launch or gpu.func.
///
/// Holds when all of these are true:
///
/// - the buffer has a static shape, the default memory space and at most
///   `maxPrivateBytes` bytes;
/// - only reads, writes and views use it;
/// - neither the place nor the time of an access depends on the thread.
///
/// Then all threads access the same elements in the same order. Without a data
/// race, each thread reads only what it wrote itself.
bool isPrivateBuffer(mlir::Operation *alloc, mlir::Operation *kernel);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PREDICATES_PRIVATEBUFFERS_H
