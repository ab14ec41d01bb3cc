// Normalization to @gpu.mappable: every forall is static, normalized, bufferized and has a mapping.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xf32>, %[[ARG1:.+]]: f32) {
// CHECK-NEXT: scf.forall (%[[ARG2:.+]]) in (64) {
// CHECK-NEXT: memref.store %[[ARG1]], %[[ARG0]][%[[ARG2]]] : memref<64xf32>
// CHECK-NEXT: } {mapping = [#gpu.thread<x>]}
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xf32>, %s: f32) {
    scf.forall (%i) in (64) {
      memref.store %s, %m[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.mappable : !transform.any_op
    transform.normalform.assert %f is @gpu.mappable : !transform.any_op
    transform.yield
  }
}
