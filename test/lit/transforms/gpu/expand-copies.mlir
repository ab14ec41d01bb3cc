// RUN: formwork-opt %s --formwork-gpu-expand-copies | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --formwork-gpu-expand-copies > %t.once
// RUN: formwork-opt %t.once --formwork-gpu-expand-copies | diff %t.once -

// CHECK-LABEL: func.func @copies
func.func @copies(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // CHECK: linalg.copy ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    // A copy onto itself is gone.
    // CHECK-NOT: copy
    memref.copy %a, %a : memref<4xf32> to memref<4xf32>
    gpu.terminator
  }
  // The host keeps its own.
  // CHECK: gpu.terminator
  // CHECK: memref.copy
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}
