// The next iteration finds dead what one iteration consumes.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %f, %a : !transform.any_op
    // expected-note@+2 {{handle %x is set here}}
    // expected-note@+1 {{the target %x is set here}}
    transform.foreach %both : !transform.any_op {
      ^bb0(%x: !transform.any_op):
      // expected-error@+3 {{requires a valid handle but %x is invalidated [fw-use-after-consume]}}
      // expected-note@+2 {{fix-it: match the payload again after 'transform.structured.tile_using_for'}}
      // expected-warning@+1 {{requires a payload op to match but 'linalg.matmul' has none at this point, so the steps that use %inner do nothing or fail [fw-empty-match]}}
      %inner = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
      // expected-note@+1 {{'transform.structured.tile_using_for' consumes another handle to the same 'linalg.matmul'}}
      %t, %t_loop = transform.structured.tile_using_for %inner tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    transform.yield
  }
}
