// Normalization to @linalg.minimal_inputs: no structured op has an operand that its body does not use.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: #[[MAP:.+]] = affine_map<(d0) -> (d0)>
// CHECK: func.func @f(%[[ARG0:.+]]: tensor<32xf32>, %[[ARG1:.+]]: tensor<32xf32>, %[[ARG2:.+]]: tensor<32xf32>) -> tensor<32xf32> {
// CHECK-NEXT: %[[V0:.+]] = linalg.generic {indexing_maps = [#[[MAP]], #[[MAP]]], iterator_types = ["parallel"]} ins(%[[ARG0]] : tensor<32xf32>) outs(%[[ARG2]] : tensor<32xf32>) {
// CHECK-NEXT: ^bb0(%[[IN:.+]]: f32, %[[OUT:.+]]: f32):
// CHECK-NEXT: %[[V1:.+]] = arith.addf %[[IN]], %[[OUT]] : f32
// CHECK-NEXT: linalg.yield %[[V1]] : f32
// CHECK-NEXT: } -> tensor<32xf32>
// CHECK-NEXT: return %[[V0]] : tensor<32xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<32xf32>, %b: tensor<32xf32>, %out: tensor<32xf32>) -> tensor<32xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}
        ins(%a, %b : tensor<32xf32>, tensor<32xf32>) outs(%out : tensor<32xf32>) {
    ^bb0(%x: f32, %unused: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @linalg.minimal_inputs : !transform.any_op
    transform.normalform.assert %f is @linalg.minimal_inputs : !transform.any_op
    transform.yield
  }
}
