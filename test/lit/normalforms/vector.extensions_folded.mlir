// Normalization to @vector.extensions_folded: contractions extend their operands themselves.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: #[[MAP:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[MAP1:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK: #[[MAP2:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK: func.func @f(%[[ARG0:.+]]: vector<4x8xf16>, %[[ARG1:.+]]: vector<8x4xf16>, %[[ARG2:.+]]: vector<4x4xf32>) -> vector<4x4xf32> {
// CHECK-NEXT: %[[V0:.+]] = vector.contract {indexing_maps = [#[[MAP]], #[[MAP1]], #[[MAP2]]], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[ARG0]], %[[ARG1]], %[[ARG2]] : vector<4x8xf16>, vector<8x4xf16> into vector<4x4xf32>
// CHECK-NEXT: return %[[V0]] : vector<4x4xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: vector<4x8xf16>, %b: vector<8x4xf16>, %acc: vector<4x4xf32>) -> vector<4x4xf32> {
    %0 = arith.extf %a : vector<4x8xf16> to vector<4x8xf32>
    %1 = arith.extf %b : vector<8x4xf16> to vector<8x4xf32>
    %2 = vector.contract {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %0, %1, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    return %2 : vector<4x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.extensions_folded : !transform.any_op
    transform.normalform.assert %f is @vector.extensions_folded : !transform.any_op
    transform.yield
  }
}
