// Normalization to @vector.no_leading_unit_dims: no vector op on a leading dimension of size 1.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: vector<1x8xf32>, %[[ARG1:.+]]: vector<1x8xf32>) -> vector<1x8xf32> {
// CHECK-NEXT: %[[V0:.+]] = vector.extract %[[ARG0]][0] : vector<8xf32> from vector<1x8xf32>
// CHECK-NEXT: %[[V1:.+]] = vector.extract %[[ARG1]][0] : vector<8xf32> from vector<1x8xf32>
// CHECK-NEXT: %[[V2:.+]] = arith.addf %[[V0]], %[[V1]] : vector<8xf32>
// CHECK-NEXT: %[[V3:.+]] = arith.mulf %[[V2]], %[[V1]] : vector<8xf32>
// CHECK-NEXT: %[[V4:.+]] = vector.broadcast %[[V3]] : vector<8xf32> to vector<1x8xf32>
// CHECK-NEXT: return %[[V4]] : vector<1x8xf32>
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: vector<1x8xf32>, %b: vector<1x8xf32>) -> vector<1x8xf32> {
    %0 = arith.addf %a, %b : vector<1x8xf32>
    %1 = arith.mulf %0, %b : vector<1x8xf32>
    return %1 : vector<1x8xf32>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.no_leading_unit_dims : !transform.any_op
    transform.normalform.assert %f is @vector.no_leading_unit_dims : !transform.any_op
    transform.yield
  }
}
