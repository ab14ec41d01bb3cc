// Normalization to @vector.loadable: only loads, stores and element-wise arithmetic on vectors.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xf32>, %[[ARG1:.+]]: index) {
// CHECK-NEXT: %[[V0:.+]] = vector.load %[[ARG0]][%[[ARG1]]] : memref<64xf32>, vector<4xf32>
// CHECK-NEXT: %[[V1:.+]] = arith.addf %[[V0]], %[[V0]] : vector<4xf32>
// CHECK-NEXT: vector.store %[[V1]], %[[ARG0]][%[[ARG1]]] : memref<64xf32>, vector<4xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xf32>, %i: index) {
    %0 = vector.load %m[%i] : memref<64xf32>, vector<4xf32>
    %1 = arith.addf %0, %0 : vector<4xf32>
    vector.store %1, %m[%i] : memref<64xf32>, vector<4xf32>
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @vector.loadable : !transform.any_op
    transform.normalform.assert %f is @vector.loadable : !transform.any_op
    transform.yield
  }
}
