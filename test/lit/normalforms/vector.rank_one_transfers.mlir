// Normalization to @vector.rank_one_transfers: transfers are of one dimension, each of neighbours in a buffer.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<3x16x16xf32>, %[[ARG1:.+]]: index) -> vector<2x8xf32> {
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[V0:.+]] = vector.transfer_read %[[ARG0]][%[[ARG1]], %[[C0]], %[[C0]]], %[[CST]] {in_bounds = [true]} : memref<3x16x16xf32>, vector<8xf32>
// CHECK-NEXT: %[[V1:.+]] = vector.transfer_read %[[ARG0]][%[[ARG1]], %[[C1]], %[[C0]]], %[[CST]] {in_bounds = [true]} : memref<3x16x16xf32>, vector<8xf32>
// CHECK-NEXT: %[[V2:.+]]:8 = vector.to_elements %[[V0]] : vector<8xf32>
// CHECK-NEXT: %[[V3:.+]]:8 = vector.to_elements %[[V1]] : vector<8xf32>
// CHECK-NEXT: %[[V4:.+]] = vector.from_elements %[[V2]]#0, %[[V2]]#1, %[[V2]]#2, %[[V2]]#3, %[[V2]]#4, %[[V2]]#5, %[[V2]]#6, %[[V2]]#7, %[[V3]]#0, %[[V3]]#1, %[[V3]]#2, %[[V3]]#3, %[[V3]]#4, %[[V3]]#5, %[[V3]]#6, %[[V3]]#7 : vector<2x8xf32>
// CHECK-NEXT: return %[[V4]] : vector<2x8xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<3x16x16xf32>, %i: index) -> vector<2x8xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %s = memref.subview %m[%i, 0, 0] [1, 16, 16] [1, 1, 1] : memref<3x16x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    %0 = vector.transfer_read %s[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32, strided<[16, 1], offset: ?>>, vector<2x8xf32>
    return %0 : vector<2x8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.rank_one_transfers : !transform.any_op
    transform.normalform.assert %f is @vector.rank_one_transfers : !transform.any_op
    transform.yield
  }
}
