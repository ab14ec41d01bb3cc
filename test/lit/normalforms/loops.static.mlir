// Normalization to @loops.static: every loop has constant bounds and a constant step.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xindex>) {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[C64:.+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG1:.+]] = %[[C0]] to %[[C64]] step %[[C1]] {
// CHECK-NEXT: memref.store %[[ARG1]], %[[ARG0]][%[[ARG1]]] : memref<64xindex>
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %m, %c0 : memref<64xindex>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %i, %m[%i] : memref<64xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @loops.static : !transform.any_op
    transform.normalform.assert %f is @loops.static : !transform.any_op
    transform.yield
  }
}
