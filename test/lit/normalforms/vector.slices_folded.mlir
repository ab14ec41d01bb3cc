// Normalization to @vector.slices_folded: transfers read and write tensors, not slices of them.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: tensor<64x64xf32>, %[[ARG1:.+]]: index) -> vector<4x4xf32> {
// CHECK-NEXT: %[[CST:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V0:.+]] = vector.transfer_read %[[ARG0]][%[[ARG1]], %[[ARG1]]], %[[CST]] {in_bounds = [true, true]} : tensor<64x64xf32>, vector<4x4xf32>
// CHECK-NEXT: return %[[V0]] : vector<4x4xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<64x64xf32>, %i: index) -> vector<4x4xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %0 = tensor.extract_slice %a[%i, 0] [4, 64] [1, 1] : tensor<64x64xf32> to tensor<4x64xf32>
    %1 = vector.transfer_read %0[%c0, %i], %pad {in_bounds = [true, true]} : tensor<4x64xf32>, vector<4x4xf32>
    return %1 : vector<4x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.slices_folded : !transform.any_op
    transform.normalform.assert %f is @vector.slices_folded : !transform.any_op
    transform.yield
  }
}
