// Unless the shortest decides.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out

module attributes {transform.with_named_sequence} {
  // expected-note@+1 {{the target %m is set here}}
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{requires a payload op to match but 'builtin.module' has none at this point, so the steps that use %e do nothing or fail [fw-empty-match]}}
    %e = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.foreach %a, %e with_zip_shortest : !transform.any_op, !transform.any_op {
      ^bb0(%x: !transform.any_op, %y: !transform.any_op):
      %t, %t_loop = transform.structured.tile_using_for %x tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield
    }
    transform.yield
  }
}
