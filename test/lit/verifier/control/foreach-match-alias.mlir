// A handle to an op below the root is dead behind foreach_match.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: op uses a handle invalidated by a previously executed transform op

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
    // expected-note@+1 {{handle %a is set here}}
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{'transform.foreach_match' consumes 'builtin.module', which contains the payload of this handle}}
    %u, %r = transform.foreach_match in %m @is_matmul -> @tile : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@+2 {{requires a valid handle but %a is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: use a handle that 'transform.foreach_match' returns, such as %r, or match the payload again}}
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
