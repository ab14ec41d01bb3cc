// Normalization to @tensor.slices_merged: no slice of a slice, no insertion of an insertion.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: #[[MAP:.+]] = affine_map<()[s0] -> (s0 + 4)>
// CHECK: func.func @f(%[[ARG0:.+]]: tensor<64x64xf32>, %[[ARG1:.+]]: index) -> tensor<4x4xf32> {
// CHECK-NEXT: %[[V0:.+]] = affine.apply #[[MAP]]()[%[[ARG1]]]
// CHECK-NEXT: %[[EXTRACTED_SLICE:.+]] = tensor.extract_slice %[[ARG0]][%[[V0]], 8] [4, 4] [1, 1] : tensor<64x64xf32> to tensor<4x4xf32>
// CHECK-NEXT: return %[[EXTRACTED_SLICE]] : tensor<4x4xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<64x64xf32>, %i: index) -> tensor<4x4xf32> {
    %0 = tensor.extract_slice %a[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %1 = tensor.extract_slice %0[4, 8] [4, 4] [1, 1] : tensor<16x64xf32> to tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @tensor.slices_merged : !transform.any_op
    transform.normalform.assert %f is @tensor.slices_merged : !transform.any_op
    transform.yield
  }
}
