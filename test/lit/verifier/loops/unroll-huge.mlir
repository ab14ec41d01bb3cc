// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: formwork check --static %s --transform-entry-point=all 2>&1 | FileCheck %s

// Copies whose number does not fit an integer, together with the ops in the body, are not made one by one.
// CHECK: unproved: 0 errors, 1 warning

module attributes {transform.with_named_sequence} {
  func.func @count(%m: memref<4xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant 9223372036854775807 : index
    scf.for %i = %c0 to %end step %c1 {
      %v = memref.load %m[%c0] : memref<4xindex>
      %s = arith.addi %v, %i : index
      memref.store %s, %m[%c0] : memref<4xindex>
    }
    return
  }

  // With four ops in the body, 2^64 of them would be left.
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 4611686018427387903 } : !transform.any_op
    transform.yield
  }

  transform.named_sequence @all(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 9223372036854775807 } : !transform.any_op
    transform.yield
  }
}
