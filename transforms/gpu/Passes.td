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

def GpuDropBarriers : Pass<"formwork-gpu-drop-barriers", "::mlir::ModuleOp"> {
  let summary = "Erase the barriers of kernels that order nothing";
  let description = [{
    A barrier in a `gpu.launch` orders what threads access in front of it, from the
    barrier before, and what they access behind it, up to the next one. It is erased
    if no access of the one side may be of a place that the other side accesses,
    or if neither writes. Two buffers share no place in different memory spaces; an
    allocation shares none with another one or with an argument, nor an argument that
    is `llvm.noalias` with others. Memory that a thread has for itself does not count.

    So the barrier goes that nothing follows, as `transform.gpu.map_nested_forall_to_threads`
    leaves one at the end of a kernel, and the one between a write of a result and the
    first copy to workgroup memory. Upstream's elimination asks for the same index
    instead, and keeps those.

    A barrier in a branch is not counted on as one that all threads come to, and a loop
    may have no step. An operation whose effects are not known, such as a wait for
    asynchronous copies, keeps all barriers next to it.

    Example:

    ```mlir
    vector.store %x, %out[%i] : memref<64xf32>, vector<4xf32>
    gpu.barrier
    gpu.terminator
    // becomes
    vector.store %x, %out[%i] : memref<64xf32>, vector<4xf32>
    gpu.terminator
    ```
  }];
}

