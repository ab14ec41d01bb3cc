// RUN: formwork-opt %s --allow-unregistered-dialect --formwork-return-allocations | FileCheck %s
// Twice is as once.
// RUN: formwork-opt %s --allow-unregistered-dialect --formwork-return-allocations > %t.once
// RUN: formwork-opt %t.once --allow-unregistered-dialect --formwork-return-allocations | diff %t.once -

// CHECK-LABEL: func.func @collapsed
func.func @collapsed(%x: memref<4x5xf32>) -> memref<20xf32> {
  // CHECK: %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<20xf32>
  // CHECK: %[[A:.*]] = memref.expand_shape %[[R]] {{\[}}[0, 1]] output_shape [4, 5]
  %a = memref.alloc() {alignment = 64 : i64} : memref<4x5xf32>
  // CHECK: linalg.copy ins(%{{.*}}) outs(%[[A]] : memref<4x5xf32>)
  linalg.copy ins(%x : memref<4x5xf32>) outs(%a : memref<4x5xf32>)
  // CHECK-NOT: memref.collapse_shape
  %r = memref.collapse_shape %a [[0, 1]] : memref<4x5xf32> into memref<20xf32>
  // CHECK: return %[[R]]
  return %r : memref<20xf32>
}

// Through two shapes.
// CHECK-LABEL: func.func @twice
func.func @twice() -> memref<2x10xf32> {
  // CHECK: %[[R:.*]] = memref.alloc() : memref<2x10xf32>
  // CHECK: %[[F:.*]] = memref.collapse_shape %[[R]] {{\[}}[0, 1]]
  // CHECK: memref.expand_shape %[[F]] {{\[}}[0, 1]] output_shape [4, 5]
  %a = memref.alloc() : memref<4x5xf32>
  "test.use"(%a) : (memref<4x5xf32>) -> ()
  %f = memref.collapse_shape %a [[0, 1]] : memref<4x5xf32> into memref<20xf32>
  %r = memref.expand_shape %f [[0, 1]] output_shape [2, 10] : memref<20xf32> into memref<2x10xf32>
  // CHECK: return %[[R]]
  return %r : memref<2x10xf32>
}

// CHECK-LABEL: func.func @number
func.func @number() -> memref<f32> {
  // CHECK: %[[R:.*]] = memref.alloc() : memref<f32>
  // CHECK: memref.reinterpret_cast %[[R]] to offset: [0], sizes: [1, 1], strides: [1, 1]
  %a = memref.alloc() : memref<1x1xf32>
  "test.use"(%a) : (memref<1x1xf32>) -> ()
  %r = memref.collapse_shape %a [] : memref<1x1xf32> into memref<f32>
  // CHECK: return %[[R]]
  return %r : memref<f32>
}

// An argument, and an allocation as it is, stay.
// CHECK-LABEL: func.func @others
func.func @others(%x: memref<4x5xf32>) -> (memref<20xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  // CHECK: memref.collapse_shape %arg0
  %r = memref.collapse_shape %x [[0, 1]] : memref<4x5xf32> into memref<20xf32>
  return %r, %a : memref<20xf32>, memref<4xf32>
}
