// Normalization to @memref.canonical: no copy of a buffer to itself, no view of a view.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: #[[MAP:.+]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK: func.func @f(%[[ARG0:.+]]: memref<64x64xf32>, %[[ARG1:.+]]: index) -> f32 {
// CHECK-NEXT: %[[V0:.+]] = affine.apply #[[MAP]]()[%[[ARG1]]]
// CHECK-NEXT: %[[V1:.+]] = memref.load %[[ARG0]][%[[V0]], %[[ARG1]]] : memref<64x64xf32>
// CHECK-NEXT: return %[[V1]] : f32
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64x64xf32>, %i: index) -> f32 {
    %0 = memref.subview %m[%i, 0] [16, 64] [1, 1] : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    memref.copy %0, %0 : memref<16x64xf32, strided<[64, 1], offset: ?>> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    %1 = memref.load %0[%i, %i] : memref<16x64xf32, strided<[64, 1], offset: ?>>
    return %1 : f32
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @memref.canonical : !transform.any_op
    transform.normalform.assert %f is @memref.canonical : !transform.any_op
    transform.yield
  }
}
