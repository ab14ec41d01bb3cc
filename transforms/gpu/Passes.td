//===- Passes.td - Passes of the lowering to GPUs ----------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_PASSES
#define FORMWORK_TRANSFORMS_GPU_PASSES

include "mlir/Pass/PassBase.td"

def DropReturnedArguments
    : Pass<"formwork-drop-returned-arguments", "::mlir::ModuleOp"> {
  let summary = "Drop results that are always the same argument";
  let description = [{
    A function that computes a result in one of its buffers returns that buffer
    after bufferization. As an out-parameter, the result would be copied by the
    host; the caller has the argument already. Only functions that nothing in the
    module calls are changed: their callers are outside, and read the argument.

    Example:

    ```mlir
    func.func @f(%c: memref<4xf32>) -> memref<4xf32> { return %c : memref<4xf32> }
    // becomes
    func.func @f(%c: memref<4xf32>) { return }
    ```
  }];
}

def GpuExpandCopies : Pass<"formwork-gpu-expand-copies", "::mlir::ModuleOp"> {
  let summary = "Turn memref.copy inside gpu.launch into linalg.copy";
  let description = [{
    `memref.copy` lowers to a call of a host function, which a kernel cannot
    make. Inside a `gpu.launch`, a copy of a buffer onto itself is erased, and
    any other becomes a `linalg.copy`, which lowers to loops.

    Example:

    ```mlir
    gpu.launch ... {
      memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    // becomes
      linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def GpuMergeModules : Pass<"formwork-gpu-merge-modules", "::mlir::ModuleOp"> {
  let summary = "Merge all gpu.modules into the first one";
  let description = [{
    Outlining makes one `gpu.module` a launch, but a compilation has one device
    image. The contents of the later modules move into the first one, which is
    named after it; symbols that would collide are renamed, and references from
    the host follow.
  }];
}

def GpuWorkgroupBuffers
    : Pass<"formwork-gpu-workgroup-buffers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn allocations inside kernels into memory that a GPU has";
  let description = [{
    A `memref.alloc` that is left in a kernel would become a call of the device's
    `malloc`, one buffer a thread, and a `memref.alloca` in workgroup memory
    would become memory of one thread: both wrong without a word. In every
    `gpu.func`

    - a statically shaped allocation in workgroup memory becomes a workgroup
      attribution, aligned to 16 bytes; its `memref.dealloc` goes away;
    - any other `memref.alloc` is refused (`fw-kernel-allocation`), and so is one
      whose shape or layout is not static, or that is in a function that kernels
      call.
  }];
}

#endif // FORMWORK_TRANSFORMS_GPU_PASSES
