//===- DynamicMemory.h - Workgroup memory that a launch asks for -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrite of a kernel's buffers in workgroup memory into parts of the one buffer
// of which the launch has the size. Layer: transforms. It knows no target.
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

/// What keeps a kernel from having dynamic workgroup memory; nothing if it can:
/// a buffer of which the size or the layout is no constant, or a launch that asks
/// for an amount that is none.
std::optional<std::string> checkDynamicMemory(mlir::gpu::LaunchOp launch);

/// match:  gpu.launch { %a = memref.alloc() in workgroup memory ... }
/// result: gpu.launch dynamic_shared_memory_size %bytes {
///           %all = gpu.dynamic_shared_memory
///           %a = memref.view %all[%offset] ... }
/// when:   checkDynamicMemory finds nothing wrong
///
/// Each buffer starts at a multiple of 16 bytes, behind what the launch asked for
/// before. A launch without buffers stays as it is.
void makeMemoryDynamic(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch);

} // namespace formwork::transforms::stage

#endif // FORMWORK_TRANSFORMS_STAGE_DYNAMICMEMORY_H
