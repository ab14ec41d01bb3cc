// A foreach over nothing runs nothing, and consumes its handle all the same.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: op uses a handle associated with empty payload and invalidated by a previously executed transform op

module attributes {transform.with_named_sequence} {
  // expected-note@+1 {{the target %m is set here}}
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-warning@+2 {{requires a payload op to match but 'builtin.module' has none at this point, so the steps that use %e do nothing or fail [fw-empty-match]}}
    // expected-note@+1 {{handle %e is set here}}
    %e = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{'transform.foreach' consumes this handle}}
    transform.foreach %e : !transform.any_op {
      ^bb0(%x: !transform.any_op):
      %t, %t_loop = transform.structured.tile_using_for %x tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %u, %u_loop = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    // expected-error@+2 {{requires a valid handle but %e is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: match the payload again after 'transform.foreach'}}
    transform.debug.emit_remark_at %e, "used" : !transform.any_op
    transform.yield
  }
}
