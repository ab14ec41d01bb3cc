// Normalization to @loops.canonical: trip counts, bounds and affine indices folded.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xindex>) {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C16:.+]] = arith.constant 16 : index
// CHECK-NEXT: %[[C64:.+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG1:.+]] = %[[C0]] to %[[C64]] step %[[C16]] {
// CHECK-NEXT: memref.store %[[C16]], %[[ARG0]][%[[ARG1]]] : memref<64xindex>
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xindex>) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %0 = affine.min affine_map<(d0) -> (16, -d0 + 64)>(%i)
      memref.store %0, %m[%i] : memref<64xindex>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @loops.canonical : !transform.any_op
    transform.normalform.assert %f is @loops.canonical : !transform.any_op
    transform.yield
  }
}
