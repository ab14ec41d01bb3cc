// A sequence that consumes what it says that it reads. MLIR does not look behind the
// include, so that the caller goes on with a dead handle.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out

module attributes {transform.with_named_sequence} {
  // expected-note@+2 {{the sequence is defined here}}
  // expected-note@+1 {{fix-it: mark the argument 'transform.consumed'}}
  transform.named_sequence @reads(%x: !transform.any_op {transform.readonly}) {
    %f = transform.get_parent_op %x {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
    // expected-note@+2 {{'transform.structured.tile_using_for' consumes it}}
    // expected-note@+1 {{'transform.structured.tile_using_for' consumes another handle to the same 'linalg.matmul'}}
    %t, %t_loop = transform.structured.tile_using_for %again tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-note@+1 {{handle %a is set here}}
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{requires @reads to only read its argument #0, which is marked 'transform.readonly', but the payload of the argument is consumed [fw-readonly-consumed]}}
    transform.include @reads failures(propagate) (%a) : (!transform.any_op) -> ()
    // expected-error@+2 {{requires a valid handle but %a is invalidated [fw-use-after-consume]}}
    // expected-note@+1 {{fix-it: match the payload again after 'transform.structured.tile_using_for'}}
    transform.debug.emit_remark_at %a, "used" : !transform.any_op
    transform.yield
  }
}
