// Normalization to @gpu.indices_sunk: launches compute constants and indices themselves.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xf32>, %[[ARG1:.+]]: f32) {
// CHECK: gpu.launch
// CHECK-NEXT: %[[C2:.+]] = arith.constant 2 : index
// CHECK-NEXT: memref.store %[[ARG1]], %[[ARG0]][%[[C2]]] : memref<64xf32>
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c2 = arith.constant 2 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %s, %m[%c2] : memref<64xf32>
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.indices_sunk : !transform.any_op
    transform.normalform.assert %f is @gpu.indices_sunk : !transform.any_op
    transform.yield
  }
}
