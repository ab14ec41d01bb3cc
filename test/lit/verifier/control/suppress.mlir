// After a failure that is suppressed the next op runs, with empty handles.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: {{.*}}expected to contain 2 payloads but it contains 1 payloads

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.sequence %m : !transform.any_op failures(suppress) {
      ^bb0(%x: !transform.any_op):
      // expected-note@+1 {{handle %b is set here}}
      %b = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
      // expected-warning@+1 {{does less than it says, because a failure that is not reported leaves the payload unchanged: requires a parent op of the wanted kind but the payload of %b has none [fw-hidden-failure]}}
      %p = transform.get_parent_op %b {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
      transform.debug.emit_remark_at %p, "used" : !transform.any_op
      transform.yield
    }
    %t, %t_loop = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-note@+1 {{handle %c is set here}}
    %c = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error@+2 {{requires 2 payload ops in %c but it has 1 [fw-cardinality]}}
    // expected-note@+1 {{fix-it: split into 1 result}}
    %one, %two = transform.split_handle %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
