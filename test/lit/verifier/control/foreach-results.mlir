// The results of the iterations, one after the other; each iteration ran once.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: %3 = "transform.foreach"(%2) ({

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %a, %f : !transform.any_op
    // expected-note@+1 {{handle %r is set here}}
    %r = transform.foreach %both : !transform.any_op -> !transform.any_op {
      ^bb0(%x: !transform.any_op):
      transform.yield %x : !transform.any_op
    }
    // expected-error@+2 {{requires 3 payload ops in %r but it has 2 [fw-cardinality]}}
    // expected-note@+1 {{fix-it: split into 2 results}}
    %one, %two, %three = transform.split_handle %r : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
