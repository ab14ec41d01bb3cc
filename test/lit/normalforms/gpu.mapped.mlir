// Normalization to @gpu.mapped: no parallel loop outside of the launch's own grid.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: memref<64xf32>, %[[ARG1:.+]]: f32) {
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[C64:.+]] = arith.constant 64 : index
// CHECK-NEXT: gpu.launch blocks(%[[ARG2:.+]], %[[ARG3:.+]], %[[ARG4:.+]]) in (%[[ARG8:.+]] = %[[C1]], %[[ARG9:.+]] = %[[C1]], %[[ARG10:.+]] = %[[C1]]) threads(%[[ARG5:.+]], %[[ARG6:.+]], %[[ARG7:.+]]) in (%[[ARG11:.+]] = %[[C64]], %[[ARG12:.+]] = %[[C1]], %[[ARG13:.+]] = %[[C1]]) {
// CHECK-NEXT: memref.store %[[ARG1]], %[[ARG0]][%[[ARG5]]] : memref<64xf32>
// CHECK-NEXT: gpu.terminator
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<64xf32>, %s: f32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %s, %m[%tx] : memref<64xf32>
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @gpu.mapped : !transform.any_op
    transform.normalform.assert %f is @gpu.mapped : !transform.any_op
    transform.yield
  }
}
