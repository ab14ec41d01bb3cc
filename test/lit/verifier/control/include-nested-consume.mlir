// A sequence that consumes below its argument: the aliases of the caller are dead, and
// MLIR does not see it.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out

module attributes {transform.with_named_sequence} {
  transform.named_sequence @tiles(%x: !transform.any_op {transform.readonly}) {
    %b = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{'transform.structured.tile_using_for' consumes another handle to the same 'linalg.matmul'}}
    %t, %t_loop = transform.structured.tile_using_for %b tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-note@+1 {{handle %a is set here}}
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.include @tiles failures(propagate) (%m) : (!transform.any_op) -> ()
    transform.debug.emit_remark_at %m, "used" : !transform.any_op
    // expected-error@+2 {{requires a valid handle but %a is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: match the payload again after 'transform.structured.tile_using_for'}}
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
