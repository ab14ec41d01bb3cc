// Normalization to @tensor.hoisted: loop-carried accumulators are values, not slices of a tensor.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: tensor<8x64xf32>, %[[ARG1:.+]]: tensor<8x32xf32>) -> tensor<8x32xf32> {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C8:.+]] = arith.constant 8 : index
// CHECK-NEXT: %[[C64:.+]] = arith.constant 64 : index
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V0:.+]] = vector.transfer_read %[[ARG1]][%[[C0]], %[[C0]]], %[[CST]] {in_bounds = [true, true]} : tensor<8x32xf32>, vector<1x8xf32>
// CHECK-NEXT: %[[V1:.+]] = scf.for %[[ARG2:.+]] = %[[C0]] to %[[C64]] step %[[C8]] iter_args(%[[ARG3:.+]] = %[[V0]]) -> (vector<1x8xf32>) {
// CHECK-NEXT: %[[V3:.+]] = vector.transfer_read %[[ARG0]][%[[C0]], %[[ARG2]]], %[[CST]] {in_bounds = [true, true]} : tensor<8x64xf32>, vector<1x8xf32>
// CHECK-NEXT: %[[V4:.+]] = arith.addf %[[ARG3]], %[[V3]] : vector<1x8xf32>
// CHECK-NEXT: scf.yield %[[V4]] : vector<1x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V2:.+]] = vector.transfer_write %[[V1]], %[[ARG1]][%[[C0]], %[[C0]]] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<8x32xf32>
// CHECK-NEXT: return %[[V2]] : tensor<8x32xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<8x64xf32>, %out: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %pad = arith.constant 0.0 : f32
    %0 = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %out) -> tensor<8x32xf32> {
      %1 = vector.transfer_read %acc[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<8x32xf32>, vector<1x8xf32>
      %2 = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, true]} : tensor<8x64xf32>, vector<1x8xf32>
      %3 = arith.addf %1, %2 : vector<1x8xf32>
      %4 = vector.transfer_write %3, %acc[%c0, %c0] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<8x32xf32>
      scf.yield %4 : tensor<8x32xf32>
    }
    return %0 : tensor<8x32xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @tensor.hoisted : !transform.any_op
    transform.normalform.assert %f is @tensor.hoisted : !transform.any_op
    transform.yield
  }
}
