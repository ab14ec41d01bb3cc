// Normalization to @memref.allocations_hoisted: no allocation in a loop.
// RUN: formwork-opt %s --transform-interpreter | FileCheck %s
// RUN: formwork-opt %s --transform-interpreter -o %t.once
// RUN: formwork-opt %t.once --transform-interpreter -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK: func.func @f(%[[ARG0:.+]]: index, %[[ARG1:.+]]: memref<4xf32>) {
// CHECK-NEXT: %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[ALLOC:.+]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: scf.for %[[ARG2:.+]] = %[[C0]] to %[[ARG0]] step %[[C1]] {
// CHECK-NEXT: memref.copy %[[ARG1]], %[[ALLOC]] : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: memref.copy %[[ALLOC]], %[[ARG1]] : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%n: index, %m: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = memref.alloc() : memref<4xf32>
      memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
      memref.copy %0, %m : memref<4xf32> to memref<4xf32>
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %f to @memref.allocations_hoisted : !transform.any_op
    transform.normalform.assert %f is @memref.allocations_hoisted : !transform.any_op
    transform.yield
  }
}
