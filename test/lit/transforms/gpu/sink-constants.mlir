// RUN: formwork-opt %s --formwork-gpu-sink-constants | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --formwork-gpu-sink-constants > %t.once
// RUN: formwork-opt %t.once --formwork-gpu-sink-constants | diff %t.once -

memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// CHECK-LABEL: func.func @kernels
func.func @kernels(%y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: memref.get_global
  %w = memref.get_global @weights : memref<4xf32>
  // CHECK: gpu.launch
  // CHECK: %[[W:.*]] = memref.get_global @weights
  // CHECK: memref.load %[[W]]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %w[%c0] : memref<4xf32>
    memref.store %v, %y[%c0] : memref<4xf32>
    gpu.terminator
  }
  // CHECK: gpu.launch
  // CHECK: memref.get_global @weights
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %w[%c1] : memref<4xf32>
    memref.store %v, %y[%c1] : memref<4xf32>
    gpu.terminator
  }
  return
}

// The host's own use stays.
// CHECK-LABEL: func.func @host
func.func @host() -> f32 {
  %c0 = arith.constant 0 : index
  // CHECK: memref.get_global
  %w = memref.get_global @weights : memref<4xf32>
  %v = memref.load %w[%c0] : memref<4xf32>
  return %v : f32
}
