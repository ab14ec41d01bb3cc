// Normalization to @vector.contracts: products that are summed up are contractions.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: #[[MAP:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[MAP1:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK: func.func @f(%[[ARG0:.+]]: vector<4x8xf32>, %[[ARG1:.+]]: vector<4x8xf32>, %[[ARG2:.+]]: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT: %[[V0:.+]] = vector.contract {indexing_maps = [#[[MAP]], #[[MAP]], #[[MAP1]]], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %[[ARG0]], %[[ARG1]], %[[ARG2]] : vector<4x8xf32>, vector<4x8xf32> into vector<4xf32>
// CHECK-NEXT: return %[[V0]] : vector<4xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: vector<4x8xf32>, %b: vector<4x8xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
    %0 = arith.mulf %a, %b : vector<4x8xf32>
    %1 = vector.multi_reduction <add>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32>
    return %1 : vector<4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.contracts : !transform.any_op
    transform.normalform.assert %f is @vector.contracts : !transform.any_op
    transform.yield
  }
}
