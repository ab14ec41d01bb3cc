// Normalization to @linalg.no_unit_dims: no structured op iterates over a dimension of size 1.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: #[[MAP:.+]] = affine_map<(d0) -> (d0)>
// CHECK: func.func @f(%[[ARG0:.+]]: tensor<1x32xf32>, %[[ARG1:.+]]: tensor<1x32xf32>) -> tensor<1x32xf32> {
// CHECK-NEXT: %[[EXTRACTED_SLICE:.+]] = tensor.extract_slice %[[ARG0]][0, 0] [1, 32] [1, 1] : tensor<1x32xf32> to tensor<32xf32>
// CHECK-NEXT: %[[EXTRACTED_SLICE_0:.+]] = tensor.extract_slice %[[ARG1]][0, 0] [1, 32] [1, 1] : tensor<1x32xf32> to tensor<32xf32>
// CHECK-NEXT: %[[V0:.+]] = linalg.generic {indexing_maps = [#[[MAP]], #[[MAP]]], iterator_types = ["parallel"]} ins(%[[EXTRACTED_SLICE]] : tensor<32xf32>) outs(%[[EXTRACTED_SLICE_0]] : tensor<32xf32>) {
// CHECK-NEXT: ^bb0(%[[IN:.+]]: f32, %[[OUT:.+]]: f32):
// CHECK-NEXT: %[[V1:.+]] = arith.addf %[[IN]], %[[OUT]] : f32
// CHECK-NEXT: linalg.yield %[[V1]] : f32
// CHECK-NEXT: } -> tensor<32xf32>
// CHECK-NEXT: %[[INSERTED_SLICE:.+]] = tensor.insert_slice %[[V0]] into %[[ARG1]][0, 0] [1, 32] [1, 1] : tensor<32xf32> into tensor<1x32xf32>
// CHECK-NEXT: return %[[INSERTED_SLICE]] : tensor<1x32xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<1x32xf32>, %out: tensor<1x32xf32>) -> tensor<1x32xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<1x32xf32>) outs(%out : tensor<1x32xf32>) {
    ^bb0(%x: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<1x32xf32>
    return %0 : tensor<1x32xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @linalg.no_unit_dims : !transform.any_op
    transform.normalform.assert %f is @linalg.no_unit_dims : !transform.any_op
    transform.yield
  }
}
