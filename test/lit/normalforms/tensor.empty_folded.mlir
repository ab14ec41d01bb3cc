// Normalization to @tensor.empty_folded: no op that only renames part of a fresh tensor.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: index) -> tensor<4x16xf32> {
// CHECK-NEXT: %[[V0:.+]] = tensor.empty() : tensor<4x16xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x16xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%i: index) -> tensor<4x16xf32> {
    %0 = tensor.empty() : tensor<64xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 16] : tensor<64xf32> into tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @tensor.empty_folded : !transform.any_op
    transform.normalform.assert %f is @tensor.empty_folded : !transform.any_op
    transform.yield
  }
}
