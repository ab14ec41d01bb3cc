// Normalization to @memref.dims_resolved: sizes of results are computed from sizes of operands.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: #[[MAP:.+]] = affine_map<()[s0] -> (s0 + 3)>
// CHECK: func.func @f(%[[ARG0:.+]]: tensor<?x8xf32>, %[[ARG1:.+]]: tensor<?x8xf32>, %[[ARG2:.+]]: f32) -> index {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[DIM:.+]] = tensor.dim %[[ARG1]], %[[C0]] : tensor<?x8xf32>
// CHECK-NEXT: %[[V0:.+]] = affine.apply #[[MAP]]()[%[[DIM]]]
// CHECK-NEXT: return %[[V0]] : index
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<?x8xf32>, %out: tensor<?x8xf32>, %s: f32) -> index {
    %c0 = arith.constant 0 : index
    %0 = linalg.fill ins(%s : f32) outs(%out : tensor<?x8xf32>) -> tensor<?x8xf32>
    %1 = tensor.pad %0 low[1, 0] high[2, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %s : f32
    } : tensor<?x8xf32> to tensor<?x8xf32>
    %2 = tensor.dim %1, %c0 : tensor<?x8xf32>
    return %2 : index
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @memref.dims_resolved : !transform.any_op
    transform.normalform.assert %f is @memref.dims_resolved : !transform.any_op
    transform.yield
  }
}
