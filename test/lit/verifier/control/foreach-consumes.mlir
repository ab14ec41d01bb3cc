// A foreach consumes what its body consumes of its argument.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: op uses a handle invalidated by a previously executed transform op

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-note@+1 {{handle %a is set here}}
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{'transform.foreach' consumes this handle}}
    transform.foreach %a : !transform.any_op {
      ^bb0(%x: !transform.any_op):
      %t, %t_loop = transform.structured.tile_using_for %x tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    // expected-error@+2 {{requires a valid handle but %a is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: match the payload again after 'transform.foreach'}}
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
