// The caller of a sequence gets what the sequence yields.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: op uses a handle invalidated by a previously executed transform op

module attributes {transform.with_named_sequence} {
  transform.named_sequence @find(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %b = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
    transform.yield %b : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.include @find failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{handle %b is set here}}
    %b = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{'transform.structured.tile_using_for' consumes another handle to the same 'linalg.matmul'}}
    %t, %t_loop = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@+2 {{requires a valid handle but %b is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: use a handle that 'transform.structured.tile_using_for' returns, such as %t, or match the payload again}}
    transform.debug.emit_remark_at %b, "used" : !transform.any_op
    transform.yield
  }
}
