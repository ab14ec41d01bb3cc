// An action that no op matches is not run.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out

module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["linalg.conv_2d"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @tile(%x: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %t, %t_loop = transform.structured.tile_using_for %x tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %t : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    // expected-warning@+1 {{requires a payload op to match but the matchers accept none at this point, so nothing is done [fw-empty-match]}}
    %u, %r = transform.foreach_match in %m @is_matmul -> @tile : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
