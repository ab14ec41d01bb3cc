// Normalization to @vector.rank_reduced: transfers on buffers see no unit dimensions.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<8x16x1xf32>, %[[ARG1:.+]]: index) -> vector<4x1xf32> {
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[SUBVIEW:.+]] = memref.subview %[[ARG0]][0, 0, 0] [8, 16, 1] [1, 1, 1] : memref<8x16x1xf32> to memref<8x16xf32, strided<[16, 1]>>
// CHECK-NEXT: %[[V0:.+]] = vector.transfer_read %[[SUBVIEW]][%[[ARG1]], %[[ARG1]]], %[[CST]] {in_bounds = [true]} : memref<8x16xf32, strided<[16, 1]>>, vector<4xf32>
// CHECK-NEXT: %[[V1:.+]] = vector.shape_cast %[[V0]] : vector<4xf32> to vector<4x1xf32>
// CHECK-NEXT: return %[[V1]] : vector<4x1xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<8x16x1xf32>, %i: index) -> vector<4x1xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = vector.transfer_read %m[%i, %i, %c0], %pad {in_bounds = [true, true]} : memref<8x16x1xf32>, vector<4x1xf32>
    return %0 : vector<4x1xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.rank_reduced : !transform.any_op
    transform.normalform.assert %f is @vector.rank_reduced : !transform.any_op
    transform.yield
  }
}
