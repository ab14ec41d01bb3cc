// When each alternative fails, so do they all.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: all alternatives failed

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error@+2 {{requires an alternative that succeeds but each of them fails [fw-no-alternative]}}
    // expected-note@+1 {{handle %x is set here}}
    transform.alternatives %f : !transform.any_op {
      ^bb0(%x: !transform.any_op):
      // expected-remark@+1 {{requires a parent op of the wanted kind but the payload of %x has none [fw-no-parent]}}
      %p = transform.get_parent_op %x : (!transform.any_op) -> !transform.any_op
      transform.yield
    }, {
      ^bb0(%x: !transform.any_op):
      // expected-note@+1 {{handle %b is set here}}
      %b = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
      // expected-remark@+2 {{requires 2 payload ops in %b but it has 1 [fw-cardinality]}}
      // expected-note@+1 {{fix-it: split into 1 result}}
      %one, %two = transform.split_handle %b : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    transform.yield
  }
}
