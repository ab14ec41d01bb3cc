// A failure in a sequence is one of the sequence.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: could not find a parent op that matches all requirements

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(propagate) {
      ^bb0(%x: !transform.any_op):
      // expected-note@+1 {{handle %b is set here}}
      %b = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
      // expected-error@+1 {{requires a parent op of the wanted kind but the payload of %b has none [fw-no-parent]}}
      %p = transform.get_parent_op %b {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
    transform.yield
  }
}
