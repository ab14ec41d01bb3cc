// The schedule beside the payload stays as it is, functions are normalized one
// by one, skips are proved, and an anchor that is a loop is left alone outside.
// RUN: formwork-opt %s --transform-interpreter --split-input-file | FileCheck %s

// CHECK: func.func @f(%[[A:.+]]: i32)
// CHECK-NEXT: return %[[A]]
// CHECK: gpu.module @inner
// CHECK-NEXT: gpu.func @g
// CHECK-NEXT: gpu.return
// CHECK: transform.named_sequence @__transform_main
// The first match is used by nothing but stays.
// CHECK-COUNT-2: transform.structured.match
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %0 = arith.addi %a, %c0 : i32
    return %0 : i32
  }
  gpu.module @inner {
    gpu.func @g(%a: i32) {
      %c0 = arith.constant 0 : i32
      %0 = arith.addi %a, %c0 : i32
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %unused = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %root to @canonical : !transform.any_op
    transform.normalform.normalize %root to @canonical {verify_skips} : !transform.any_op
    transform.normalform.assert %root is @canonical : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.assert %f is @canonical : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @loops
// CHECK-SAME: %[[N:.+]]: index
// CHECK: scf.for
// CHECK-NEXT: memref.store %[[N]]
// The other loop is not below the anchor.
// CHECK: scf.for
// CHECK-NEXT: arith.addi
// CHECK-NEXT: memref.store
module attributes {transform.with_named_sequence} {
  func.func @loops(%n: index, %m: memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.addi %n, %c0 : index
      memref.store %0, %m[%i] : memref<?xindex>
    } {here}
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.addi %n, %c0 : index
      memref.store %0, %m[%i] : memref<?xindex>
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %nest = transform.structured.match ops{["scf.for"]} attributes{here} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %nest to @loops.normalized : !transform.any_op
    transform.normalform.assert %nest is @loops.normalized : !transform.any_op
    transform.yield
  }
}
