// Each stage of `compile` writes this, on the shipped example.

// RUN: formwork compile %examples/batch_matmul/payload.mlir --transform=%examples/batch_matmul/schedule.mlir --target=sm_90 --emit=mlir 2>/dev/null | FileCheck %s --check-prefix=MLIR
// MLIR: func.func @batch_matmul(%{{.*}}: memref<128x80x32xf32>, %{{.*}}: memref<128x32x320xf32>, %{{.*}}: memref<128x80x320xf32>)
// MLIR: gpu.launch_func @[[MODULE:.*]]::@[[KERNEL:.*]] blocks in (%c5, %c5, %c128) threads in (%c16, %c4, %c1)
// MLIR: gpu.module @[[MODULE]] [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">]
// MLIR: llvm.func @[[KERNEL]]({{.*}}) attributes {{.*}}nvvm.kernel

// RUN: formwork compile %examples/batch_matmul/payload.mlir --transform=%examples/batch_matmul/schedule.mlir --target=sm_90 --emit=llvm 2>/dev/null | FileCheck %s --check-prefix=LLVM
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define ptx_kernel void @batch_matmul_kernel(

// RUN: formwork compile %examples/batch_matmul/payload.mlir --transform=%examples/batch_matmul/schedule.mlir --target=sm_80 --emit=ptx 2>/dev/null | FileCheck %s --check-prefix=PTX
// PTX: .version 8.0
// PTX: .target sm_80
// PTX: .visible .entry batch_matmul_kernel(
// PTX: .maxntid 16, 4, 1
// PTX-NOT: .minnctapersm

// With workgroup memory, ptxas may use the registers of a whole multiprocessor for a block.
// RUN: formwork compile %examples/staged_matmul/payload.mlir --transform=%examples/staged_matmul/schedule.mlir --target=sm_80 --emit=ptx 2>/dev/null | FileCheck %s --check-prefix=STAGED
// STAGED: .maxntid
// STAGED-NEXT: .minnctapersm 1

// The lowering is a file that can be printed, changed and given back.
// RUN: formwork compile --print-lowering > %t.lowering.mlir
// RUN: formwork compile %examples/batch_matmul/payload.mlir --transform=%examples/batch_matmul/schedule.mlir --target=sm_80 --emit=ptx -o %t.shipped.ptx 2>/dev/null
// RUN: formwork compile %examples/batch_matmul/payload.mlir --transform=%examples/batch_matmul/schedule.mlir --target=sm_80 --emit=ptx --lowering=%t.lowering.mlir -o %t.given.ptx 2>/dev/null
// RUN: diff %t.shipped.ptx %t.given.ptx
// RUN: echo 'module {}' > %t.empty.mlir
// RUN: not formwork compile %examples/batch_matmul/payload.mlir --transform=%examples/batch_matmul/schedule.mlir --target=sm_80 --lowering=%t.empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: a lowering requires a named sequence @formwork.outline_kernels [fw-lowering-sequence]

// Schedule and payload in one file give the same.
// RUN: cat %examples/batch_matmul/payload.mlir > %t.both.mlir
// RUN: cat %examples/batch_matmul/schedule.mlir >> %t.both.mlir
// RUN: formwork compile %t.both.mlir --target=sm_80 --emit=ptx -o %t.both.ptx 2>/dev/null
// RUN: diff %t.shipped.ptx %t.both.ptx
