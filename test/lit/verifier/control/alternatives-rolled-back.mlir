// The steps of an alternative that failed have not happened.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: {{.*}}expected to contain 2 payloads but it contains 1 payloads

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+2 {{handle %x is set here}}
    // expected-note@+1 {{the target %g is set here}}
    %g = transform.alternatives %f : !transform.any_op -> !transform.any_op {
      ^bb0(%x: !transform.any_op):
      %b = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
      %t, %t_loop = transform.structured.tile_using_for %b tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      // expected-remark@+1 {{requires a parent op of the wanted kind but the payload of %x has none [fw-no-parent]}}
      %p = transform.get_parent_op %x : (!transform.any_op) -> !transform.any_op
      transform.yield %p : !transform.any_op
    }, {
      ^bb0(%x: !transform.any_op):
      transform.yield %x : !transform.any_op
    }
    // expected-note@+1 {{handle %c is set here}}
    %c = transform.structured.match ops{["linalg.matmul"]} in %g : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{requires a payload op to match but 'func.func' has none at this point, so the steps that use %loops do nothing or fail [fw-empty-match]}}
    %loops = transform.structured.match ops{["scf.for"]} in %g : (!transform.any_op) -> !transform.any_op
    // expected-error@+2 {{requires 2 payload ops in %c but it has 1 [fw-cardinality]}}
    // expected-note@+1 {{fix-it: split into 1 result}}
    %one, %two = transform.split_handle %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
