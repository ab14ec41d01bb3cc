//===- DynamicMemory.h - Memory whose size a launch states ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a kernel's buffers in workgroup memory into parts of one buffer,
// whose size the launch states. Layer: transforms. It knows no target.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STAGE_DYNAMICMEMORY_H
#define FORMWORK_TRANSFORMS_STAGE_DYNAMICMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <string>

namespace formwork::transforms::stage {

/// Returns why a kernel cannot have dynamic workgroup memory; none if it can.
/// Reasons are a buffer whose size or layout is not constant, and a launch that
/// requests an amount that is not constant.
std::optional<std::string> checkDynamicMemory(mlir::gpu::LaunchOp launch);

/// match:  gpu.launch { %a = memref.alloc() in workgroup memory ... }
/// result: gpu.launch dynamic_shared_memory_size %bytes {
///           %all = gpu.dynamic_shared_memory
///           %a = memref.view %all[%offset] ... }
/// when:   checkDynamicMemory finds nothing wrong
///
/// Each buffer starts at a multiple of 16 bytes, behind the memory that the
/// launch already requested. A launch without buffers stays as it is. If
/// `reuse`, buffers that are never in use at the same time have the same bytes,
/// with a barrier between their uses.
void makeMemoryDynamic(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                       bool reuse);

} // namespace formwork::transforms::stage

#endif // FORMWORK_TRANSFORMS_STAGE_DYNAMICMEMORY_H
