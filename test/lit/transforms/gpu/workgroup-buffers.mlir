// RUN: formwork-opt %s --pass-pipeline='builtin.module(gpu.module(formwork-gpu-workgroup-buffers))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @staged
  // CHECK-SAME: workgroup(%[[A:.*]] : memref<8xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64},
  // CHECK-SAME: %[[B:.*]] : memref<2xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  gpu.func @staged(%v: f32, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    // CHECK-NOT: memref.alloc(
    scf.for %k = %c0 to %c8 step %c1 {
      %a = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
      // CHECK: memref.store %{{.*}}, %[[A]]
      memref.store %v, %a[%i] : memref<8xf32, #gpu.address_space<workgroup>>
      memref.dealloc %a : memref<8xf32, #gpu.address_space<workgroup>>
    }
    %b = memref.alloca() : memref<2xf32, #gpu.address_space<workgroup>>
    // CHECK: memref.store %{{.*}}, %[[B]]
    memref.store %v, %b[%i] : memref<2xf32, #gpu.address_space<workgroup>>
    // One thread's own memory stays.
    // CHECK: memref.alloca() : memref<4xf32>
    %c = memref.alloca() : memref<4xf32>
    memref.store %v, %c[%i] : memref<4xf32>
    // CHECK-NOT: memref.dealloc
    gpu.return
  }
}
