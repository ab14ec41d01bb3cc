// RUN: formwork-opt %s --split-input-file --formwork-gpu-sink-workgroup-buffers | FileCheck %s

// The launch allocates what only it uses. Another buffer stays where it is.
// CHECK-LABEL: func.func @owned
// CHECK-NOT: workgroup>
// CHECK: %[[OTHER:.*]] = memref.alloc() : memref<32xf32>
// CHECK: gpu.launch
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: gpu.terminator
// CHECK-NOT: memref.dealloc %{{.*}} : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: memref.dealloc %[[OTHER]]
func.func @owned(%v: f32) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %v, %a[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %b[%tx] : memref<32xf32>
    gpu.terminator
  }
  memref.dealloc %a : memref<32xf32, #gpu.address_space<workgroup>>
  memref.dealloc %b : memref<32xf32>
  return
}
