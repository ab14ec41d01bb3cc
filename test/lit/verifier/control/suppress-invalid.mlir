// No failure mode hides the use of a handle that is dead.
// RUN: not formwork check %inputs/matmul.mlir --transform=%s 2>&1 | FileCheck %s
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%s --transform-interpreter -o %t.mlir

// CHECK: error: requires a valid handle but %x is invalidated

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      %new = transform.apply_registered_pass "canonicalize" to %x : (!transform.any_op) -> !transform.any_op
      %none = transform.get_parent_op %x {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
    transform.yield
  }
}
