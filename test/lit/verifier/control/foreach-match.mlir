// Actions run on what matchers accept; the root is consumed, and what is in it.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: {{.*}}expected to contain 2 payloads but it contains 1 payloads

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["linalg.matmul"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @tile(%x: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %t, %t_loop = transform.structured.tile_using_for %x tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %t : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %u, %r = transform.foreach_match in %m @is_matmul -> @tile : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %u, "used" : !transform.any_op
    transform.debug.emit_remark_at %r, "used" : !transform.any_op
    // expected-note@+1 {{handle %b is set here}}
    %b = transform.structured.match ops{["linalg.matmul"]} in %u : (!transform.any_op) -> !transform.any_op
    // expected-error@+2 {{requires 2 payload ops in %b but it has 1 [fw-cardinality]}}
    // expected-note@+1 {{fix-it: split into 1 result}}
    %one, %two = transform.split_handle %b : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
