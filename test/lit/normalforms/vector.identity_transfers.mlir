// Normalization to @vector.identity_transfers: transfers run along the innermost dimensions, permuted elsewhere.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<16x16xf32>, %[[ARG1:.+]]: index) -> vector<4x8xf32> {
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V0:.+]] = vector.transfer_read %[[ARG0]][%[[ARG1]], %[[ARG1]]], %[[CST]] {in_bounds = [true, true]} : memref<16x16xf32>, vector<8x4xf32>
// CHECK-NEXT: %[[V1:.+]] = vector.transpose %[[V0]], [1, 0] : vector<8x4xf32> to vector<4x8xf32>
// CHECK-NEXT: return %[[V1]] : vector<4x8xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<16x16xf32>, %i: index) -> vector<4x8xf32> {
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %m[%i, %i], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x16xf32>, vector<4x8xf32>
    return %0 : vector<4x8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.identity_transfers : !transform.any_op
    transform.normalform.assert %f is @vector.identity_transfers : !transform.any_op
    transform.yield
  }
}