def GpuHoistAccumulators
    : Pass<"formwork-gpu-hoist-accumulators", "::mlir::ModuleOp"> {
  let summary = "Keep in registers what a loop reads from and writes to one place";
  let description = [{
    A loop inside a `gpu.launch` that reads a place of a buffer and writes it again
    at each step reads it once before its first step instead, carries the value,
    and writes it once behind its last. Unlike upstream's hoisting of redundant
    transfers, this goes out of loops in which threads meet at barriers, as those
    that stage operands through workgroup memory do, and assumes of no two buffers
    that they are different ones.

    The two accesses are in the body of a loop that runs at least once, in bounds,
    without a mask, and at indices that do not change in the loop. All other
    accesses in it are of memory that has no byte in common with theirs: of another
    memory space, of another allocation, or of another argument of the function if
    one of the two arguments is `llvm.noalias`. In a loop without a barrier they may
    be transfers apart in the same buffer, too. With a barrier, such a transfer could
    read what another thread wrote.

    Example:

    ```mlir
    scf.for %k = %c0 to %c8 step %c1 {
      %a = vector.load %m[%i] : memref<64xf32>, vector<4xf32>
      %b = arith.addf %a, %x : vector<4xf32>
      vector.store %b, %m[%i] : memref<64xf32>, vector<4xf32>
    }
    // becomes
    %a = vector.load %m[%i] : memref<64xf32>, vector<4xf32>
    %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%c = %a) -> (vector<4xf32>) {
      %b = arith.addf %c, %x : vector<4xf32>
      scf.yield %b : vector<4xf32>
    }
    vector.store %r, %m[%i] : memref<64xf32>, vector<4xf32>
    ```
  }];
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

def GpuPrivateBuffers : Pass<"formwork-gpu-private-buffers", "::mlir::ModuleOp"> {
  let summary = "Turn small allocations inside gpu.launch into memory of a thread";
  let description = [{
    A temporary that bufferization leaves in a kernel is a `memref.alloc`, which a
    kernel cannot make. Where the buffer is small, and all threads access the same
    elements of it in the same order, every thread can have one of its own: it
    becomes a `memref.alloca` at the start of the kernel, which ends in registers
    if the accesses have constant indices. Any other allocation stays.

    Example:

    ```mlir
    gpu.launch ... {
      scf.for %k = %c0 to %c8 step %c1 {
        %t = memref.alloc() : memref<4xf32>
        ...
        memref.dealloc %t : memref<4xf32>
    // becomes
    gpu.launch ... {
      %t = memref.alloca() : memref<4xf32>
      scf.for %k = %c0 to %c8 step %c1 {
        ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ReturnAllocations
    : Pass<"formwork-return-allocations", "::mlir::ModuleOp"> {
  let summary = "Let a reshaped allocation that is returned be an allocation";
  let description = [{
    What a function returns becomes an argument that the caller allocates, and
    where it is no allocation, the lowering would copy it there on the host. An
    allocation that is returned under another shape is made in that shape, and
    what computes it gets the reshaped buffer.

    Example:

    ```mlir
    %a = memref.alloc() : memref<4x5xf32>
    ...
    %r = memref.collapse_shape %a [[0, 1]] : memref<4x5xf32> into memref<20xf32>
    return %r : memref<20xf32>
    // becomes
    %r = memref.alloc() : memref<20xf32>
    %a = memref.expand_shape %r [[0, 1]] output_shape [4, 5]
        : memref<20xf32> into memref<4x5xf32>
    ...
    return %r : memref<20xf32>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def GpuSinkWorkgroupBuffers
    : Pass<"formwork-gpu-sink-workgroup-buffers", "::mlir::ModuleOp"> {
  let summary = "Let kernels allocate their workgroup memory by themselves";
  let description = [{
    `transform.structured.promote` allocates at the beginning of the function,
    which is the host once loops around the buffer are a kernel. The host has no
    workgroup memory. A `memref.alloc` there that one `gpu.launch` uses moves into
    the launch, and its `memref.dealloc` goes away. Any other buffer in workgroup
    memory that a launch takes from outside is refused (`fw-kernel-allocation`).
  }];
}

def GpuSinkReads : Pass<"formwork-gpu-sink-reads", "::mlir::ModuleOp"> {
  let summary = "Let kernels read by themselves what hoisting reads before them";
  let description = [{
    A constant tensor becomes a `memref.global`, which the host would have in its
    own memory; and hoisting takes a read that is the same for all threads out of
    the kernel, to the host, which cannot reach the buffer. Each `gpu.launch` gets
    the `memref.get_global`, the read, and what is computed from these, inside;
    outlining then takes constants into the device's module.

    A read moves into the launch where nothing writes the buffer behind it: that
    of a constant, of an allocation, or of an argument that was a tensor.

    Example:

    ```mlir
    %weights = memref.get_global @weights : memref<4xf32>
    %first = memref.load %weights[%c0] : memref<4xf32>
    gpu.launch ... { ... arith.mulf %x, %first ... }
    // becomes
    gpu.launch ... {
      %weights = memref.get_global @weights : memref<4xf32>
      %first = memref.load %weights[%c0] : memref<4xf32>
      ... arith.mulf %x, %first ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def GpuEdgeAccesses : Pass<"formwork-gpu-edge-accesses"> {
  let summary = "Guard accesses over the end of a buffer as a whole";
  let description = [{
    In a `gpu.launch`, a transfer of a vector of rank 1 that may reach over the end
    of its buffer becomes transfers of as many elements as are known to be aligned,
    up to 16 bytes. Each is in bounds where all of its elements are. Otherwise it is
    as before, which later is one guarded access for each element; or nothing, if
    the end is known not to be within such a part.

    Example, where %i is a multiple of 4:

    ```mlir
    %v = vector.transfer_read %x[%i], %zero : memref<?xf32>, vector<4xf32>
    // becomes
    %inside = %i + 4 <= memref.dim %x, %c0
    %v = scf.if %inside -> vector<4xf32> {
      %0 = vector.transfer_read %x[%i], %zero {in_bounds = [true]} ...
      scf.yield %0
    } else {
      %1 = vector.transfer_read %x[%i], %zero ...
      scf.yield %1
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def GpuNarrowLoops : Pass<"formwork-gpu-narrow-loops"> {
  let summary = "Count with 32 bits in loops of which the bounds are constants";
  let description = [{
    Each `scf.for` over `index` of which bounds and step are constants from 0 to
    2^30 counts with `i32`; its body gets the index by a cast. Other loops stay what
    they are.

    Example:

    ```mlir
    scf.for %i = %c0 to %c64 step %c1 { ... }
    ```

    becomes

    ```mlir
    scf.for %j = %c0_i32 to %c64_i32 step %c1_i32 : i32 {
      %i = arith.index_castui %j : i32 to index
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def GpuLateReads : Pass<"formwork-gpu-late-reads"> {
  let summary = "Read after divisions and functions what waits for them";
  let description = [{
    A division or a function such as `math.rsqrt` becomes code with branches, over
    which ptxas moves no read. Where more than 64 registers of what a block of a
    kernel has read, and not used yet, would wait for it, these reads go behind it.
    No read moves over a write, a barrier, or an operation of unknown effects.

    Example:

    ```mlir
    %w = vector.load %weights[%i] : memref<50257xf32>, vector<128xf32>
    %inverse = math.rsqrt %variance : f32
    ```

    becomes

    ```mlir
    %inverse = math.rsqrt %variance : f32
    %w = vector.load %weights[%i] : memref<50257xf32>, vector<128xf32>
    ```
  }];
}

def GpuSlotAddresses : Pass<"formwork-gpu-slot-addresses"> {
  let summary = "Compute addresses in a slot of a buffer in front of the loop";
  let description = [{
    A loop that goes around the slots of a buffer in workgroup memory, as
    `transform.formwork.pipeline_copies` makes it, changes the first index of its
    accesses and no other. An address is the sum of all, in the order of the
    indices, so that nothing of it would be computed in front of the loop.

    Example:

    ```mlir
    %v = vector.load %buffer[%slot, %row, %column]
        : memref<2x64x64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    // becomes, with %start = %row * 64 + %column in front of the loop
    %view = memref.reinterpret_cast %buffer to offset: [%start],
        sizes: [2, 4096], strides: [4096, 1]
    %v = vector.load %view[%slot, %c0]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def SplitBitVectors : Pass<"formwork-split-bit-vectors"> {
  let summary = "Access elements that are not whole bytes one by one";
  let description = [{
    In a buffer, an element of type `i1` takes a byte. LLVM packs the bits of a
    vector `vector<4xi1>` in memory, so that a load or a store of the vector
    accesses other bytes. The same is true of each type whose width is not 8, 16
    or another such number of bits. This pass splits loads and stores of such
    vectors, also masked ones, and lowers transfers of rank one to them.

    Example:

    ```mlir
    %v = vector.load %m[%i] : memref<64xi1>, vector<2xi1>
    // becomes
    %e0 = memref.load %m[%i] : memref<64xi1>
    %v0 = vector.insert %e0, %poison[0] : i1 into vector<2xi1>
    %i1 = arith.addi %i, %c1 : index
    %e1 = memref.load %m[%i1] : memref<64xi1>
    %v1 = vector.insert %e1, %v0[1] : i1 into vector<2xi1>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def GpuSplitVectors : Pass<"formwork-gpu-split-vectors"> {
  let summary = "Turn vectors of rank two and more into rows";
  let description = [{
    The conversion of a kernel to NVVM takes loads, stores and element-wise
    arithmetic on vectors of rank one, and insertion and extraction of rows. The
    rule groups of the Transform dialect leave strided slices, `to_elements` and
    `from_elements` of higher rank, steps, interleavings, gathers, and
    element-wise operations on whole tiles. This pass takes them apart, row by
    row.

    Example:

    ```mlir
    %e = math.exp %v : vector<2x4xf32>
    // becomes
    %v0 = vector.extract %v[0] : vector<4xf32> from vector<2x4xf32>
    %e0 = math.exp %v0 : vector<4xf32>
    %r0 = vector.insert %e0, %poison[0] : vector<4xf32> into vector<2x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def GpuExpandMath : Pass<"formwork-gpu-expand-math"> {
  let summary = "Compute functions for which libdevice has no call";
  let description = [{
    The conversion of kernels calls a function of libdevice for an operation of
    `math`, and knows none for some operations and types. These become arithmetic
    (`math.absi`, `math.ipowi`) or intrinsics of LLVM (`math.ctlz`, `math.cttz`,
    `math.ctpop`, `math.trunc`), which PTX has instructions for. Vectors have
    rank one at most.

    Example:

    ```mlir
    %a = math.absi %x : i64
    // becomes
    %negative = arith.subi %c0, %x : i64
    %a = arith.maxsi %x, %negative : i64
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def GpuConstantDivisions
    : Pass<"formwork-gpu-constant-divisions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Divide by constants without a call";
  let description = [{
    A division of f32 has a slow path, which is a call: what is in registers around
    it may have to be spilled. By a constant that is finite, not zero and no power
    of two, it becomes two operations of f64, by the reciprocal of the constant as
    a sum of two numbers. So does one of vectors, each element by the same
    constant. The result is the same for each number, infinity and zero;
    `Reciprocal.h` has the proof. Divisions that may be approximated, and kernels
    for GPUs with few units for f64, stay as they are.

    Example:

    ```mlir
    %mean = arith.divf %sum, %c768 : f32
    // becomes
    %x = arith.extf %sum : f32 to f64
    %rest = arith.mulf %x, %low : f64
    %quotient = llvm.intr.fma(%x, %high, %rest) : (f64, f64, f64) -> f64
    %mean = arith.truncf %quotient : f64 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
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
