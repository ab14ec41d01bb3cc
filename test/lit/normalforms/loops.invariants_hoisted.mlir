// Normalization to @loops.invariants_hoisted: no loop computes what does not change in it.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: index, %[[ARG1:.+]]: memref<?xindex>) {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[V0:.+]] = arith.muli %[[ARG0]], %[[ARG0]] : index
// CHECK-NEXT: scf.for %[[ARG2:.+]] = %[[C0]] to %[[ARG0]] step %[[C1]] {
// CHECK-NEXT: scf.for %[[ARG3:.+]] = %[[C0]] to %[[ARG0]] step %[[C1]] {
// CHECK-NEXT: memref.store %[[V0]], %[[ARG1]][%[[ARG3]]] : memref<?xindex>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %0 = arith.muli %n, %n : index
        memref.store %0, %m[%j] : memref<?xindex>
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @loops.invariants_hoisted : !transform.any_op
    transform.normalform.assert %f is @loops.invariants_hoisted : !transform.any_op
    transform.yield
  }
}
