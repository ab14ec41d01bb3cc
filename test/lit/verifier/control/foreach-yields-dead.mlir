// An op that an iteration consumed does not come back to life by being yielded.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-note@+1 {{handle %r#1 is set here}}
    %r:2 = transform.foreach %a : !transform.any_op -> !transform.any_op, !transform.any_op {
      ^bb0(%x: !transform.any_op):
      // expected-note@+1 {{'transform.structured.tile_using_for' consumes this handle}}
      %t, %t_loop = transform.structured.tile_using_for %x tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      // expected-warning@+1 {{yields %x, which is or may be invalidated}}
      transform.yield %t, %x : !transform.any_op, !transform.any_op
    }
    transform.debug.emit_remark_at %r#0, "used" : !transform.any_op
    // Upstream does not look, and the handle has what was freed.
    // expected-warning@+3 {{cannot prove that 'transform.debug.emit_remark_at' succeeds}}
    // expected-warning@+2 {{requires a valid handle but %r#1 may be invalidated on the path through 'transform.structured.tile_using_for' [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: match the payload again after 'transform.structured.tile_using_for'}}
    transform.debug.emit_remark_at %r#1, "used" : !transform.any_op
    transform.yield
  }
}
