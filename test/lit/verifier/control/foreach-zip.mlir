// Handles that are zipped have as many ops each.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics
// RUN: sed '/expected-/d' %s > %t.mlir
// RUN: not mlir-opt %inputs/matmul.mlir --transform-preload-library=transform-library-paths=%t.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: error: prior targets' payload size (1) differs from payload size (0) of target %1 = "transform.structured.match"(%arg0) <{ops = ["scf.for"]}> : (!transform.any_op) -> !transform.any_op

module attributes {transform.with_named_sequence} {
  // expected-note@+1 {{the target %m is set here}}
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-warning@+2 {{requires a payload op to match but 'builtin.module' has none at this point, so the steps that use %e do nothing or fail [fw-empty-match]}}
    // expected-note@+1 {{handle %e is set here}}
    %e = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error@+1 {{requires handles with the same number of payload entries but %e has 0 and %a has 1 [fw-cardinality]}}
    transform.foreach %a, %e : !transform.any_op, !transform.any_op {
      ^bb0(%x: !transform.any_op, %y: !transform.any_op):
      transform.yield
    }
    transform.yield
  }
}
