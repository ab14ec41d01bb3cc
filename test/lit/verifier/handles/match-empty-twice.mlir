// Each match that finds nothing says so, also one that asks the same again.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --static --verify-diagnostics

module attributes {transform.with_named_sequence} {
  // expected-note@+1 {{the target %m is set here}}
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    // expected-warning@+1 {{so the steps that use %first do nothing or fail [fw-empty-match]}}
    %first = transform.structured.match ops{["scf.forall"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-warning@+1 {{so the steps that use %second do nothing or fail [fw-empty-match]}}
    %second = transform.structured.match ops{["scf.forall"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
