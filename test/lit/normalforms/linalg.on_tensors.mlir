// Normalization to @linalg.on_tensors: every structured op works on tensors.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: tensor<8xf32>, %[[ARG1:.+]]: f32) -> tensor<8xf32> {
// CHECK-NEXT: %[[V0:.+]] = linalg.fill ins(%[[ARG1]] : f32) outs(%[[ARG0]] : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<8xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%out: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
    %0 = linalg.fill ins(%s : f32) outs(%out : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @linalg.on_tensors : !transform.any_op
    transform.normalform.assert %f is @linalg.on_tensors : !transform.any_op
    transform.yield
  }
}
