// Normalization to @vector.plain_contracts: products that are summed up are contractions of operands as read.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-DAG: #[[A:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK: func.func @f(%[[ARG0:.+]]: memref<1x8xf32>, %[[ARG1:.+]]: memref<8x4xf32>, %[[ARG2:.+]]: vector<1x4xf32>) -> vector<1x4xf32> {
// CHECK: %[[V0:.+]] = vector.transfer_read %[[ARG0]][%{{.+}}, %{{.+}}], %{{.+}} {in_bounds = [true, true]} : memref<1x8xf32>, vector<1x8xf32>
// CHECK-NEXT: %[[V1:.+]] = vector.transfer_read %[[ARG1]][%{{.+}}, %{{.+}}], %{{.+}} {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
// CHECK-NEXT: %[[V2:.+]] = vector.contract {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[V0]], %[[V1]], %[[ARG2]]
// CHECK-NEXT: return %[[V2]] : vector<1x4xf32>
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<1x8xf32>, %b: memref<8x4xf32>, %acc: vector<1x4xf32>) -> vector<1x4xf32> {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : memref<1x8xf32>, vector<1x4x8xf32>
    %1 = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : memref<8x4xf32>, vector<1x4x8xf32>
    %2 = arith.mulf %0, %1 : vector<1x4x8xf32>
    %3 = vector.multi_reduction <add>, %2, %acc [2] : vector<1x4x8xf32> to vector<1x4xf32>
    return %3 : vector<1x4xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.plain_contracts : !transform.any_op
    transform.normalform.assert %f is @vector.plain_contracts : !transform.any_op
    transform.yield
  }
}
