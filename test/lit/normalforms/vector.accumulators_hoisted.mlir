// Normalization to @vector.accumulators_hoisted: no loop reads a part of a buffer that it then writes back.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<16x16xf32>, %[[ARG1:.+]]: vector<4xf32>) {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[C8:.+]] = arith.constant 8 : index
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V0:.+]] = vector.transfer_read %[[ARG0]][%[[C0]], %[[C0]]], %[[CST]] {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
// CHECK-NEXT: %[[V1:.+]] = scf.for %[[ARG2:.+]] = %[[C0]] to %[[C8]] step %[[C1]] iter_args(%[[ARG3:.+]] = %[[V0]]) -> (vector<4xf32>) {
// CHECK-NEXT: %[[V2:.+]] = arith.addf %[[ARG3]], %[[ARG1]] : vector<4xf32>
// CHECK-NEXT: scf.yield %[[V2]] : vector<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: vector.transfer_write %[[V1]], %[[ARG0]][%[[C0]], %[[C0]]] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<16x16xf32>, %v: vector<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %pad = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c8 step %c1 {
      %0 = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %1 = arith.addf %0, %v : vector<4xf32>
      vector.transfer_write %1, %m[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.accumulators_hoisted : !transform.any_op
    transform.normalform.assert %f is @vector.accumulators_hoisted : !transform.any_op
    transform.yield
  }
}
