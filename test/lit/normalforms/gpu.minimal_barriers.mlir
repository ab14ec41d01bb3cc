// Normalization to @gpu.minimal_barriers: no barrier that orders nothing.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xf32>, %[[ARG1:.+]]: index, %[[ARG2:.+]]: f32) {
// CHECK-NEXT: memref.store %[[ARG2]], %[[ARG0]][%[[ARG1]]] : memref<64xf32>
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[V0:.+]] = memref.load %[[ARG0]][%[[ARG1]]] : memref<64xf32>
// CHECK-NEXT: memref.store %[[V0]], %[[ARG0]][%[[ARG1]]] : memref<64xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xf32>, %i: index, %s: f32) {
    memref.store %s, %m[%i] : memref<64xf32>
    gpu.barrier
    gpu.barrier
    %0 = memref.load %m[%i] : memref<64xf32>
    memref.store %0, %m[%i] : memref<64xf32>
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.minimal_barriers : !transform.any_op
    transform.normalform.assert %f is @gpu.minimal_barriers : !transform.any_op
    transform.yield
  }
}
