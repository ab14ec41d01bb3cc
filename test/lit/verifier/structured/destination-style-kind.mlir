// MLIR does not say what it does with an op that it has no destination style for: whether it
// fails is up to what is on the stack.
// RUN: not formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/failures(propagate)/failures(suppress)/' %s > %t.hidden.mlir
// RUN: formwork check --static %t.hidden.mlir 2>&1 | FileCheck %s --check-prefix=HIDDEN

// CHECK: [fw-wrong-kind]
// CHECK: : refuted
// HIDDEN: : unproved: 0 errors

func.func @f(%i: index, %x: memref<4x8xi32>) -> memref<2x2xi32, strided<[8, 1], offset: ?>> {
  %view = memref.subview %x[%i, %i] [2, 2] [1, 1] : memref<4x8xi32> to memref<2x2xi32, strided<[8, 1], offset: ?>>
  return %view : memref<2x2xi32, strided<[8, 1], offset: ?>>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(propagate) {
    ^bb0(%x: !transform.any_op):
      %view = transform.structured.match ops{["memref.subview"]} in %x : (!transform.any_op) -> !transform.any_op
      %made = transform.structured.rewrite_in_destination_passing_style %view : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
