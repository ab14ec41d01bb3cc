// Normalization to @tensor.reshapes_folded: no reshape that its neighbour could absorb.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: tensor<32xf32>, %[[ARG1:.+]]: tensor<1x1x64xf32>, %[[ARG2:.+]]: index) -> tensor<1x1x64xf32> {
// CHECK-NEXT: %[[INSERTED_SLICE:.+]] = tensor.insert_slice %[[ARG0]] into %[[ARG1]][0, 0, %[[ARG2]]] [1, 1, 32] [1, 1, 1] : tensor<32xf32> into tensor<1x1x64xf32>
// CHECK-NEXT: return %[[INSERTED_SLICE]] : tensor<1x1x64xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<32xf32>, %out: tensor<1x1x64xf32>, %i: index) -> tensor<1x1x64xf32> {
    %0 = tensor.expand_shape %a [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
    %1 = tensor.insert_slice %0 into %out[0, 0, %i] [1, 1, 32] [1, 1, 1] : tensor<1x32xf32> into tensor<1x1x64xf32>
    return %1 : tensor<1x1x64xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @tensor.reshapes_folded : !transform.any_op
    transform.normalform.assert %f is @tensor.reshapes_folded : !transform.any_op
    transform.yield
  }
}
